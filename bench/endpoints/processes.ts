// Compares one API process with two (API_PROCESSES). Both take turns in one run, on one database.
//   node bench/endpoints/processes.ts [--rounds 3] [--seconds 3]
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setCeilings } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { highestCeiling } from '../../src/platform/rate-limit/rate-limit.ts'
import { load, type Measured, median } from '../support/client.ts'
import { connected, openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } },
})

type Run = Measured & { nodeMs: number; postgresMs: number; walKB: number; diskKB: number }

/** The ids of a process and of its children. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

const bench = await openBench()
const sizes = () =>
  connected(bench.url, async (client) => {
    const { rows } = await client.query(
      `select (pg_current_wal_lsn() - '0/0')::float8 as wal, pg_database_size(current_database())::float8 as disk`,
    )
    return rows[0] as { wal: number; disk: number }
  })

try {
  const servers = {
    1: await bench.serve({ ROLE: 'api' }),
    2: await bench.serve({ ROLE: 'api', API_PROCESSES: '2' }),
  }
  const measure = async (pid: number, run: () => Promise<Measured>): Promise<Run> => {
    const tree = treeOf(pid)
    const node = () => tree.reduce((sum, each) => sum + cpuSeconds(each), 0)
    const before = { node: node(), postgres: postgresSeconds(bench.folder), ...(await sizes()) }
    const measured = await run()
    const after = { node: node(), postgres: postgresSeconds(bench.folder), ...(await sizes()) }
    return {
      ...measured,
      nodeMs: ((after.node - before.node) * 1_000) / measured.answers,
      postgresMs: ((after.postgres - before.postgres) * 1_000) / measured.answers,
      walKB: (after.wal - before.wal) / 1_000 / measured.answers,
      diskKB: (after.disk - before.disk) / 1_000 / measured.answers,
    }
  }
  const body = { first_name: 'Ada', last_name: 'Lovelace', emails: ['ada@example.com'], city: 'London' }
  const keyed = () => ({ post: { body, headers: () => `idempotency-key: ${randomUUID()}\r\n` } })
  const cases = [
    { name: 'GET organization', connections: 1, path: 'organization', options: () => ({}) },
    { name: 'GET organization', connections: 32, path: 'organization', options: () => ({}) },
    { name: 'POST contacts', connections: 32, path: 'contacts', options: () => ({ post: { body } }) },
    { name: 'POST contacts, Idempotency-Key', connections: 32, path: 'contacts', options: keyed },
  ]
  for (const { name, connections, path, options } of cases) {
    console.log(`\n${name}, ${connections} connection${connections > 1 ? 's' : ''}`)
    const runs: Record<string, Run[]> = { 1: [], 2: [] }
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [count, server] of Object.entries(servers)) {
        const { orgId, token } = await bench.newOrg()
        // Limits that refuse nothing, but are counted.
        const ceilings = { perSecond: 10_000, perMinute: highestCeiling }
        await system(bench.database).transact((tx) => setCeilings(tx, orgId, ceilings))
        const stop = { seconds: round === 0 ? 1 : Number(values.seconds) }
        const url = `${server.address}/api/v1/${path}`
        const run = await measure(server.pid, () => load({ url, token, connections, stop, ...options() }))
        // The first round warms up.
        if (round > 0) runs[count]?.push(run)
      }
    }
    for (const [count, all] of Object.entries(runs)) {
      const of = (field: keyof Run) => median(all.map((run) => run[field]))
      const others = all.reduce((sum, run) => sum + run.others, 0)
      console.log(
        `${count} process${count === '1' ? '  ' : 'es'} ${of('rate').toFixed(0).padStart(6)} req/s  p50 ${of('p50').toFixed(2)} ms  p99 ${of('p99').toFixed(2)} ms` +
          `  CPU: Node ${of('nodeMs').toFixed(2)} ms, PostgreSQL ${of('postgresMs').toFixed(2)} ms` +
          `  WAL ${of('walKB').toFixed(1)} KB, disk ${of('diskKB').toFixed(1)} KB${others > 0 ? `  ${others} UNEXPECTED` : ''}`,
      )
    }
  }
  for (const [count, { pid }] of Object.entries(servers))
    console.log(`${count}: ${treeOf(pid).map((each) => `${residentMiB(each).toFixed(0)} MiB`)} of memory`)
} finally {
  await bench.close()
}
