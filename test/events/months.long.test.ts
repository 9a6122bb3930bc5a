import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { makeMonths } from '../../src/events/keep-months.ts'
import { type LogPosition, readAfter } from '../../src/events/position.ts'
import { recordEvents } from '../../src/events/record.ts'
import { Database } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { firstIdAt } from '../../src/platform/db/uuid-time.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/setup/migrate.ts'
import { migrationsFolder } from '../../src/platform/setup/migration-files.ts'
import { startTestApp } from '../support/app.ts'
import { databaseNamed, runAsOwner, testKey } from '../support/database.ts'
import { metricOf } from '../support/metrics.ts'

const log = createLog('silent')
const old = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
for (const file of readdirSync(migrationsFolder))
  if (file < '0084') cpSync(join(migrationsFolder, file), join(old, file))
afterAll(() => rmSync(old, { recursive: true }))

/** A database with the schema before the months. */
async function oldDatabase() {
  const server = inject('databaseUrl')
  const name = `crosswalk_old_${newId().replaceAll('-', '')}`
  await runAsOwner(server, `create database ${name}`)
  const url = databaseNamed(server, name)
  const { roles } = await migrate(url, testKey, log, { folder: old })
  const database = new Database({ url, rootKey: testKey, roles, log })
  const close = async () => {
    await database.close()
    await runAsOwner(server, `drop database ${name} with (force)`)
  }
  return { url, database, close }
}

const partitions = (url: string) =>
  runAsOwner<{ name: string; bound: string; rows: number }>(
    url,
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound,
       (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from event_month.%I', c.relname), true, true, '')))[1]::text::int as rows
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'event'::regclass order by 1`,
  )

const everyType = { live: null, test: null }

test('the event log is divided into months while the old version writes and reads it, and no event is lost', async () => {
  const { url, database, close } = await oldDatabase()
  try {
    const [orgId, otherId] = [newId(), newId()]
    const [org, other] = [database.org(orgId), database.org(otherId)]
    await runAsOwner(url, `insert into org (org_id, name) values ($1, 'One'), ($2, 'Two')`, [orgId, otherId])
    const write = (objectId = newId()) =>
      org.transact((tx) => recordEvents(tx, [{ type: 'contact.created', objectId }]))
    const [now] = await org.read((tx) =>
      tx.rows(sql<{ after: string }>`select app.event_snapshot() as after`),
    )
    let position: LogPosition = { after: now!.after, within: null, until: null, last: newId() }
    for (let n = 0; n < 50; n++) await write()
    await other.transact((tx) => recordEvents(tx, [{ type: 'contact.created', objectId: newId() }]))
    let migrating = true
    let written = 50
    const writer = async () => {
      while (migrating) {
        await write()
        written += 1
      }
    }
    const writers = [writer(), writer(), writer()]
    await migrate(url, testKey, log)
    for (let n = 0; n < 20; n++) await write()
    migrating = false
    await Promise.all(writers)
    const read: string[] = []
    for (let more = true; more; ) {
      const page = await org.read((tx) => readAfter(tx, position, { limit: 200, wanted: everyType }))
      read.push(...page.events.map(({ eventId }) => eventId))
      ;({ more, position } = page)
    }
    expect([read.length, new Set(read).size]).toEqual([written + 20, written + 20])
    const [first, ...later] = await partitions(url)
    expect(first).toMatchObject({ name: 'before_months', rows: written + 21 })
    expect(later.map(({ rows }) => rows)).toEqual(later.map(() => 0))
    expect(later.length).toBeGreaterThanOrEqual(2)
    const [counted] = await org.read((tx) =>
      tx.rows(sql<{ total: number }>`
        select (select coalesce(sum(delta), 0) from record_delta where org_id = ${orgId} and entity = 'event')::int as total`),
    )
    expect(counted?.total).toBe(written + 20)
    await expect(
      org.read((tx) => tx.rows(sql`select from event_month.before_months limit 1`)),
    ).rejects.toThrow('permission denied')
    expect(await org.read((tx) => tx.rows(sql`select from event where org_id = ${otherId}`))).toEqual([])
  } finally {
    await close()
  }
})

test('an event with a wrong time does not stop the division of the log into months', async () => {
  const { url, database, close } = await oldDatabase()
  try {
    const at = Math.floor(Date.now() / 1000) + 400 * 86_400
    await runAsOwner(
      url,
      `insert into event (org_id, event_id, type, mode, created_at) values ($1, $2, 'contact.created', 'live', to_timestamp($3))`,
      [newId(), firstIdAt(at), at],
    )
    await migrate(url, testKey, log)
    expect((await partitions(url)).map(({ rows }) => rows)).toEqual([1])
    const org = database.org(newId())
    await org.transact((tx) => recordEvents(tx, [{ type: 'contact.created', objectId: newId() }]))
  } finally {
    await close()
  }
})

test('months are made 4 months ahead, and a month that is missing is made again', async () => {
  const app = await startTestApp()
  try {
    expect(await app.operate(makeMonths)).toBe(0)
    const made = await partitions(app.databaseUrl)
    const last = made.at(-1)!
    await runAsOwner(app.databaseUrl, `drop table event_month.${last.name}`)
    expect(await app.operate(makeMonths)).toBe(1)
    expect(await partitions(app.databaseUrl)).toEqual(made)
    const until = /TO \('([0-9a-f]{8})-([0-9a-f]{4})/.exec(last.bound)!
    const months = (Number.parseInt(until[1]! + until[2]!, 16) - Date.now()) / (30.4 * 86_400_000)
    expect(months).toBeGreaterThan(3.9)
    const [room] = Object.values(await metricOf(app, 'crosswalk_event_log_room_seconds'))
    expect(Number(room) / (30.4 * 86_400)).toBeCloseTo(months, 1)
    expect(made.slice(1).map(({ name }) => name)).toEqual(
      made.slice(1).map(() => expect.stringMatching(/^m\d{4}_\d\d$/)),
    )
  } finally {
    await app.close()
  }
})
