import { afterAll, expect, test } from 'vitest'
import { ApiError, type FollowedEvent, type FollowOptions } from '../../sdk/src/main.ts'
import { sharedTestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { cleanUp, startServer } from '../support/processes.ts'
import { clientOf, clientOfStub, closeStubs, json } from './stub.ts'

const app = await sharedTestApp()
afterAll(async () => {
  closeStubs()
  await cleanUp()
  await app.close()
})

async function take(events: AsyncIterator<FollowedEvent>, count: number): Promise<FollowedEvent[]> {
  const taken: FollowedEvent[] = []
  while (taken.length < count) taken.push((await events.next()).value as FollowedEvent)
  return taken
}

const typesOf = (events: FollowedEvent[]) => events.map(({ type }) => type)

test('follow continues after its server was killed, and ends without an error when it is aborted', async () => {
  const org = await app.newOrg()
  const serve = async (port = '0') => {
    const server = startServer({
      ...{ ROLE: 'api', PORT: port, DATABASE_URL: app.databaseUrl, LOG_LEVEL: 'error' },
      ...{ ENCRYPTION_KEY: testKey.toString('base64') },
    })
    const [address = ''] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
    return { server, address }
  }
  const first = await serve()
  const began = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const client = clientOf(
    { address: first.address, token: org.token },
    { onResponse: () => began.resolve(), onRetry: () => failed.resolve() },
  )
  const abort = new AbortController()
  const events = client.events.follow({ types: 'contact.*', include: 'object', signal: abort.signal })
  const next = events.next()
  await began.promise
  await org.post('/contacts', { first_name: 'Ada' })
  const created = (await next).value as FollowedEvent
  expect(created).toMatchObject({
    type: 'contact.created',
    actor: { kind: 'api_key', id: org.apiKeyId },
    data: { object: { first_name: 'Ada' } },
  })

  const waiting = events.next()
  first.server.kill('SIGKILL')
  await first.server.ended
  await failed.promise
  const { body } = await org.post('/contacts', { first_name: 'Grace' })
  await org.patch(`/contacts/${body.data.contact_id}`, { city: 'Arlington' })
  await serve(new URL(first.address).port)
  const after = [(await waiting).value as FollowedEvent, ...(await take(events, 1))]
  expect(typesOf(after)).toEqual(['contact.created', 'contact.updated'])

  const last = events.next()
  abort.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('a loop that begins at the cursor of an event misses no later event', async () => {
  const org = await app.newOrg()
  const client = clientOf(org)
  const { cursor } = await client.events.feed()
  for (const first_name of ['Ada', 'Grace', 'Mary']) await org.post('/contacts', { first_name })
  const followed = (options: FollowOptions) => client.events.follow({ types: 'contact.*', ...options })
  const all = await take(followed({ cursor }), 3)
  const ids = all.map(({ event_id }) => event_id)
  expect(new Set(ids).size).toBe(3)
  // With the cursor of an event inside a page, the loop repeats the events of that page.
  expect((await take(followed({ cursor: all[0]!.cursor }), 3)).map(({ event_id }) => event_id)).toEqual(ids)
  const rest = followed({ cursor: all[2]!.cursor })
  await org.post('/contacts', { first_name: 'Joan' })
  const [joan] = await take(rest, 1)
  expect(ids).not.toContain(joan!.event_id)
  const pages = await take(followed({ cursor, limit: 2 }), 4)
  expect((await take(followed({ cursor: pages[1]!.cursor }), 2)).map(({ event_id }) => event_id)).toEqual([
    ...[ids[2], joan!.event_id],
  ])
})

test('follow repeats refused requests more often than a call does, and throws a failure that lasts', async () => {
  let requests = 0
  const client = await clientOfStub(
    (request, response) => {
      requests++
      const answer =
        requests <= 20 ? json(503, { detail: 'no' }, { 'retry-after': 0 }) : json(401, { detail: 'no' })
      answer(request, response)
    },
    { maxRetries: 1, pace: false },
  )
  const failure = await client.events
    .follow({ cursor: 'x' })
    .next()
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiError)
  expect([(failure as ApiError).status, requests]).toEqual([401, 21])
  await expect(client.events.follow({ cursor: 'x', page: 1 } as never).next()).rejects.toThrow()
})
