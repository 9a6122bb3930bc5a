// Measures finding, merging and undoing duplicates in an org of a million generated contacts. The server is a separate
// process. crm-records.ts decides how many are duplicates, and how they differ.
//   node bench/matching/duplicates.ts [--people 800000] [--checks 500] [--merges 60] [--scans 2] [--folder /tmp/million]
// With --folder the contacts are stored once, and scanned again each time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { contacts } from '../../src/contacts/contacts.ts'
import { checkBatch } from '../../src/duplicates/checks/check-loop.ts'
import type { Context } from '../../src/platform/context.ts'
import type { Org } from '../../src/platform/db/org.ts'
import { system } from '../../src/platform/db/system.ts'
import { createLog } from '../../src/platform/log.ts'
import { createRecord, newColumns } from '../../src/records/create.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { quantile } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'
import { makeContacts } from './crm-records.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '800000' },
    checks: { type: 'string', default: '500' },
    merges: { type: 'string', default: '60' },
    scans: { type: 'string', default: '2' },
    folder: { type: 'string' },
  },
})
const lotSize = 1_000
const children = 100

type Fields = Record<string, unknown>

function fieldsOf(record: Record<string, string | string[]>): Fields {
  const ids = [record.external_ids ?? []].flat().map((id) => id.split(':') as [string, string])
  const { external_ids: _ids, ...rest } = record
  const filled = Object.entries(rest).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(filled), external_ids: Object.fromEntries(ids) }
}

const orgDefaults = { defaultCountry: 'US' }

/** Stores contacts like an import. Returns contacts per second. */
async function fill(org: Org, people: Fields[]): Promise<number> {
  const startedAt = performance.now()
  const store = (lot: Fields[]) => {
    const states = lot.flatMap((fields) => {
      const read = contacts.input.safeParse(fields)
      return read.success ? [newColumns(contacts, read.data, orgDefaults)] : []
    })
    return org.transact((tx) => insertRecords(tx, contacts, states, org.orgId))
  }
  for (let from = 0; from < people.length; from += 2 * lotSize) {
    const lots = [from, from + lotSize].map((start) => people.slice(start, start + lotSize))
    await Promise.all(lots.filter((lot) => lot.length > 0).map(store))
  }
  return people.length / ((performance.now() - startedAt) / 1000)
}

const quantileOf = (times: readonly number[], share: number) =>
  quantile(
    times.toSorted((a, b) => a - b),
    share,
  )
const spread = (times: readonly number[]) =>
  `p50 ${quantileOf(times, 0.5).toFixed(1)} ms, p95 ${quantileOf(times, 0.95).toFixed(1)} ms`

/** Returns an org with contacts: the one of the folder, or a new one. */
async function filledOrg(): Promise<{ orgId: string; token: string }> {
  const kept = values.folder && join(values.folder, 'org.json')
  if (kept && existsSync(kept)) {
    const known = JSON.parse(readFileSync(kept, 'utf8'))
    const forget = { text: 'delete from merge where org_id = $1', values: [known.orgId] }
    await system(bench.database).transact((tx) => tx.run(forget))
    return known
  }
  const { orgId, token } = await bench.newOrg()
  const made = makeContacts(Number(values.people), 1).map(({ record }) => fieldsOf(record))
  const rate = await fill(bench.database.org(orgId), made)
  console.log(`${made.length.toLocaleString('en')} contacts stored, ${rate.toFixed(0)} a second`)
  if (kept) writeFileSync(kept, JSON.stringify({ orgId, token }))
  return { orgId, token }
}

const bench = await openBench(values.folder)
try {
  const { orgId, token } = await filledOrg()
  const org = bench.database.org(orgId)
  const more = makeContacts(Number(values.checks), 2).map(({ record }) => fieldsOf(record))
  const server = await bench.serve({ DUPLICATE_CHECKS: '0' })
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  for (const round of ['first', 'second'].slice(0, Number(values.scans))) {
    let resident = 0
    const cpu = () => [cpuSeconds(server.pid), postgresSeconds(bench.folder)] as const
    const before = cpu()
    const requests: number[] = []
    const startedAt = performance.now()
    const { data } = await ask('POST', '/duplicates/scans', { entity_type: 'contact' })
    for (let scan = data; ; ) {
      if (scan.status === 'succeeded' || scan.status === 'failed') {
        const seconds = (performance.now() - startedAt) / 1000
        const { records_read: read, pairs_compared: pairs, proposals_opened: opened } = scan.counts
        const [node, postgres] = cpu().map((now, index) => (now - before[index]!).toFixed(1))
        console.log(
          `${round} scan ${scan.status} in ${seconds.toFixed(1)} s: ${read.toLocaleString('en')} records, ${pairs.toLocaleString('en')} pairs, ${opened.toLocaleString('en')} proposals; CPU time ${node} s Node, ${postgres} s PostgreSQL; at most ${resident.toFixed(0)} MiB resident; GET /contacts meanwhile ${spread(requests)}, p99 ${quantileOf(requests, 0.99).toFixed(1)} ms`,
        )
        break
      }
      const sentAt = performance.now()
      await ask('GET', '/contacts?limit=25')
      requests.push(performance.now() - sentAt)
      resident = Math.max(resident, residentMiB(server.pid))
      await delay(50)
      scan = (await ask('GET', `/duplicates/scans/${data.scan_id}`)).data
    }
  }

  const context = {
    database: bench.database,
    log: createLog('error'),
    jobs: { enqueue: async () => {} },
  } as unknown as Context
  const checks: number[] = []
  for (const fields of more) {
    const read = contacts.input.safeParse(fields)
    if (!read.success) continue
    await org.transact((tx) => createRecord(tx, contacts, read.data))
    const takenAt = performance.now()
    await checkBatch(org, context)
    checks.push(performance.now() - takenAt)
  }
  if (checks.length > 0)
    console.log(`write-time check, one record at a time: ${spread(checks)} (${checks.length} records)`)

  const merges: number[] = []
  const undos: number[] = []
  for (let round = 0; round < Number(values.merges); round++) {
    const [survivor, loser] = await Promise.all(
      ['One', 'Two'].map(
        async (name) => (await ask('POST', '/companies', { name: `${name} ${round}` })).data,
      ),
    )
    const people = Array.from({ length: children }, (_, n) => ({
      first_name: `Child ${n}`,
      company_id: loser.company_id,
    }))
    await ask('POST', '/contacts/batch', { items: people })
    const ids = { survivor_id: survivor.company_id, loser_ids: [loser.company_id] }
    const mergedAt = performance.now()
    const { data } = await ask('POST', '/duplicates/merge', { entity_type: 'company', ...ids })
    merges.push(performance.now() - mergedAt)
    const undoneAt = performance.now()
    await ask('POST', `/duplicates/undo-merge/${data.merges[0].merge_id}`, {})
    undos.push(performance.now() - undoneAt)
  }
  if (merges.length > 0)
    console.log(`merge of a pair with ${children} children: ${spread(merges)}; undo: ${spread(undos)}`)
} finally {
  await bench.close()
}
