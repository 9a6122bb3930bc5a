import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { listEvents } from '../../src/events/events.ts'
import { type LogPosition, positionOfNow, positionSince, readAfter } from '../../src/events/position.ts'
import { recordEvents } from '../../src/events/record.ts'
import { exportMonth } from '../../src/events/retention/export-month.ts'
import { closeMonth, dropMonth, readOldMonths, storeExport } from '../../src/events/retention/months.ts'
import { Database } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { system } from '../../src/platform/db/system.ts'
import { firstIdAt } from '../../src/platform/db/uuid-time.ts'
import { onlyKey } from '../../src/platform/encryption-keys.ts'
import { Cursors } from '../../src/platform/http/cursor.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/setup/migrate.ts'
import { migrationsFolder } from '../../src/platform/setup/migration-files.ts'
import { readDueEndpoints } from '../../src/webhooks/delivery/due.ts'
import { connected, openBench, rootKey } from '../support/installation.ts'

// Compares the event log before and after its partitions: the feed, the history of a record, the audit list, and the
// poll of webhooks. Usage: node bench/events/months.ts [--rows 2000000] [--runs 300] [--folder /tmp/bench]

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    runs: { type: 'string', default: '300' },
    folder: { type: 'string' },
  },
})
const [rows, runs] = [Number(values.rows), Number(values.runs)]
const log = createLog('error')
/** The log has this many months, the current one included. */
const months = 13
/** Half of the events are of this organization; the others are of 1,000 clients of an agency. */
const [orgId, agencyId] = ['00000000-0000-7000-8000-0000000000aa', '00000000-0000-7000-8000-0000000000bb']
const clients = 1_000
const endpoints = 20

type Side = { name: string; url: string; database: Database }

const bench = await openBench(values.folder)

