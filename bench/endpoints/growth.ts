// Compares an org of a million contacts with one of ten million: what people wait for, and what runs in the background.
// Both orgs take turns. Filling them takes half an hour and 50 GB; they stay in --folder.
//   node bench/endpoints/growth.ts --folder /tmp/bench [--sizes 1000000,10000000] [--answers 100] [--rows 100000]
//     [--rounds 3] [--parts pages,writes,imports,checks,scans]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { contacts } from '../../src/contacts/contacts.ts'
import { checkBatch } from '../../src/duplicates/checks/check-loop.ts'
import { createImport } from '../../src/imports/imports.ts'
import { load } from '../../src/imports/load.ts'
import { openTable } from '../../src/imports/table.ts'
import type { Context } from '../../src/platform/context.ts'
import { createLog } from '../../src/platform/log.ts'
import { createRecord } from '../../src/records/create.ts'
import { quantile } from '../support/client.ts'
import { type Filled, filledOrg, idOf } from '../support/fill.ts'
import { openBench, type Process } from '../support/installation.ts'
import { csvFile, csvRow } from '../support/people.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    sizes: { type: 'string', default: '1000000,10000000' },
    answers: { type: 'string', default: '100' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    parts: { type: 'string', default: 'pages,writes,imports,checks,scans' },
  },
})
const [answers, rows, rounds] = [Number(values.answers), Number(values.rows), Number(values.rounds)]
const any = (most: number) => Math.floor(Math.random() * most)

/** Requests for one page of contacts, by what they ask for. */
const pages: Readonly<Record<string, (size: number) => string>> = {
  'list of 25': () => '/contacts?limit=25',
  'list of 25, sort=updated_at': () => '/contacts?limit=25&sort=updated_at',
  'one contact': (size) => `/contacts/${idOf('contact', any(size))}`,
  'filter email': (size) => `/contacts?email=p${any(size)}@x.example`,
  'filter company_id (5 match)': (size) => `/contacts?company_id=${idOf('company', any(size / 5))}`,
  'filter tag (a thousandth matches)': () => `/contacts?tag=t${any(1_000)}&limit=25`,
  'search, 0.02 % match': () => `/contacts?q=last${1_000 + any(4_000)}&limit=25`,
  'search, 2 % match': () => `/contacts?q=last${10 + any(40)}&limit=25`,
  'search, a tenth matches': () => '/contacts?q=grace&limit=25',
}

type Org = Filled & { name: string }

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const startedAt = performance.now()
  const result = await work()
  return [performance.now() - startedAt, result]
}

/** One line of the table: a figure of each org, and the last divided by the first. */
function show(what: string, figures: readonly (readonly number[])[], unit: string): void {
  const sorted = figures.map((each) => each.toSorted((a, b) => a - b))
  const p50 = sorted.map((each) => quantile(each, 0.5))
  const p95 = sorted.map((each) => quantile(each, 0.95))
  const text = (list: readonly number[]) => list.map((each) => each.toFixed(1).padStart(9)).join(' ')
  console.log(
    `${what.padEnd(36)} p50${text(p50)}   p95${text(p95)} ${unit}   ratio of p50 ${(p50.at(-1)! / p50[0]!).toFixed(2)}`,
  )
}

/** Asks for JSON, and fails with the text of an unexpected answer. */
async function ask(server: Process, org: Org, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.address}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  // The server stops a statement after 15 s. The time shows it.
  if (text.includes('query_too_slow')) return null
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** Runs `work` on each org in turns. Returns the milliseconds of each org. */
async function inTurns(
  orgs: readonly Org[],
  count: number,
  work: (org: Org) => Promise<unknown>,
): Promise<number[][]> {
  const times: number[][] = orgs.map(() => [])
  for (let n = -Math.min(5, count / 5); n < count; n++)
    for (const [index, org] of orgs.entries()) {
      const [ms] = await timed(() => work(org))
      if (n >= 0) times[index]!.push(ms)
    }
  return times
}

async function measurePages(server: Process, orgs: readonly Org[]): Promise<void> {
  for (const [what, path] of Object.entries(pages)) {
    // A search reads a part of the records, so it takes long.
    const count = what.startsWith('search') ? answers / 10 : answers
    show(what, await inTurns(orgs, count, (org) => ask(server, org, 'GET', path(org.size))), 'ms')
  }
}

