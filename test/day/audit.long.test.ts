import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { importActs } from './actions/imports.ts'
import { audit } from './audit/audit.ts'
import type { Audited, AuditResult } from './audit/audited.ts'
import { drain } from './audit/jobs.ts'
import { auditProcesses } from './audit/processes.ts'
import { Ledger } from './ledger.ts'
import { newActor } from './orgs.ts'
import { Requests } from './requests.ts'
import { quietDay } from './traffic.ts'

// Tests the auditor of `npm run test:day`: first with a day without faults, then with faults in the database, which
// it must find.

// The limit for an audit on a busy machine.
const patienceMs = 240_000

let app: TestApp
let requests: Requests
let audited: Audited
let owner: Client
beforeAll(async () => {
  app = await startTestApp({ checksDuplicates: true })
  owner = new Client({ connectionString: app.databaseUrl })
  await owner.connect()
  requests = new Requests([app.address], new Ledger())
  for (let org = 0; org < 2; org++) requests.join(await newActor(app.app.context.database))
  audited = {
    ...{ ledger: requests.ledger, requests, actors: requests.actors },
    rows: async (text, values = []) => (await owner.query(text, values)).rows,
  }
  // Repeat until the random actions have created all rows that the faults need. Often an imported contact is missing.
  for (let missing = ['everything']; missing.length > 0; missing = await missingRows()) {
    await quietDay(requests, missing.join() === 'imported' ? [importActs] : undefined)
    await drain(audited, patienceMs)
  }
}, patienceMs)
afterAll(async () => {
  requests.close()
  await owner.end()
  await app.close()
})

const wanted = () => {
  const [orgId, otherId] = requests.actors.map((actor) => actor.orgId)
  const plain = (kind: string, org = orgId) =>
    `select ${kind}_id as id from ${kind} where org_id = '${org}' and status = 'active' and source is not null`
  return {
    persona: `select persona_id as id from persona where org_id = '${orgId}'`,
    reason: `select close_reason_id as id from close_reason where label like '%${requests.actors[0]!.marker}'`,
    company: plain('company'),
    stranger: plain('contact', otherId),
    event: `select event_id as id from event where org_id = '${orgId}' and type = 'persona.created'`,
    imported: `select contact_id as id from contact where import_id is not null and status = 'active'`,
    visit: `select visitor_id as id from web_event where visitor_id is not null`,
    merged: `select loser_id as id from merge where status = 'applied'`,
  }
}
/** The names of the rows that are missing. */
async function missingRows(): Promise<string[]> {
  const missing = createdDeal() === undefined ? ['deal'] : []
  for (const [name, text] of Object.entries(wanted()))
    if ((await first(text)) === undefined) missing.push(name)
  return missing
}
const createdDeal = () => requests.ledger.creations.find(({ kind, id }) => kind === 'deal' && id !== null)?.id
const first = async (text: string) => (await audited.rows<{ id: string }>(`${text} limit 1`))[0]?.id

const failed = (verdicts: readonly AuditResult[]) =>
  Object.fromEntries(
    verdicts
      .filter(({ findings }) => findings.length > 0)
      .map(({ name, findings }) => [name, findings.join('\n')]),
  )

