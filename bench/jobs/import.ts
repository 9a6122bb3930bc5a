// Compares a CSV import with bare inserts of the same columns by pg. Both take turns in one run. With --match-on, three
// imports of the file create rows, change nothing, and update rows.
//   node bench/jobs/import.ts [--rows 200000] [--rounds 3] [--endless 60] [--match-on external_id]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { v7 } from 'uuid'
import { contacts } from '../../src/contacts/contacts.ts'
import { createImport } from '../../src/imports/imports.ts'
import { load } from '../../src/imports/load.ts'
import { openTable } from '../../src/imports/table.ts'
import { median } from '../support/client.ts'
import { type Bench, openBench } from '../support/installation.ts'
import { csvFile, csvRow } from '../support/people.ts'
import { postgresSeconds } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    endless: { type: 'string', default: '0' },
    'match-on': { type: 'string' },
  },
})
const mebibyte = 1024 * 1024

/** The CPU time of this process and of PostgreSQL in microseconds, and the bytes of the write-ahead log, until now. */
async function usageOf({ url, folder }: Bench) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select pg_current_wal_insert_lsn() - '0/0' as wal`)
  await client.end()
  const { user, system } = process.cpuUsage()
  return { node: user + system, postgres: postgresSeconds(folder) * 1e6, wal: Number(rows[0].wal) }
}

/** Imports people into a new org. Returns rows per second, bytes read, and the maximum resident memory in MiB. */
async function ours(bench: Bench, people: number, seconds = Number.POSITIVE_INFINITY) {
  const { orgId } = await bench.newOrg()
  const org = bench.database.org(orgId)
  const input = { type: contacts, status: 'running', fileName: undefined, mapping: undefined } as const
  const importId = await org.transact((tx) => createImport(tx, input))
  let resident = 0
  let bytes = 0
  const before = await usageOf(bench)
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  async function* source() {
    for await (const piece of csvFile(people)) {
      bytes += piece.length
      if (elapsed() > seconds) return
      yield piece
    }
  }
  const done = await load({
    org,
    type: contacts,
    importId,
    table: await openTable(source(), contacts, undefined),
    onProgress: () => {
      resident = Math.max(resident, process.memoryUsage.rss() / mebibyte)
    },
  })
  const rate = done.created / elapsed()
  const after = await usageOf(bench)
  const each = (a: number, b: number) => ((a - b) / done.created).toFixed(1)
  const [node, postgres] = [each(after.node, before.node), each(after.postgres, before.postgres)]
  const perRow = `a row: ${node} µs of Node, ${postgres} µs of PostgreSQL, ${each(after.wal, before.wal)} bytes of WAL`
  return { rate, created: done.created, bytes, resident, perRow }
}

/**
 * Imports the same people three times with `match_on`: rows that create, change nothing, and update. Returns the rows
 * per second of each.
 */
async function matching(bench: Bench, people: number, matchOn: string): Promise<number[]> {
  const { orgId } = await bench.newOrg()
  const org = bench.database.org(orgId)
  const rates: number[] = []
  for (const title of ['Engineer', 'Engineer', 'Analyst']) {
    const input = {
      type: contacts,
      status: 'running',
      fileName: undefined,
      mapping: undefined,
      matchOn,
    } as const
    const importId = await org.transact((tx) => createImport(tx, input))
    async function* source() {
      for await (const piece of csvFile(people))
        yield Buffer.from(String(piece).replaceAll('Engineer', title))
    }
    const startedAt = performance.now()
    const table = await openTable(source(), contacts, undefined)
    await load({ org, type: contacts, importId, matchOn, table })
    rates.push((people / (performance.now() - startedAt)) * 1000)
  }
  return rates
}

/** Inserts the same people, a thousand rows at a time, without checks, keys, events or search. */
async function bare(bench: Bench, people: number): Promise<number> {
  const { orgId } = await bench.newOrg()
  const client = new Client({ connectionString: bench.url })
  await client.connect()
  const startedAt = performance.now()
  for (let from = 0; from < people; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, people - from) }, (_, index) =>
      csvRow(from + index).split(','),
    )
    const column = (index: number) => rows.map((row) => row[index])
    await client.query({
      name: 'insert',
      text: `
        insert into contact (org_id, contact_id, first_name, last_name, email, phone, company_name, job_title, city, country, search, created_at, updated_at)
        select $1, u.*, '', now(), now()
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) as u`,
      values: [orgId, rows.map(() => v7()), ...[0, 1, 2, 3, 4, 5, 6, 7].map(column)],
    })
  }
  await client.end()
  return people / ((performance.now() - startedAt) / 1000)
}

const bench = await openBench()
try {
  const people = Number(values.rows)
  await ours(bench, 20_000)
  const ratios: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const imported = await ours(bench, people)
    const inserted = await bare(bench, people)
    ratios.push(imported.rate / inserted)
    const size = (imported.bytes / mebibyte).toFixed(0)
    console.log(
      `import ${imported.rate.toFixed(0)} rows/s (${people.toLocaleString('en')} rows, ${size} MiB, at most ${imported.resident.toFixed(0)} MiB resident; ${imported.perRow})   bare inserts ${inserted.toFixed(0)} rows/s`,
    )
    await delay(500)
  }
  console.log(`median ratio: ${median(ratios).toFixed(2)} of the bare inserts`)
  const matchOn = values['match-on']
  if (matchOn !== undefined) {
    const [creating, unchanged, updating] = await matching(bench, people, matchOn)
    console.log(
      `match_on ${matchOn}: ${creating?.toFixed(0)} rows/s that create, ${unchanged?.toFixed(0)} that change nothing, ${updating?.toFixed(0)} that update`,
    )
  }
  if (Number(values.endless) > 0) {
    const { created, bytes, rate, resident } = await ours(
      bench,
      Number.POSITIVE_INFINITY,
      Number(values.endless),
    )
    console.log(
      `endless stream, cut after ${values.endless} s: ${created.toLocaleString('en')} rows, ${(bytes / mebibyte).toFixed(0)} MiB, ${rate.toFixed(0)} rows/s, at most ${resident.toFixed(0)} MiB resident`,
    )
  }
} finally {
  await bench.close()
}