async function measureWrites(server: Process, orgs: readonly Org[]): Promise<void> {
  const fields = () => ({ first_name: 'Nia', last_name: `New${any(1e9)}`, email: `n${any(1e12)}@y.example` })
  show('POST', await inTurns(orgs, answers, (org) => ask(server, org, 'POST', '/contacts', fields())), 'ms')
  show(
    'PATCH',
    await inTurns(orgs, answers, (org) =>
      ask(server, org, 'PATCH', `/contacts/${idOf('contact', any(org.size))}`, { city: `City ${any(1e6)}` }),
    ),
    'ms',
  )
  const merges = new Map<Org, string>()
  const merged: number[][] = orgs.map(() => [])
  const undone: number[][] = orgs.map(() => [])
  for (let n = -5; n < answers / 2; n++)
    for (const [index, org] of orgs.entries()) {
      const [survivor, loser] = [any(org.size / 2), org.size / 2 + any(org.size / 2 - 1)]
      const body = { survivor_id: idOf('contact', survivor), loser_ids: [idOf('contact', loser)] }
      const [mergeMs, { data }] = await timed(() =>
        ask(server, org, 'POST', '/duplicates/merge', { entity_type: 'contact', ...body }),
      )
      merges.set(org, data.merges[0].merge_id)
      const [undoMs] = await timed(() =>
        ask(server, org, 'POST', `/duplicates/undo-merge/${merges.get(org)}`, {}),
      )
      if (n < 0) continue
      merged[index]!.push(mergeMs)
      undone[index]!.push(undoMs)
    }
  show('merge of two', merged, 'ms')
  show('undo', undone, 'ms')
}

/** Imports the same new people into each org. The CPU time counts Node and PostgreSQL. */
async function measureImports(orgs: readonly Org[]): Promise<void> {
  const cpu: number[][] = orgs.map(() => [])
  const seconds: number[][] = orgs.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, { orgId }] of orgs.entries()) {
      const org = bench.database.org(orgId)
      const input = { type: contacts, status: 'running', fileName: undefined, mapping: undefined } as const
      const importId = await org.transact((tx) => createImport(tx, input))
      const used = () => cpuSeconds(process.pid) + postgresSeconds(bench.folder)
      const before = used()
      const table = await openTable(csvFile(rows), contacts, undefined)
      const [ms] = await timed(() => load({ org, type: contacts, importId, table }))
      seconds[index]!.push(ms / 1_000)
      cpu[index]!.push(used() - before)
    }
  show(`import of ${rows} rows`, seconds, 's')
  show(`import of ${rows} rows, CPU time`, cpu, 's')
}

/** Checks a new contact that is like one of the imported people, for duplicates. */
async function measureChecks(orgs: readonly Org[]): Promise<void> {
  const context = {
    database: bench.database,
    log: createLog('error'),
    jobs: { enqueue: async () => {} },
  } as unknown as Context
  const times: number[][] = orgs.map(() => [])
  for (let n = -5; n < answers; n++)
    for (const [index, { orgId }] of orgs.entries()) {
      const org = bench.database.org(orgId)
      const [first_name, last_name, , phone, company_name] = csvRow(any(rows)).split(',')
      const person = { first_name, last_name, phone, company_name, email: `c${any(1e12)}@z.example` }
      await org.transact((tx) => createRecord(tx, contacts, contacts.input.parse(person)))
      const [ms] = await timed(() => checkBatch(org, context))
      if (n >= 0) times[index]!.push(ms)
    }
  show('check of a new contact', times, 'ms')
}

async function measureScan(server: Process, org: Org): Promise<void> {
  let resident = 0
  const before = [cpuSeconds(server.pid), postgresSeconds(bench.folder)]
  const startedAt = performance.now()
  let { data: scan } = await ask(server, org, 'POST', '/duplicates/scans', { entity_type: 'contact' })
  while (scan.status === 'queued' || scan.status === 'running') {
    await delay(500)
    resident = Math.max(resident, residentMiB(server.pid))
    scan = (await ask(server, org, 'GET', `/duplicates/scans/${scan.scan_id}`)).data
  }
  const [node, postgres] = [cpuSeconds(server.pid), postgresSeconds(bench.folder)].map((now, index) =>
    (now - before[index]!).toFixed(1),
  )
  const { records_read: read, pairs_compared: pairs, proposals_opened: opened } = scan.counts
  console.log(
    `${org.name} scan ${scan.status} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${read} records, ${pairs} pairs, ${opened} proposals; CPU time ${node} s Node, ${postgres} s PostgreSQL; at most ${resident.toFixed(0)} MiB resident`,
  )
}

const bench = await openBench(values.folder)
try {
  const orgs: Org[] = []
  for (const size of values.sizes.split(',').map(Number))
    orgs.push({
      ...(await filledOrg(bench, bench.folder, size)),
      name: `${size.toLocaleString('en')} contacts:`,
    })
  const server = await bench.serve({ DUPLICATE_CHECKS: '0' })
  console.log(`figures: ${orgs.map(({ name }) => name.replace(':', '')).join(', ')}`)
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    pages: () => measurePages(server, orgs),
    writes: () => measureWrites(server, orgs),
    imports: () => measureImports(orgs),
    checks: () => measureChecks(orgs),
    scans: async () => {
      for (const org of orgs) await measureScan(server, org)
    },
  }
  for (const part of values.parts.split(',')) await parts[part]?.()
} finally {
  await bench.close()
}
