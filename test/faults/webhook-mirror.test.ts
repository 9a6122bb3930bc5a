import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'
import { type Behavior, type Received, startReceiver } from '../support/webhooks/receiver.ts'
import { rounds } from './clients.ts'
import { startWorker } from './new-worker.ts'

const [kills, writers] = [rounds > 1 ? 10 : 4, 4]

const app = await startTestApp({ role: 'api' })
const receiver = await startReceiver()
afterAll(async () => {
  await cleanUp()
  receiver.close()
  await app.close()
})

const startMirrorWorker = () => startWorker(app, { OUTBOUND_ALLOW_PRIVATE: '1', LOG_LEVEL: 'error' })

/** A copy of the contacts. The greater version wins, and erased contacts stay erased. */
class Mirror {
  readonly contacts = new Map<string, Record<string, unknown> & { version: number }>()
  readonly #erased = new Set<string>()

  apply({ type, data }: Received): void {
    const { object_id: contactId, object } = data
    if (type === 'contact.erased') {
      this.#erased.add(contactId)
      this.contacts.delete(contactId)
    } else if (object && !this.#erased.has(contactId)) {
      const known = this.contacts.get(contactId)
      if (!known || object.version >= known.version) this.contacts.set(contactId, object)
    }
  }
}

const mirror = new Mirror()
let calm = false
/** The events since the last `clear`. `repeated` counts requests with an event that was received before. */
const accepted = new Set<string>()
let repeats = 0
/** How many events a kill may repeat, according to docs/reference/webhooks.md. */
const repeatsMax = 50

/** Applies most events, and answers like a bad network: with errors, lost answers, delays and repetitions. */
function receive(body: Received): Behavior {
  const luck = calm ? 1 : Math.random()
  if (luck < 0.06) return 500
  if (luck < 0.09) return (response) => response.destroy()
  mirror.apply(body)
  if (accepted.has(body.event_id)) repeats++
  // The receiver applies the event, but Crosswalk does not learn it.
  if (luck < 0.12) return (response) => response.destroy()
  if (luck < 0.14) return 503
  accepted.add(body.event_id)
  if (luck < 0.3)
    return (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 60)
  return 200
}

/** Creates, changes and erases contacts until `isOver` returns true. */
async function write(org: TestOrg, isOver: () => boolean): Promise<void> {
  const ids: string[] = []
  while (!isOver()) {
    const luck = Math.random()
    const contactId = ids[Math.floor(Math.random() * ids.length)]
    if (luck < 0.5 || contactId === undefined) {
      const { body } = await org.post('/contacts', { external_ids: { mirror: randomUUID() } })
      ids.push(body.data.contact_id)
    } else if (luck < 0.95) await org.patch(`/contacts/${contactId}`, { city: `City ${Math.random()}` })
    else {
      await org.post(`/contacts/${contactId}/erase`)
      ids.splice(ids.indexOf(contactId), 1)
    }
    await delay(10)
  }
}

async function readAll(org: TestOrg): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await org.get(`/contacts?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const contact of body.data) found.set(contact.contact_id, contact)
    cursor = body.pagination.next_cursor
  }
  return found
}

test('a mirror that keeps the greater version equals the API after errors, lost answers and killed workers', async () => {
  const org = await app.newOrg()
  const { endpointId, secret } = await addEndpoint(app.app, org.orgId, {
    url: receiver.url,
    types: ['contact.*'],
  })
  receiver.secrets.push(secret)
  receiver.behave(receive)
  const database = app.app.context.database.org(org.orgId)
  // Makes retries and probes due now.
  const retryNow = () =>
    database.transact(async (tx) => {
      await tx.run(sql`update webhook_retry set next_at = now() where next_at > now()`)
      await tx.run(sql`update webhook_endpoint set next_probe_at = now() where next_probe_at > now()`)
    })
  let isOver = false
  const writing = Promise.all(Array.from({ length: writers }, () => write(org, () => isOver)))
  const hurrying = (async () => {
    while (!calm || !isOver) {
      await retryNow()
      await delay(100)
    }
  })()
  let worker = await startMirrorWorker()
  const repeatsOfKills: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const before = receiver.requests.length
    const heir = startMirrorWorker()
    await expect
      .poll(() => receiver.requests.length - before, patience)
      .toBeGreaterThan(20 + Math.random() * 30)
    if (calm) repeatsOfKills.push(repeats)
    // In the second half, the receiver causes no failures, so that only the kills repeat events.
    calm = kill >= kills / 2
    accepted.clear()
    repeats = 0
    worker.kill('SIGKILL')
    await worker.ended
    worker = await heir
    await expireHeartbeats(app.databaseUrl)
  }
  isOver = true
  await writing
  const stored = await readAll(org)
  calm = true
  await hurrying
  await retryNow()
  await expect
    .poll(
      async () => {
        const [left] = await database.readRows(sql<{ count: number }>`
        select count(*)::integer as count from webhook_retry where endpoint_id = ${endpointId}`)
        return left?.count === 0 && mirror.contacts.size
      },
      { ...patience, interval: 100 },
    )
    .toBe(stored.size)
  await expect
    .poll(() => [...mirror.contacts.values()].sort(byId), { ...patience, interval: 200 })
    .toEqual([...stored.values()].sort(byId))
  repeatsOfKills.push(repeats)
  expect(repeatsOfKills).toHaveLength(kills / 2)
  expect(Math.max(...repeatsOfKills)).toBeLessThanOrEqual(repeatsMax)
  expect(receiver.badSignatures).toBe(0)
  const sent = Map.groupBy(receiver.requests, ({ body }) => body.event_id)
  console.log({
    contacts: stored.size,
    events: sent.size,
    requests: receiver.requests.length,
    repeatsOfKills,
  })
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
}, 180_000)

const byId = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
