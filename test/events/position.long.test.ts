import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { renewEventEra } from '../../src/events/era.ts'
import {
  type LogEvent,
  type LogPosition,
  positionOfNow,
  positionSince,
  readAfter,
  type WantedTypes,
} from '../../src/events/position.ts'
import { type Change, recordEvents } from '../../src/events/record.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import type { Org } from '../../src/platform/db/org.ts'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

// These events have data that no other code writes. Other files check the data of all events in their database.
const app = await startTestApp()
afterAll(() => app.close())

const newLog = async (): Promise<Org> => app.app.context.database.org((await app.newOrg()).orgId)
const now = (log: Org) => log.read(positionOfNow)
const write = (log: Org, changes: readonly Change[]) => log.transact((tx) => recordEvents(tx, changes))
const updateOf = (objectId: string, version: number): Change => ({
  type: 'contact.updated',
  objectId,
  data: { version },
})

const everyType: WantedTypes = { live: null, test: null }
const updates: WantedTypes = { live: ['contact.updated'], test: [] }

/** Reads to the end of the log in pages of `limit` events. */
async function readAll(log: Org, from: LogPosition, limit = 3, wanted: WantedTypes = everyType) {
  const events: LogEvent[] = []
  let position = from
  for (;;) {
    const page = await log.read((tx) => readAfter(tx, position, { limit, wanted }))
    events.push(...page.events)
    position = page.position
    if (!page.more) return { events, position }
  }
}

describe('a reader of the event log', () => {
  test('a reader of the log gets each event once while writers are slow, roll back, and commit out of order', async () => {
    const log = await newLog()
    let position = await now(log)
    const [objects, written] = [Array.from({ length: 5 }, newId), new Set<string>()]
    let writing = true
    const random = (n: number) => Math.floor(Math.random() * n)
    const writer = async () => {
      for (let turn = 0; turn < 40; turn++) {
        const versions: string[] = []
        const rolledBack = new Error('rolled back')
        const changes = Array.from({ length: 1 + random(4) }, () => updateOf(newId(), random(1e9)))
        await log
          .transact(async (tx) => {
            await recordEvents(tx, changes)
            await delay(random(6))
            const more = updateOf(objects[random(5)]!, random(1e9))
            await recordEvents(tx, [more])
            versions.push(...[...changes, more].map(({ data }) => String(data?.version)))
            if (random(5) === 0) throw rolledBack
          })
          .then(
            () => {
              for (const version of versions) written.add(version)
            },
            (error) => expect(error).toBe(rolledBack),
          )
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, writer)).finally(() => {
      writing = false
    })
    const read: string[] = []
    for (let last = false; !last; ) {
      last = !writing
      const result = await readAll(log, position, 1 + random(40))
      position = result.position
      read.push(...result.events.map(({ data }) => String(data?.version)))
    }
    await writers
    expect(read.length).toBe(new Set(read).size)
    expect(read.toSorted()).toEqual([...written].toSorted())
  })

  test('a reader of the log gets the events of one object in the order of their commits', async () => {
    const log = await newLog()
    let position = await now(log)
    const objectId = newId()
    let version = 0
    let writing = true
    const writer = async () => {
      for (let turn = 0; turn < 50; turn++)
        await log.transact(async (tx) => {
          await recordEvents(tx, [{ type: 'contact.created', objectId: newId() }])
          await tx.rows({ text: "select pg_advisory_xact_lock(hashtext('one object'))", values: [] })
          version += 1
          await recordEvents(tx, [updateOf(objectId, version)])
        })
    }
    const writers = Promise.all([writer(), writer(), writer(), writer()]).finally(() => {
      writing = false
    })
    const versions: unknown[] = []
    for (let last = false; !last; ) {
      last = !writing
      const result = await readAll(log, position, 7)
      position = result.position
      const ofObject = result.events.filter((event) => event.objectId === objectId)
      versions.push(...ofObject.map(({ data }) => data?.version))
    }
    await writers
    expect(versions).toEqual(Array.from({ length: 200 }, (_, at) => at + 1))
  })

  test('a reader of the log gets the types that it wants, of live and of test API keys', async () => {
    const { orgId } = await app.newOrg()
    const [live, tests] = [
      app.app.context.database.org(orgId),
      app.app.context.database.org(orgId, { mode: 'test' }),
    ]
    const from = await now(live)
    const change = (type: Change['type']): Change => ({ type, objectId: newId() })
    await write(live, [change('contact.created'), change('deal.created')])
    await write(tests, [change('contact.created'), change('call.failed')])
    const types = async (wanted: WantedTypes) =>
      (await readAll(live, from, 1, wanted)).events.map(({ type, mode }) => `${mode} ${type}`)
    expect(await types({ live: ['contact.created'], test: [] })).toEqual(['live contact.created'])
    expect(await types({ live: [], test: null })).toEqual(['test contact.created', 'test call.failed'])
    expect(await types({ live: ['deal.closed'], test: ['deal.closed'] })).toEqual([])
    expect(await types({ live: null, test: null })).toHaveLength(4)
  })

  test('a reader of the log never sees events of another organization', async () => {
    const [log, other] = [await newLog(), await newLog()]
    const from = await now(log)
    await write(other, [updateOf(newId(), 1)])
    expect((await readAll(log, from)).events).toEqual([])
  })

  test('a reader of the log can begin with the events since a time', async () => {
    const log = await newLog()
    const before = Math.floor(Date.now() / 1000)
    await write(log, [updateOf(newId(), 1), updateOf(newId(), 2)])
    const since = (seconds: number) => log.read((tx) => positionSince(tx, seconds))
    const { events, position } = await readAll(log, await since(before), 1, updates)
    expect(events.map(({ data }) => data?.version)).toEqual([1, 2])
    expect((await readAll(log, await since(before + 3600), 3, updates)).events).toEqual([])
    await write(log, [updateOf(newId(), 3)])
    expect((await readAll(log, position, 3, updates)).events.map(({ data }) => data?.version)).toEqual([3])
  })
})

describe('after a restore', () => {
  test('after a restore, a position continues after its last event, and no event is missed or repeated', async () => {
    const log = await newLog()
    const from = await now(log)
    await write(log, [updateOf(newId(), 1), updateOf(newId(), 2)])
    const { position } = await readAll(log, from)
    await write(log, [updateOf(newId(), 3)])
    await withClient(app, async (owner) => {
      expect(await renewEventEra(owner)).toBe(false)
      await owner.query('update app.event_era set system_identifier = 1')
      expect(await renewEventEra(owner)).toBe(true)
    })
    await write(log, [updateOf(newId(), 4)])
    const after = await readAll(log, position, 3, updates)
    expect(after.events.map(({ data }) => data?.version)).toEqual([3, 4])
    await write(log, [updateOf(newId(), 5)])
    const { events } = await readAll(log, after.position, 3, updates)
    expect(events.map(({ data }) => data?.version)).toEqual([5])
  })

  test('a position that is later than the restored database continues 10 minutes before its last event', async () => {
    const log = await newLog()
    const from = await now(log)
    await write(log, [updateOf(newId(), 1)])
    const { position } = await readAll(log, from)
    const later = { ...position, after: '900000000:900000000:' }
    expect((await readAll(log, later, 3, updates)).events.map(({ data }) => data?.version)).toEqual([1])
  })
})