test('the audit passes a day of requests without faults, and finds every fault that is added to its records', {
  timeout: patienceMs,
}, async () => {
  const verdicts = await audit(audited, 60_000)
  expect(failed(verdicts)).toEqual({})
  for (const { name, checked } of verdicts) expect(checked, name).toBeGreaterThan(0)

  const [one, other] = requests.actors
  const { rows } = audited
  const targets = wanted()
  const target = async (name: keyof typeof targets) => (await first(targets[name]))!
  const answer = (field: string) =>
    [...requests.ledger.writes.keys()].map((name) => name.split(' ')).find((name) => name[2] === field)![1]!

  const overwritten = answer('industry')
  await rows(`update company set industry = 'as it was before' where company_id = '${overwritten}'`)
  const lost = await target('persona')
  await rows(`delete from persona where persona_id = '${lost}'`)
  const twice = await target('reason')
  await rows(`insert into close_reason (org_id, close_reason_id, label, outcome, position)
    select org_id, app.uuid_v7(), label, outcome, 99 from close_reason where close_reason_id = '${twice}'`)
  const strange = await target('company')
  await rows(`update company set city = 'of ${other!.marker}' where company_id = '${strange}'`)
  const silent = createdDeal()!
  await rows(`delete from event where object_id = '${silent}' and type = 'deal.created'`)
  const [event, stranger] = [await target('event'), await target('stranger')]
  await rows(`update event set object_id = '${stranger}' where event_id = '${event}'`)
  await rows(`update contact set last_name = 'gone' where contact_id = '${await target('imported')}'`)
  const merged = await target('merged')
  await rows(
    `update merge set status = 'dismissed', seq = null where loser_id = '${merged}' and status = 'applied'`,
  )
  await rows(`insert into record_delta (org_id, entity, delta) values ('${one!.orgId}', 'company', 1)`)
  await rows(`insert into pgboss.job_common (name, state, start_after, data)
    values ('crm_push', 'retry', now() + interval '1 day', '{}')`)

  const found = failed(await audit(audited, 0))
  await rows(`delete from pgboss.job_common where start_after > now() + interval '1 hour'`)
  expect(found).toMatchObject({
    'fields have the last written values': expect.stringContaining(overwritten),
    'lists show the last written values': expect.stringContaining(overwritten),
    'every acknowledged creation exists': expect.stringContaining(lost),
    'no creation took effect twice': expect.stringContaining(twice),
    'the positions of close reasons are 1 to n': expect.stringContaining(one!.orgId),
    'no row contains data of another org': expect.stringContaining(`holds ${other!.marker}`),
    'answers match the API document and contain data of one org': expect.stringContaining(
      `shows ${other!.marker}`,
    ),
    'each change has exactly one event': expect.stringContaining(`0 events deal.created of ${silent}`),
    'each row of an import made one record': expect.stringContaining('40 rows made 39'),
    'every merged record has exactly one applied merge, and other records have none':
      expect.stringContaining(merged),
    'stored totals equal the counted rows': expect.stringContaining(one!.orgId),
    'lists are complete, and their totals are exact': expect.stringContaining(
      `list_companies of ${one!.marker}`,
    ),
    'all background work has ended': expect.stringContaining('crm_push retry'),
  })
  expect(found['no row contains data of another org']).toContain('a row of event of')
})

test('the audit reports errors of processes, except errors during an outage of the database or Redis', () => {
  const at = Date.now()
  const minute = (n: number) => at + n * 60_000
  const outages = [{ what: 'SIGTERM api-1', from: minute(1), until: minute(1) + 5_000 }]
  const line = { process: 'worker', level: 'error', text: '{"level":"error"}' }
  const addressOf = () => 'http://one'
  const day = { addressOf, outages, lines: [{ ...line, at: minute(1) }], stopped: [] }
  const refused = {
    endpoint: 'get_call',
    address: 'http://one',
    what: 'away',
    sentAt: minute(1),
    at: minute(1) + 2_000,
  }
  const memory = Array.from({ length: 100 }, (_, n) => ({
    at: at + n * 2_000,
    name: 'api-1',
    pid: 1,
    mib: 200 + (n % 7),
  }))
  const connections = memory.map((each) => ({ at: each.at, total: 40, idleInTransaction: 0 }))
  expect(failed(auditProcesses(day, { refused: [refused], broken: [] }, { memory, connections }))).toEqual({})

  const late = { ...refused, at: minute(3), sentAt: minute(3) }
  const cut = { ...refused, sentAt: minute(1) - 500, at: minute(1) + 10 }
  const wrong = {
    ...day,
    lines: [
      { ...line, at: minute(3) },
      { ...line, level: 'plain', text: 'Uncaught Error', at },
    ],
    stopped: [{ name: 'api-1' as const, code: 1, inFlight: 3, ms: 100, load: 1 }],
  }
  const growing = memory.map((each, n) => ({ ...each, mib: 200 + n }))
  const rising = connections.map((each, n) => ({ ...each, total: n, idleInTransaction: n === 50 ? 1 : 0 }))
  const tries = { refused: [late], broken: [late, cut] }
  expect(failed(auditProcesses(wrong, tries, { memory: growing, connections: rising }))).toEqual({
    '503 only while something is away': expect.stringContaining('get_call'),
    'connections break only during outages': expect.stringContaining('get_call'),
    'the logs have errors only during outages': expect.stringContaining('worker'),
    'the logs have no unhandled errors': expect.stringContaining('Uncaught'),
    'a process answers all requests before SIGTERM ends it': expect.stringMatching(
      /api-1 ended with 1[\s\S]*get_call was cut off/,
    ),
    'memory does not grow': expect.stringContaining('30.0 MiB a minute'),
    'the number of connections does not grow': expect.stringMatching(
      /idle in transaction[\s\S]*connections rose/,
    ),
  })
})
