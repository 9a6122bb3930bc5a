import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { RawConnection } from '../../../test/support/raw-http.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { BodyMemory, type BodyMemoryOptions, type Release } from './body-memory.ts'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'
import { createServer } from './server.ts'

const full = expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 2 })

describe('memory for bodies', () => {
  /** `take` asks for memory, `inside` lists the owners that got memory, in order, and `leave` frees memory. */
  function open(options: BodyMemoryOptions) {
    const room = new BodyMemory(options)
    const inside: string[] = []
    const leave: Release[] = []
    const take = (owner: string, bytes: number) =>
      room.take(owner, bytes).then((release) => {
        inside.push(`${owner} ${bytes}`)
        leave.push(release)
      })
    return { take, inside, leave }
  }

  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('waiting bodies get memory in order of arrival if their owner then has at most as much as stays free', async () => {
    const { take, inside, leave } = open({ bytes: 100 })
    for (const [owner, bytes] of [
      ['a', 30],
      ['a', 30],
      ['b', 50],
      ['c', 30],
      ['d', 10],
    ] as const)
      take(owner, bytes)
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a 30', 'c 30', 'd 10'])
    leave[0]!()
    leave[0]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside.slice(3)).toEqual(['a 30'])
    for (const release of leave.slice(1)) release()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside.slice(4)).toEqual(['b 50'])
  })

  test('all bodies together never exceed the limit of memory, even with a new owner that always gets some', async () => {
    const asked = fc.record({
      owner: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.integer({ min: 1, max: 1_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { maxLength: 30 }), async (requests) => {
        const { take, inside } = open({ bytes: 1_000 })
        for (const { owner, bytes } of requests) take(owner, bytes).catch(() => {})
        // Three owners leave one eighth of the memory free. A fourth owner gets half of that eighth.
        take('new', 1_000 / 16)
        await vi.advanceTimersByTimeAsync(0)
        const taken = inside.map((each) => Math.min(500, Number(each.split(' ')[1])))
        expect(taken.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(1_000)
        expect(inside.at(-1)).toBe(`new ${1_000 / 16}`)
      }),
    )
  })

  test('an owner whose queue of bodies is full is refused, while other owners still get memory', async () => {
    const { take, inside, leave } = open({ bytes: 100, waitingEach: 1 })
    await take('a', 50)
    take('a', 10)
    await expect(take('a', 10)).rejects.toEqual(full)
    take('b', 30)
    await expect(take('b', 10)).resolves.toBeUndefined()
    leave[0]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a 50', 'b 10', 'a 10', 'b 30'])
  })

  test('small bodies overtake a waiting large body for at most 2 s', async () => {
    const { take, inside, leave } = open({ bytes: 100, waitMs: 20_000 })
    take('a', 30)
    take('a', 40)
    for (let seconds = 0; seconds < 10; seconds++) {
      await vi.advanceTimersByTimeAsync(1_000)
      // The owner's next small body enters before its earlier small body leaves.
      take('a', 5)
      await vi.advanceTimersByTimeAsync(0)
      leave.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(inside.slice(0, 4)).toEqual(['a 30', 'a 5', 'a 40', 'a 5'])
  })

  test('while a large body of one owner waits, small bodies of owners that use less memory get memory first', async () => {
    const { take, inside } = open({ bytes: 100, waitMs: 20_000 })
    take('a', 30)
    take('a', 40)
    await vi.advanceTimersByTimeAsync(10_000)
    for (const owner of ['b', 'b', 'c']) take(owner, 5)
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a 30', 'b 5', 'b 5', 'c 5'])
  })

  test('memory for bodies is refused after a long wait, and at once if too many bodies wait', async () => {
    const { take, inside, leave } = open({ bytes: 100, waiting: 1, waitMs: 1_000 })
    await take('a', 500)
    const late = take('a', 1)
    await expect(take('a', 1)).rejects.toEqual(full)
    const refused = expect(late).rejects.toEqual(full)
    await vi.advanceTimersByTimeAsync(1_000)
    await refused
    leave[0]!()
    await take('a', 50)
    // No timer delays bodies that have room. Other code in this process may have timers.
    await vi.advanceTimersByTimeAsync(2_000)
    expect(inside).toEqual(['a 500', 'a 50'])
  })
})

describe('a server under load', () => {
  const megabyte = 1024 * 1024
  const start = `POST /hold HTTP/1.1\r\nHost: here\r\nX-Owner: a\r\nContent-Type: application/json\r\nContent-Length: ${4 * megabyte}\r\n\r\n{"say": "`
  let server: FastifyInstance
  let address: string
  /** Answers the oldest running request. */
  let answers: (() => void)[]
  const soon = { timeout: 20_000 }
  const reached = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count), soon)
  let room: BodyMemory
  let failed: Error[]
  let logged: string[]

  const hold = endpoint({
    method: 'POST',
    path: '/hold',
    name: 'hold',
    sdk: 'things.hold',
    summary: 'Hold a body until told',
    tag: 'Test',
    permission: null,
    body: z.object({ say: text() }),
    bodyLimit: 4 * megabyte,
    shape: 'bare',
    response: z.object({ length: z.int() }),
    async handle({ body }) {
      await new Promise<void>((resolve) => answers.push(resolve))
      return { length: body.say.length }
    },
  })

  beforeEach(async () => {
    answers = []
    failed = []
    logged = []
    room = new BodyMemory({ bytes: 13 * megabyte, waiting: 1, waitMs: 60_000 })
    server = createServer({
      endpoints: [hold],
      context: {
        log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
        config: { trustProxy: true },
        database: { org: () => null },
      } as unknown as Context,
      gate: ({ headers }) => ({ payerId: headers['x-owner'] }) as Caller,
      requirePermission: () => {},
      requireRights: async () => {},
      answerKeyed: async () => expect.fail('No request has an Idempotency-Key'),
      publicRoutes: () => {},
      bodyMemory: room,
      onAnswer: () => {},
    })
    server.addHook('onError', async (_request, _reply, error) => {
      failed.push(error)
    })
    address = await server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    for (const answer of answers) answer()
    await server.close()
  })

  const post = (megabytes: number, owner = 'a', chunked = false, client = '10.0.0.9') => {
    const body = JSON.stringify({ say: 'x'.repeat(megabytes * megabyte) })
    return fetch(`${address}/hold`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-owner': owner, 'x-forwarded-for': client },
      body: chunked ? new Blob([body]).stream() : body,
      duplex: 'half',
    } as never)
  }

  test.each([false, true])(
    'a server under load makes large bodies wait for memory, and never small ones (chunked: %j)',
    async (chunked) => {
      const first = post(3.5, 'a', chunked)
      await reached(1)
      const second = post(3.5, 'a', chunked)
      // Only one large body may wait, so one of the last two requests is refused.
      const third = post(3.5, 'a', chunked)
      const refused = await Promise.race([second, third])
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await refused.json()).toEqual({
        detail: expect.stringContaining('send it again'),
        code: 'server_busy',
      })
      const small = post(0.01)
      const other = post(3.5, 'b', chunked)
      await reached(3)
      for (const answer of answers.splice(0)) answer()
      await reached(1)
      for (const answer of answers) answer()
      const statuses = (await Promise.all([first, second, third, small, other])).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 503])
    },
  )

  test('a server under load keeps bodies of strangers in a room of their own, which client addresses share', async () => {
    const taken = vi.spyOn(BodyMemory.prototype, 'take')
    const sent = ['10.0.0.1', '10.0.0.2'].map((address) => post(0.5, '', false, address))
    await reached(2)
    expect(taken.mock.calls.map(([owner]) => owner).toSorted()).toEqual(['10.0.0.1', '10.0.0.2'])
    expect(taken.mock.contexts).not.toContain(room)
    for (const answer of answers) answer()
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200)
    taken.mockRestore()
  })

  test('a server under load frees the memory of a client that disconnects, and its place in the queue', async () => {
    const asked = vi.spyOn(room, 'take')
    const connections = [1, 2].map(() =>
      new RawConnection(address).send(`${start}${'x'.repeat(1.5 * megabyte)}`),
    )
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2), soon)
    expect((await post(3.5)).status).toBe(503)
    for (const { socket } of connections) socket.destroy()
    // Wait for the refused request and the two disconnected ones. Otherwise, the next request would be refused too.
    await vi.waitFor(() => expect(failed).toHaveLength(3), soon)
    const next = post(3.5)
    await reached(1)
    answers[0]!()
    expect((await next).status).toBe(200)
  })

  test('a server under load removes a disconnected client from the queue, and answers it once', async () => {
    const first = post(3.5)
    await reached(1)
    const asked = vi.spyOn(room, 'take')
    const gone = new RawConnection(address).send(`${start}${'x'.repeat(20_000)}`)
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1), soon)
    gone.socket.destroy()
    await vi.waitFor(() => expect(failed).toHaveLength(1), soon)
    const next = post(3.5)
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2), soon)
    answers.shift()!()
    await reached(1)
    answers[0]!()
    expect([(await first).status, (await next).status]).toEqual([200, 200])
    expect(failed).toEqual([expect.objectContaining({ kind: 'invalid' })])
    expect(logged).toEqual([])
  })
})
