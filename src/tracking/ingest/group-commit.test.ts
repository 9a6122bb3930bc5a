import { describe, expect, test } from 'vitest'
import { CommitUnknown } from '../../platform/db/errors.ts'
import type { Slice } from '../store/slice.ts'
import type { WebEvent } from '../wire/event.ts'
import { type Delivery, GroupCommit } from './group-commit.ts'

const of = (orgId: string, events = 1, bytes = 100): Delivery => ({
  ...{
    owner: orgId,
    payerId: orgId,
    orgId,
    mode: 'live',
    keyId: 'k1',
    receivedAt: 0,
    bytes,
    dropped: new Map(),
  },
  events: new Array<WebEvent>(events).fill({} as WebEvent),
})

/** Each lot waits until `next` makes it commit or fail. */
function manual(options: Partial<ConstructorParameters<typeof GroupCommit>[0]> = {}) {
  const lots: (readonly Slice[])[] = []
  const ends: { resolve: () => void; reject: (error: unknown) => void }[] = []
  const append = (slices: readonly Slice[]) => {
    lots.push(slices)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    ends.push({ resolve, reject })
    return promise
  }
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return {
    commits: new GroupCommit({ append, servesOthers: () => false, ...options }),
    lots,
    turn,
    async next(error?: unknown) {
      const end = ends.shift()
      if (error === undefined) end?.resolve()
      else end?.reject(error)
      await turn()
    },
  }
}

const sizes = (lot: readonly Slice[] | undefined) => lot?.map(({ orgId, events }) => [orgId, events.length])

describe('lots', () => {
  test('requests that arrive during a commit share the next commit, and none is answered before its commit', async () => {
    const { commits, lots, next, turn } = manual()
    const done: string[] = []
    void commits.add(of('a')).then(() => done.push('first'))
    await turn()
    void commits.add(of('a', 2)).then(() => done.push('second'))
    void commits.add(of('b', 3)).then(() => done.push('third'))
    await turn()
    expect(lots.map(sizes)).toEqual([[['a', 1]]])
    expect(done).toEqual([])
    await next()
    expect(done).toEqual(['first'])
    expect(sizes(lots[1])).toEqual([
      ['a', 2],
      ['b', 3],
    ])
    await next()
    expect(done).toEqual(['first', 'second', 'third'])
    expect(commits.bytes).toBe(0)
  })

  test('organizations take turns: the backlog of one delays another by one lot', async () => {
    const { commits, lots, next, turn } = manual()
    for (let n = 0; n < 20; n++) void commits.add(of('big', 1_000))
    void commits.add(of('small'))
    await turn()
    expect(sizes(lots[0])).toEqual([
      ['big', 1_000],
      ['small', 1],
    ])
    await next()
    expect(sizes(lots[1])).toEqual([['big', 2_000]])
  })

  test('two lots commit at once if the second has enough events, and a small rest waits until a lot ends', async () => {
    const { commits, lots, next, turn } = manual()
    const stored = [commits.add(of('a'))]
    await turn()
    for (let n = 0; n < 5; n++) stored.push(commits.add(of('b', 100)))
    await turn()
    expect(lots.map(sizes)).toEqual([[['a', 1]], [['b', 500]]])
    stored.push(commits.add(of('c', 500)))
    await turn()
    expect(lots).toHaveLength(2)
    await next()
    expect(sizes(lots[2])).toEqual([['c', 500]])
    stored.push(commits.add(of('d')))
    await next()
    expect(lots).toHaveLength(3)
    await next()
    expect(sizes(lots[3])).toEqual([['d', 1]])
    await next()
    await Promise.all(stored)
    expect(commits.bytes).toBe(0)
  })

  test('a batch larger than a lot commits alone', async () => {
    const { commits, lots, next, turn } = manual()
    void commits.add(of('a', 2_500))
    void commits.add(of('b'))
    await turn()
    await next()
    expect(lots.map(sizes)).toEqual([[['a', 2_500]], [['b', 1]]])
  })
})

