import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { runAsOwner } from '../support/database.ts'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { type Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'
import { rounds } from './clients.ts'

afterAll(cleanUp)

const answerWithinMs = 60_000
const clientsAtOnce = 12

type Event = { messageId: string; visitor: number; timestamp: string }

test('after SIGKILL of a server during erasures, no erased event is stored again, although clients repeat all their events', {
  timeout: 180_000 + rounds * 20_000,
}, async () => {
  const env = { DATA_DIR: newDataDir(), DEMO: '0', LOG_LEVEL: 'error', PORT: String(await freePort()) }
  const address = `http://127.0.0.1:${env.PORT}`
  let server: Child = startServer(env)
  await server.says(/is ready/)
  const created = await command('orgs create Acme --json', env)
  const { org_id: orgId, api_key_token: token } = JSON.parse(created.stdout)
  const { database_url: url } = JSON.parse((await command('database-url --json', env)).stdout)
  const unexpected: string[] = []
  const sent: Event[] = []
  /** The keys of events that were stored before an acknowledged erasure of their visitor began. */
  const erased = new Set<string>()
  let [erasures, stopping] = [0, false]

  /** Repeats a request until it is answered. Returns the status. */
  async function post(path: string, body: object): Promise<number> {
    const until = performance.now() + answerWithinMs
    while (performance.now() < until) {
      const status = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerWithinMs),
      }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
        () => null,
      )
      if (status !== null && status !== 503 && status !== 429) return status
      await delay(25)
    }
    unexpected.push(`no answer to ${path}`)
    return 0
  }

  async function send(events: Event[]): Promise<void> {
    const batch = events.map(({ visitor, ...event }) => ({
      ...event,
      type: 'page',
      anonymousId: `a${visitor}`,
    }))
    const status = await post('/v1/batch', { batch, sentAt: new Date() })
    if (status !== 200) unexpected.push(`events got ${status}`)
  }

  async function work(client: number): Promise<void> {
    while (!stopping) {
      const timestamp = new Date().toISOString()
      const fresh = Array.from({ length: 3 }, () => ({ messageId: randomUUID(), visitor: client, timestamp }))
      sent.push(...fresh)
      const again = Array.from({ length: 3 }, () => sent[Math.floor(Math.random() * sent.length)] as Event)
      await send([...fresh, ...again])
      if (Math.random() < 0.2) await erase(client)
    }
  }

  async function erase(visitor: number): Promise<void> {
    const visitorId = visitorIdOf(orgId, `a${visitor}`)
    const before = await runAsOwner<{ key: string }>(
      url,
      'select message_key::text as key from web_event where org_id = $1 and visitor_id = $2',
      [orgId, visitorId],
    )
    const status = await post(`/api/v1/visitors/${visitorId}/erase`, {})
    // 404: the first request took effect but its answer was lost, or an earlier erasure removed everything.
    if (status !== 200 && status !== 404) unexpected.push(`an erasure got ${status}`)
    for (const { key } of before) erased.add(key)
    erasures++
  }

  const working = Promise.all(Array.from({ length: clientsAtOnce }, (_, client) => work(client)))
  for (let round = 0; round < rounds; round++) {
    const before = { erasures, events: erased.size }
    const isEnough = () => erasures > before.erasures + 20 && erased.size > before.events + 100
    await expect.poll(isEnough, { ...patience, interval: 5 }).toBe(true)
    await delay(Math.random() * 50)
    server.kill('SIGKILL')
    await server.ended
    server = startServer(env)
    await server.says(/is ready/)
  }
  stopping = true
  await working
  for (const visitor of Array.from({ length: clientsAtOnce }).keys())
    await send(sent.filter((event) => event.visitor === visitor).slice(-500))
  const count = async (table: string) => {
    const [row] = await runAsOwner<{ n: number }>(
      url,
      `select count(*)::int as n from ${table} where org_id = $1`,
      [orgId],
    )
    return row!.n
  }
  await expect.poll(() => count('web_event_erasure'), patience).toBe(0)
  const left = await runAsOwner<{ key: string }>(
    url,
    'select message_key::text as key from web_event where org_id = $1 and message_key = any($2::uuid[])',
    [orgId, [...erased]],
  )
  console.log(
    `${sent.length} events, ${erased.size} of them erased in ${erasures} erasures, ${rounds} rounds`,
  )
  expect({ left, unexpected }).toEqual({ left: [], unexpected: [] })
  expect(erased.size).toBeGreaterThan(100)
  server.kill('SIGTERM')
  await server.ended
})
