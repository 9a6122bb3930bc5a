import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { positionSince } from '../../src/events/position.ts'
import { dropOldMonths } from '../../src/events/retention/drop-old-months.ts'
import { closeMonth, readOldMonths } from '../../src/events/retention/months.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { system } from '../../src/platform/db/system.ts'
import { firstIdAt, timeOf } from '../../src/platform/db/uuid-time.ts'
import { createLog } from '../../src/platform/log.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { withClient } from '../support/direct-sql.ts'

const log = createLog('silent')
let app: TestApp
let org: TestOrg
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-events-'))
afterAll(() => rmSync(folder, { recursive: true }))

const days = (n: number) => Math.floor(Date.now() / 1000) + n * 86_400
const idAt = (seconds: number) => firstIdAt(seconds).slice(0, 14) + newId().slice(14)
const scope = () => system(app.app.context.database)
const retention = (to: string | null = folder) => dropOldMonths(scope(), log, { days: 100, folder: to })

const insertEvent = (seconds: number, orgId = org.orgId) =>
  runAsOwner(
    app.databaseUrl,
    `insert into event (org_id, event_id, type, object_id, mode, changed, created_at)
     values ($1, $2, 'contact.updated', $3, 'live', '{city}', to_timestamp($4))`,
    [orgId, idAt(seconds), newId(), seconds],
  )

const names = () =>
  runAsOwner<{ name: string }>(app.databaseUrl, 'select name from app.event_months()').then((rows) =>
    rows.map(({ name }) => name),
  )

beforeEach(async () => {
  app = await startTestApp({ role: 'api' })
  org = await app.newOrg()
  // As if the log had been divided 200 days ago: its first partition ended then, and the next one 150 days ago.
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('alter table event detach partition event_month.before_months')
    await client.query('alter table event_month.before_months rename to m2000_02')
    for (const [name, from, until] of [
      ['before_months', 'minvalue', `'${firstIdAt(days(-200))}'`],
      ['m2000_01', `'${firstIdAt(days(-200))}'`, `'${firstIdAt(days(-150))}'`],
    ] as const) {
      await client.query(`create table event_month.${name} (like event including all)`)
      await client.query(
        `alter table event attach partition event_month.${name} for values from (${from}) to (${until})`,
      )
    }
    const { rows } = await client.query(
      'select min(first_id::text) as until from app.event_months() where name > $1',
      ['m2001'],
    )
    await client.query(
      `alter table event attach partition event_month.m2000_02 for values from ('${firstIdAt(days(-150))}') to ('${rows[0].until}')`,
    )
    await client.query('commit')
  })
})
afterEach(async () => {
  await app.close()
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
})

test('old months are exported and then dropped, and the total of events follows', async () => {
  const other = await app.newOrg()
  for (const seconds of [days(-300), days(-160), days(-160), days(-140)]) await insertEvent(seconds)
  await insertEvent(days(-160), other.orgId)
  const before = (await org.get('/events')).body.pagination.total
  expect(await retention()).toEqual(['before_months', 'm2000_01'])
  expect(await names()).toEqual(expect.not.arrayContaining(['before_months', 'm2000_01']))
  expect(readdirSync(folder).toSorted()).toEqual(
    ['events-2000-01.jsonl.gz', 'events-before-months.jsonl.gz'].toSorted(),
  )
  const file = join(folder, 'events-2000-01.jsonl.gz')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const exported = lines.map((line) => JSON.parse(line))
  expect(exported.map(({ org_id }) => org_id).toSorted()).toEqual(
    [org.orgId, org.orgId, other.orgId].toSorted(),
  )
  expect(exported[0]).toMatchObject({ type: 'contact.updated', mode: 'live', changed: ['city'] })
  const { body } = await org.get('/events')
  expect(body.pagination.total).toBe(before - 3)
  expect(await retention()).toEqual([])
})

test('without a folder, old months are dropped without an export', async () => {
  await insertEvent(days(-300))
  expect(await retention(null)).toEqual(['before_months', 'm2000_01'])
  expect(readdirSync(folder)).toEqual([])
})

test('a month is not dropped while its export cannot be written', async () => {
  await insertEvent(days(-300))
  await expect(retention(join(folder, 'missing'))).rejects.toThrow('ENOENT')
  expect(await names()).toContain('before_months')
  expect(await retention()).toEqual(['before_months', 'm2000_01'])
})

test('an event that commits after its month was exported is exported too, and so is a month whose file was damaged', async () => {
  await insertEvent(days(-300))
  const [month] = await scope().read((tx) => readOldMonths(tx, firstIdAt(days(-100))))
  await scope().transact((tx) => closeMonth(tx, month!))
  const file = join(folder, 'events-before-months.jsonl.gz')
  // Another transaction keeps the table, so that the month is exported and cannot be dropped.
  await withClient(app, async (reader) => {
    await reader.query('begin')
    await reader.query('select from event limit 1')
    await expect(retention()).rejects.toThrow('lock timeout')
    const size = statSync(file).size
    writeFileSync(file, 'damaged')
    await expect(retention()).rejects.toThrow('lock timeout')
    expect(statSync(file).size).toBe(size)
    await reader.query('rollback')
  })
  expect(await names()).toContain('before_months')
  await insertEvent(days(-301))
  expect(await retention()).toEqual(['before_months', 'm2000_01'])
  const lines = gunzipSync(readFileSync(join(folder, 'events-before-months.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
  expect(lines).toHaveLength(2)
})

test('a cursor of the feed from a dropped month gets 400 that says what to do, and since begins at the first kept month', async () => {
  await insertEvent(days(-170))
  await insertEvent(days(-140))
  const { body } = await org.get(`/events/feed?since=${days(-180)}&limit=1`)
  expect(body.data.events).toHaveLength(1)
  const { cursor } = body.data
  expect(await retention()).toEqual(['before_months', 'm2000_01'])
  const refused = await org.get(`/events/feed?cursor=${cursor}`)
  expect([refused.status, refused.body.code]).toEqual([400, 'cursor_too_old'])
  const again = await org.get(`/events/feed?since=${days(-180)}&limit=1`)
  expect(again.body.data.events).toHaveLength(1)
  const next = await org.get(`/events/feed?cursor=${again.body.data.cursor}`)
  expect(next.status).toBe(200)
  const { last } = await app.app.context.database.org(org.orgId).read((tx) => positionSince(tx, 0))
  expect(Math.abs(timeOf(last) / 1000 - days(-150))).toBeLessThan(600)
})