async function makeSide(name: string, folder: string): Promise<Side> {
  const url = new URL(bench.url)
  const exists = await connected(bench.url, async (client) => {
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length === 0) await client.query(`create database ${name}`)
    return rows.length > 0
  })
  url.pathname = `/${name}`
  const { roles } = await migrate(url.href, rootKey, log, { folder })
  // The current code reads this table, which the old schema lacks.
  await connected(url.href, (client) =>
    client.query(`create table if not exists app.event_log as select '00000000-0000-0000-0000-000000000000'::uuid as kept_from;
      grant select on app.event_log to crosswalk_app, crosswalk_system`),
  )
  if (!exists) {
    const began = performance.now()
    await connected(url.href, fill)
    console.log(`${name}: ${rows} events written in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  return { name, url: url.href, database: new Database({ url: url.href, rootKey, roles, log }) }
}

/** Replaces the first partition, which is empty, with those of past months. */
async function makePastMonths(client: Client) {
  const {
    rows: [first],
  } = await client.query(
    `select substring(pg_get_expr(relpartbound, oid) from 'TO \\(''(.{36})') as until from pg_class where oid = to_regclass('event_month.before_months')`,
  )
  if (!first) return
  await client.query('drop table event_month.before_months')
  await client.query(`do $$ declare m timestamp := date_trunc('month', now() at time zone 'UTC') - interval '${months - 1} months'; begin
    execute format('create table event_month.before_months (like event including all)');
    execute format('alter table event attach partition event_month.before_months for values from (minvalue) to (%L)', app.first_id_at(m at time zone 'UTC'));
    while app.first_id_at(m at time zone 'UTC') < '${first.until}'::uuid loop
      execute format('create table event_month.%I (like event including all)', to_char(m, '"m"YYYY_MM'));
      execute format('alter table event attach partition event_month.%I for values from (%L) to (%L)', to_char(m, '"m"YYYY_MM'),
        app.first_id_at(m at time zone 'UTC'), app.first_id_at((m + interval '1 month') at time zone 'UTC'));
      m := m + interval '1 month';
    end loop; end $$`)
}

async function fill(client: Client) {
  await makePastMonths(client)
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  await client.query(`insert into org (org_id, name) values ('${orgId}', 'One'), ('${agencyId}', 'Agency')`)
  await client.query(
    `insert into org (org_id, name) select md5('client ' || n)::uuid, 'Client' from generate_series(1, ${clients}) as n`,
  )
  const span = `interval '${(months - 1) * 30.4} days'`
  const at = `(now() - ${span} + n * (${span} / ${rows}))`
  await client.query(`
    insert into event (org_id, event_id, type, object_id, api_key_id, mode, changed, created_at, xact)
    select case when n % 2 = 0 then '${orgId}' else md5('client ' || n % ${clients})::uuid end,
      (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid,
      case n % 50 when 0 then 'contact.updated' when 1 then 'deal.created' else 'contact.created' end,
      md5('record ' || n % ${Math.ceil(rows / 20)})::uuid, '${orgId}', 'live', null, ${at}, (3 + n * 600::bigint / ${rows})::text::xid8
    from generate_series(1, ${rows}) as n`)
  await client.query(`insert into record_total select org_id, 'event', count(*) from event group by 1`)
  await client.query(`insert into webhook_endpoint (org_id, endpoint_id, url, mode, include_clients, payload, description, types, max_in_flight, headers, created_at, updated_at)
    select '${agencyId}', md5('endpoint ' || n)::uuid, 'http://127.0.0.1:9/', 'live', true, 'thin', '', '{*}', 4, '{}', now(), now() from generate_series(1, ${endpoints}) as n`)
  await client.query(`insert into webhook_position (org_id, endpoint_id, source_org_id, position)
    select '${agencyId}', md5('endpoint ' || e)::uuid, md5('client ' || n)::uuid,
      json_build_object('after', app.event_snapshot(), 'within', null, 'until', null, 'last', '${newId()}')
    from generate_series(1, ${endpoints}) as e, generate_series(0, ${clients - 1}) as n`)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}

function summary(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2)
  return `p50 ${at(0.5)} p95 ${at(0.95)} ms`
}

async function timed(n: number, work: (at: number) => Promise<unknown>): Promise<string> {
  for (let warm = 0; warm < 10; warm++) await work(warm)
  const times: number[] = []
  for (let at = 0; at < n; at++) {
    const began = performance.now()
    await work(at)
    times.push(performance.now() - began)
  }
  return summary(times)
}

const cursors = new Cursors(onlyKey(rootKey))
const all = { live: null, test: null }

async function measure({ name, database }: Side) {
  const org = database.org(orgId)
  const recent = await org.read((tx) => positionSince(tx, Math.floor(Date.now() / 1000) - 10 * 86_400))
  const show = async (what: string, n: number, work: (at: number) => Promise<unknown>) =>
    console.log(`${name.padEnd(8)} ${what.padEnd(42)} ${await timed(n, work)}`)
  await show('feed: a page of 100 of the last 10 days', runs, () =>
    org.read((tx) => readAfter(tx, recent, { limit: 100, wanted: all })),
  )
  let position: LogPosition = await org.read(positionOfNow)
  await show('feed: a new event', runs, async () => {
    await org.transact((tx) => recordEvents(tx, [{ type: 'contact.created', objectId: newId() }]))
    const page = await org.read((tx) => readAfter(tx, position, { limit: 100, wanted: all }))
    if (page.events.length !== 1) throw new Error(`${page.events.length} events`)
    position = page.position
  })
  await show('an event is written', runs, () =>
    org.transact((tx) => recordEvents(tx, [{ type: 'contact.created', objectId: newId() }])),
  )
  const list = (query: object) => listEvents(org, orgId, cursors, { limit: 50, ...query } as never)
  await show('audit list: first page', runs, () => list({}))
  const objects = await connected(bench.url, async (client) =>
    (
      await client.query(`select md5('record ' || n * 2)::uuid as id from generate_series(1, ${runs}) as n`)
    ).rows.map(({ id }) => id as string),
  )
  await show('audit list: first page of a type', 20, () => list({ type: 'contact.updated' }))
  await show('history of a record (20 events)', runs, (at) =>
    list({ object_id: objects[at % objects.length] }),
  )
  await show('poll of 20,000 positions', 15, () =>
    system(database).read((tx) => readDueEndpoints(tx, { clientsOf: agencyId })),
  )
  await show('poll of own endpoints', runs, () => system(database).read((tx) => readDueEndpoints(tx, 'own')))
}

/** Exports and drops the oldest months, and shows how long each transaction of the drop took. */
async function measureDrop({ database }: Side) {
  const folder = mkdtempSync(join(tmpdir(), 'crosswalk-events-'))
  const scope = system(database)
  const old = await scope.read((tx) =>
    readOldMonths(tx, firstIdAt(Math.floor(Date.now() / 1000) - 300 * 86_400)),
  )
  for (const month of old) {
    await scope.transact((tx) => closeMonth(tx, month))
    const began = performance.now()
    const done = await exportMonth(scope, month, { folder, late: 0, stopping: () => false })
    await scope.transact((tx) => storeExport(tx, month, done))
    const exported = performance.now()
    await scope.transact((tx) => dropMonth(tx, month))
    const seconds = (ms: number) => (ms / 1000).toFixed(2)
    console.log(
      `months   ${month.name}: ${done.rows} events exported in ${seconds(exported - began)} s, dropped in ${seconds(performance.now() - exported)} s`,
    )
  }
  rmSync(folder, { recursive: true })
}

const old = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
for (const file of readdirSync(migrationsFolder))
  if (file < '0084') cpSync(join(migrationsFolder, file), join(old, file))
try {
  for (const side of [await makeSide('whole', old), await makeSide('months', migrationsFolder)]) {
    await measure(side)
    if (side.name === 'months') await measureDrop(side)
    await side.database.close()
  }
} finally {
  rmSync(old, { recursive: true })
  await bench.close()
}
