import type { RequestListener } from 'node:http'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, ConnectionError, CrosswalkError, InvalidError } from '../../sdk/src/main.ts'
import { Pace } from '../../sdk/src/pace.ts'
import { waitBefore } from '../../sdk/src/retry.ts'
import { pause } from '../../sdk/src/timeout.ts'
import { clientOfStub, closeStubs, json } from './stub.ts'

afterAll(closeStubs)
afterEach(() => void vi.useRealTimers())

const signal = () => new AbortController().signal

/** The time in virtual milliseconds until a request may be sent after an answer with `headers`. */
async function waitAfter(headers: Record<string, string>): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const pace = new Pace()
  const end = await pace.turn(false, signal())
  end(new Response(null, { headers }))
  const startedAt = performance.now()
  const next = pace.turn(false, signal()).then(() => performance.now() - startedAt)
  await vi.advanceTimersByTimeAsync(200_000)
  return Promise.race([next, Infinity])
}

describe('wrong headers of a server do not stop the client', () => {
  test.each([
    ['a limit below 0', { 'x-ratelimit-limit-second': '-1' }, 0],
    ['a limit of 0', { 'x-ratelimit-limit-second': '0' }, 0],
    ['a limit that is no number', { 'x-ratelimit-limit-second': 'many' }, 0],
    ['a reset in 4 months', { 'x-ratelimit-remaining': '0', ratelimit: '"a";r=0;t=9999999' }, 60_000],
  ])('%s delays the next request by at most a minute', async (_title, headers, mostMs) => {
    expect(await waitAfter(headers)).toBeLessThanOrEqual(mostMs)
  })

  test('a Retry-After of years delays a retry by at most an hour', () => {
    expect(waitBefore(0, { status: 429, code: null, retryAfter: 1e12 })).toBeLessThanOrEqual(3_600_250)
  })

  test('a wait longer than timers allow does not end at once', async () => {
    vi.useFakeTimers()
    let isOver = false
    void pause(2 ** 40, signal()).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isOver).toBe(false)
  })
})

const page = (next: unknown) => json(200, { data: [], pagination: { has_next: true, next_cursor: next } })

test.each([
  ['the same cursor', page('same')],
  ['a cursor that is no text', page(7)],
  ['no cursor, although there are more pages', page(undefined)],
])('a list whose pages have %s ends', async (_title, listener) => {
  let requests = 0
  const client = await clientOfStub((request, response) => {
    requests++
    listener(request, response)
  })
  const items = await Array.fromAsync(client.contacts.list()).catch((error) => error)
  if (items instanceof Error) expect(items).toBeInstanceOf(CrosswalkError)
  else expect(items).toEqual([])
  expect(requests).toBeLessThanOrEqual(2)
})

const endless =
  (type: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type })
    const piece = Buffer.alloc(1_000_000, ' ')
    const more = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
  }

test.each(['application/json', 'text/html'])(
  'an answer of %s that does not end is given up after 128 MiB, and not repeated',
  async (type) => {
    const sent: string[] = []
    const client = await clientOfStub(endless(type), { onRequest: ({ url }) => void sent.push(url) })
    const error = await client.contacts.list().catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error.message).toContain('longer than 128 MiB')
    expect(sent).toHaveLength(1)
  },
)

test('an error with strange details throws an ApiError', async () => {
  const detail = [
    { loc: ['body', '['.repeat(3)], msg: 'no', ctx: { nearest: { toString: 1 }, expected: { toString: 1 } } },
    { loc: [[['deep']], { toString: 1 }], msg: 'no' },
  ]
  const client = await clientOfStub(json(422, { detail, code: 'validation_failed' }))
  const error = await client.contacts.list().catch((e) => e)
  expect(error).toBeInstanceOf(InvalidError)
  expect(error).not.toBeInstanceOf(ConnectionError)
})

test('a server that answers at once without events is asked at most twice a second', async () => {
  const sent: string[] = []
  const client = await clientOfStub(json(200, { data: { events: [], cursor: 'c' } }), {
    pace: false,
    onRequest: ({ url }) => void sent.push(url),
  })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 1_200)
  await Array.fromAsync(client.events.follow({ cursor: 'c', signal: stop.signal }))
  expect(sent.length).toBeLessThanOrEqual(4)
})
