import { expect, test } from 'vitest'
import { MemoryStore } from '../rate-limit/memory-store.ts'
import type { RateLimitStore } from '../rate-limit/rate-limit.ts'
import { Channel, type Entry, type Handlers } from './channel.ts'
import { joinMetrics } from './join-metrics.ts'
import { handlersOf, remoteCounter } from './remote-counter.ts'

/** A channel to `handlers`, as JSON. `messages` has the number of entries of each sent message. */
function connect(handlers: Handlers) {
  const messages: number[] = []
  const pass = (to: () => Channel) => (entries: readonly Entry[]) => {
    messages.push(entries.length)
    const copy: Entry[] = JSON.parse(JSON.stringify(entries))
    setImmediate(() => to().receive(copy))
  }
  const near: Channel = new Channel(
    pass(() => far),
    {},
  )
  const far: Channel = new Channel(
    pass(() => near),
    handlers,
  )
  return { near, messages }
}

test('questions of one turn share a message, and so do their answers', async () => {
  const { near, messages } = connect({ double: (n: number) => n * 2, later: async (n: number) => n })
  const asked = [1, 2, 3].map((n) => near.ask(1_000, 'double', n))
  expect(await Promise.all(asked)).toEqual([2, 4, 6])
  expect(messages).toEqual([3, 3])
  expect(await near.ask(1_000, 'later', 4)).toBe(4)
})

test('a question fails if the other end fails, or does not answer within the time', async () => {
  const { near } = connect({
    fail: () => {
      throw new Error('no room')
    },
    hang: () => new Promise(() => {}),
  })
  await expect(near.ask(1_000, 'fail')).rejects.toThrow('no room')
  await expect(near.ask(1, 'hang')).rejects.toThrow('no answer within 1 ms')
})

test('counters of two processes accept together what one counter would, and count alone without an answer', async () => {
  const { near } = connect(handlersOf('orgs', new MemoryStore(), ['take']))
  let isAway = false
  const ask = (name: string, args: readonly unknown[]) =>
    isAway ? Promise.reject(new Error('away')) : near.ask(1_000, name, ...args)
  const [one, other] = [0, 1].map(() =>
    remoteCounter<RateLimitStore>(ask, 'orgs', new MemoryStore(), ['take']),
  )
  const take = async (store = one!) =>
    (await store.take('org', { perSecond: null, perMinute: 3 })) as { allowed: boolean }
  const together = [await take(one), await take(other), await take(one), await take(other)]
  expect(together.map(({ allowed }) => allowed)).toEqual([true, true, true, false])
  isAway = true
  expect((await take(one)).allowed).toBe(true)
})

test('joined metrics describe each metric once', () => {
  const text = (process: string) => `# HELP up It runs.\n# TYPE up gauge\nup{process="${process}"} 1\n`
  expect(joinMetrics([text('a'), '', text('b')])).toBe(
    '# HELP up It runs.\n# TYPE up gauge\nup{process="a"} 1\nup{process="b"} 1\n',
  )
})