describe('while others send requests', () => {
  const servesOthers = (orgId: string) => orgId !== 'alone'

  test('an owner with many events has one lot at a time, and rests after it; other owners do not wait', async () => {
    const rested = Promise.withResolvers<void>()
    const { commits, lots, next, turn } = manual({ servesOthers, rest: () => rested.promise })
    const stored = [commits.add(of('a', 2_500)), commits.add(of('a', 2_500))]
    await turn()
    expect(lots.map(sizes)).toEqual([[['a', 2_500]]])
    stored.push(commits.add(of('b', 300)))
    await turn()
    expect(lots.map(sizes)).toEqual([[['a', 2_500]], [['b', 300]]])
    await next()
    await next()
    expect(lots).toHaveLength(2)
    stored.push(commits.add(of('c')))
    await turn()
    expect(sizes(lots[2])).toEqual([['c', 1]])
    await next()
    rested.resolve()
    await turn()
    expect(sizes(lots[3])).toEqual([['a', 2_500]])
    await next()
    await Promise.all(stored)
    expect(commits.bytes).toBe(0)
  })

  test('the visitors of an organization and its API keys rest together', async () => {
    const rested = Promise.withResolvers<void>()
    const { commits, lots, next, turn } = manual({ servesOthers, rest: () => rested.promise })
    const visitors = { ...of('a', 2_500), owner: 'visitors of a' }
    const stored = [commits.add(of('a', 2_500)), commits.add(visitors), commits.add(of('a', 300))]
    await turn()
    await next()
    expect(lots.map(sizes)).toEqual([[['a', 2_500]]])
    stored.push(commits.add(visitors), commits.add(of('b')))
    await turn()
    expect(sizes(lots[1])).toEqual([['b', 1]])
    await next()
    rested.resolve()
    for (let lot = 0; lot < 3; lot++) await turn().then(() => next())
    expect(lots.slice(2).map(sizes)).toEqual([[['a', 2_500]], [['a', 300]], [['a', 2_500]]])
    await Promise.all(stored)
    expect(commits.bytes).toBe(0)
  })

  test('the end of a rest can be awaited, before a next large request is read', async () => {
    const rested = Promise.withResolvers<void>()
    const { commits, next, turn } = manual({ servesOthers, rest: () => rested.promise })
    const stored = commits.add(of('a', 2_500))
    await turn()
    const seen: string[] = []
    void commits.untilRested('a').then(() => seen.push('a'))
    await commits.untilRested('b').then(() => seen.push('b'))
    await next()
    await stored
    expect(seen).toEqual(['b'])
    rested.resolve()
    await turn()
    expect(seen).toEqual(['b', 'a'])
  })

  test('small requests share a lot, and do not wait for the large requests of several owners', async () => {
    const { commits, lots, next, turn } = manual({ servesOthers })
    const stored = [commits.add(of('a', 2_500)), commits.add(of('b', 2_500))]
    for (let n = 0; n < 3; n++) stored.push(commits.add(of('small')))
    await turn()
    expect(lots.map(sizes)).toEqual([[['a', 2_500]], [['small', 3]]])
    await next()
    expect(sizes(lots[2])).toEqual([['b', 2_500]])
    stored.push(commits.add(of('small')), commits.add(of('c', 2_500)))
    await next()
    expect(lots.slice(3).map(sizes)).toEqual([[['small', 1]]])
    for (let lot = 0; lot < 3; lot++) await next()
    expect(lots.slice(4).map(sizes)).toEqual([[['c', 2_500]]])
    await Promise.all(stored)
  })

  test('an organization that is served alone has two lots at a time', async () => {
    const { commits, lots, next, turn } = manual({ servesOthers })
    const stored = [commits.add(of('alone', 2_500)), commits.add(of('alone', 2_500))]
    await turn()
    stored.push(commits.add(of('alone', 2_500)))
    await turn()
    expect(lots.map(sizes)).toEqual([[['alone', 2_500]], [['alone', 2_500]]])
    for (let lot = 0; lot < 3; lot++) await next()
    await Promise.all(stored)
  })
})

describe('failures', () => {
  test('if a lot fails, each slice is tried alone, and only the invalid slice fails', async () => {
    const { commits, next, turn } = manual()
    const [good, bad] = [commits.add(of('a')), commits.add(of('b'))]
    const failed = expect(bad).rejects.toThrow('bad value')
    await turn()
    await next(new Error('bad value'))
    await next()
    await next(new Error('bad value'))
    await Promise.all([expect(good).resolves.toBeUndefined(), failed])
    expect(commits.bytes).toBe(0)
  })

  test('after an unknown commit, every request of the lot is refused with a retry', async () => {
    const { commits, lots, next, turn } = manual()
    const both = [commits.add(of('a')), commits.add(of('b'))].map((each) =>
      expect(each).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 1 }),
    )
    await turn()
    await next(new CommitUnknown('broken'))
    await Promise.all(both)
    expect(lots).toHaveLength(1)
  })
})

describe('bounds', () => {
  const busy = { code: 'server_busy', retryAfterSeconds: 1 }

  test('the events in memory have a limit, and one organization uses at most half of the limit', async () => {
    const { commits, next, turn } = manual({ bytesMax: 1_000 })
    const first = commits.add(of('a', 1, 400))
    await turn()
    await expect(commits.add(of('a', 1, 200))).rejects.toMatchObject(busy)
    const second = commits.add(of('b', 1, 300))
    await expect(commits.add(of('c', 1, 200))).rejects.toMatchObject(busy)
    await next()
    const third = commits.add(of('a', 1, 200))
    await next()
    await next()
    await Promise.all([first, second, third])
    expect(commits.bytes).toBe(0)
  })

  test('the events of some owners leave room for the events of others', async () => {
    const { commits, next, turn } = manual({ bytesMax: 1_000 })
    const stored = [commits.add(of('a', 1, 500))]
    await turn()
    const big = Array.from({ length: 5 }, () => commits.add(of('b', 1, 100)).catch((error) => error))
    stored.push(commits.add(of('c', 1, 50)), commits.add(of('d', 1, 50)))
    await next()
    await next()
    await Promise.all(stored)
    expect((await Promise.all(big)).map((error) => error?.code)).toEqual([
      undefined,
      undefined,
      ...Array(3).fill('server_busy'),
    ])
  })

  test('a request is refused while an older request of its organization waits too long; other organizations are not affected', async () => {
    const { commits, next, turn } = manual({ waitMsMax: -1 })
    const first = commits.add(of('a'))
    await turn()
    const second = commits.add(of('a'))
    await expect(commits.add(of('a'))).rejects.toMatchObject(busy)
    const other = commits.add(of('b'))
    await next()
    await next()
    await Promise.all([first, second, other])
  })
})
