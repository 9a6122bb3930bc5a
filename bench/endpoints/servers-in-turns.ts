// Compares servers that take turns in one run, on one database: rates, times, CPU, WAL and disk.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setCeilings } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { highestCeiling } from '../../src/platform/rate-limit/rate-limit.ts'
import { load, type Measured, median } from '../support/client.ts'
import { type Bench, connected } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds } from '../support/usage.ts'

type Run = Measured & { nodeMs: number; otherMs: number; postgresMs: number; walKB: number; diskKB: number }

/** A server, and the id of a program that works for it besides Node and PostgreSQL (a pooler). */
export type Compared = { address: string; pid: number; besides?: number }

/** The ids of a process and of its children. */
export function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

const body = { first_name: 'Ada', last_name: 'Lovelace', emails: ['ada@example.com'], city: 'London' }
const keyed = () => ({ post: { body, headers: () => `idempotency-key: ${randomUUID()}\r\n` } })
const cases = [
  { name: 'GET organization', connections: 1, path: 'organization', options: () => ({}) },
  { name: 'GET organization', connections: 32, path: 'organization', options: () => ({}) },
  { name: 'POST contacts', connections: 32, path: 'contacts', options: () => ({ post: { body } }) },
  { name: 'POST contacts, Idempotency-Key', connections: 32, path: 'contacts', options: keyed },
]

/** Prints the medians of each server for each case. @param length the number of rounds, and the seconds of each */
export async function compareServers(
  bench: Bench,
  servers: Record<string, Compared>,
  length: { rounds: number; seconds: number },
): Promise<void> {
  const sizes = () =>
    connected(bench.url, async (client) => {
      const { rows } = await client.query(
        `select (pg_current_wal_lsn() - '0/0')::float8 as wal, pg_database_size(current_database())::float8 as disk`,
      )
      return rows[0] as { wal: number; disk: number }
    })
  const measure = async ({ pid, besides }: Compared, run: () => Promise<Measured>): Promise<Run> => {
    const tree = treeOf(pid)
    const used = async () => ({
      node: tree.reduce((sum, each) => sum + cpuSeconds(each), 0),
      other: besides === undefined ? 0 : cpuSeconds(besides),
      postgres: postgresSeconds(bench.folder),
      ...(await sizes()),
    })
    const before = await used()
    const measured = await run()
    const after = await used()
    const each = (field: keyof typeof after, unit: number) =>
      (after[field] - before[field]) / unit / measured.answers
    return {
      ...measured,
      nodeMs: each('node', 0.001),
      otherMs: each('other', 0.001),
      postgresMs: each('postgres', 0.001),
      walKB: each('wal', 1_000),
      diskKB: each('disk', 1_000),
    }
  }
  for (const { name, connections, path, options } of cases) {
    console.log(`\n${name}, ${connections} connection${connections > 1 ? 's' : ''}`)
    const runs = new Map<string, Run[]>(Object.keys(servers).map((server) => [server, []]))
    for (let round = 0; round <= length.rounds; round++) {
      for (const [server, compared] of Object.entries(servers)) {
        const { orgId, token } = await bench.newOrg()
        // Limits that refuse nothing, but are counted.
        const ceilings = { perSecond: 10_000, perMinute: highestCeiling }
        await system(bench.database).transact((tx) => setCeilings(tx, orgId, ceilings))
        const stop = { seconds: round === 0 ? 1 : length.seconds }
        const url = `${compared.address}/api/v1/${path}`
        const run = await measure(compared, () => load({ url, token, connections, stop, ...options() }))
        // The first round warms up.
        if (round > 0) runs.get(server)?.push(run)
      }
    }
    for (const [server, all] of runs) console.log(lineOf(server, all))
  }
}

function lineOf(server: string, all: Run[]): string {
  const of = (field: keyof Run, digits: number) => median(all.map((run) => run[field])).toFixed(digits)
  const others = all.reduce((sum, run) => sum + run.others, 0)
  return (
    `${server.padEnd(12)} ${of('rate', 0).padStart(6)} req/s  p50 ${of('p50', 2)} ms  p99 ${of('p99', 2)} ms` +
    `  CPU: Node ${of('nodeMs', 2)}, PostgreSQL ${of('postgresMs', 2)}, besides ${of('otherMs', 2)} ms` +
    `  WAL ${of('walKB', 1)} KB, disk ${of('diskKB', 1)} KB${others > 0 ? `  ${others} UNEXPECTED` : ''}`
  )
}
