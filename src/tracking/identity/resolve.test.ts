import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IdentityFact, type Interval, resolve } from './resolve.ts'

const day = 86_400_000
const start = 100 * day

const fact = (messageKey: string, occurredAt: number, more: Partial<IdentityFact> = {}): IdentityFact => ({
  ...{ day: '2026-11-26', messageKey, kind: 'identify', occurredAt, userKey: 'u1', email: null },
  ...{ trust: 1, isUndone: false, isSuspended: false },
  ...more,
})

const shown = (intervals: Interval[]) =>
  intervals.map(({ userKey, email, trust, from, until }) => [userKey ?? email, trust, from, until])

test('events up to 30 days before the first identify call belong to its person', () => {
  expect(shown(resolve([fact('a', start)]))).toEqual([['u1', 1, start - 30 * day, null]])
})

test('a second user of a computer begins a second interval, and the first one may come back', () => {
  const facts = [fact('a', start), fact('b', start + 5, { userKey: 'u2', trust: 2 }), fact('c', start + 9)]
  expect(shown(resolve(facts))).toEqual([
    ['u1', 1, start - 30 * day, start + 5],
    ['u2', 2, start + 5, start + 9],
    ['u1', 1, start + 9, null],
  ])
})

test('an undone or suspended fact counts as if nobody had said it', () => {
  const facts = (more: object) => [
    fact('a', start),
    fact('b', start + 5, { userKey: 'u2', ...more }),
    fact('c', start + 9),
  ]
  for (const more of [
    { isUndone: true },
    { isSuspended: true },
    { userKey: 'test' },
    { userKey: 'x'.repeat(201) },
  ])
    expect(shown(resolve(facts(more)))).toEqual([['u1', 1, start - 30 * day, null]])
})

test('an alias that only the browser sent counts for a visitor who was never identified', () => {
  const alias = fact('b', start + 5, { kind: 'alias', userKey: 'u2' })
  expect(shown(resolve([alias]))).toEqual([['u2', 1, start + 5 - 30 * day, null]])
  expect(shown(resolve([fact('a', start), alias]))).toHaveLength(1)
  expect(shown(resolve([fact('a', start), { ...alias, trust: 3 }]))).toHaveLength(2)
})

test('an accepted claim keeps its id and its time', () => {
  const accepted = fact('0', start, { kind: 'accept', trust: 2 })
  expect(resolve([accepted, fact('a', start)])).toMatchObject([
    { linkId: 'a', isAccepted: true, trust: 2, saidAt: start, messageKeys: ['a', '0'] },
  ])
})

test('an identify call with only an address continues the interval of the user with that address', () => {
  const facts = [
    fact('a', start, { email: 'ada@engine.example' }),
    fact('b', start + 1, { userKey: null, email: 'ada@engine.example' }),
    fact('c', start + 2, { userKey: null, email: 'eve@engine.example' }),
  ]
  expect(shown(resolve(facts)).map(([person]) => person)).toEqual(['u1', 'eve@engine.example'])
})

/** For each moment, asks all facts who used the browser, without intervals. */
function naiveUserAt(facts: readonly IdentityFact[], at: number): string | null {
  const known = new Map(facts.map((each) => [`${each.day} ${each.messageKey}`, each]))
  const counted = [...known.values()].filter(({ isUndone, isSuspended }) => !isUndone && !isSuspended)
  const inTime = counted.sort((a, b) => a.occurredAt - b.occurredAt || (a.messageKey < b.messageKey ? -1 : 1))
  const [first] = inTime
  if (!first || at < first.occurredAt - 30 * day) return null
  let user = first.userKey
  for (const each of inTime) {
    if (each.occurredAt > at) break
    if (each.kind === 'alias' && each.trust < 2 && each !== first) continue
    user = each.userKey
  }
  return user
}

const facts = fc.uniqueArray(
  fc.record({
    messageKey: fc.stringMatching(/^[0-9a-f]{8}$/),
    occurredAt: fc.integer({ min: 0, max: 20 }).map((hours) => start + hours * 3_600_000),
    kind: fc.constantFrom('identify' as const, 'identify' as const, 'alias' as const),
    userKey: fc.constantFrom('u1', 'u2', 'u3'),
    trust: fc.constantFrom(1, 1, 2, 3),
    isUndone: fc.boolean(),
  }),
  { selector: ({ messageKey }) => messageKey, maxLength: 12 },
)

test('facts in any order, also repeated ones, give the users of a naive model at every moment', () => {
  fc.assert(
    fc.property(facts, fc.infiniteStream(fc.nat()), (drawn, dice) => {
      const given = drawn.map(({ messageKey, occurredAt, ...more }) => fact(messageKey, occurredAt, more))
      const doubled = [...given, ...given.filter((_, index) => index % 2 === 0)]
      const keyed = doubled.map((each) => ({ each, at: dice.next().value as number }))
      const shuffled = keyed.sort((a, b) => a.at - b.at).map(({ each }) => each)
      const intervals = resolve(shuffled)
      expect(shown(intervals)).toEqual(shown(resolve(given)))
      for (let hours = -31 * 24; hours <= 24; hours += hours < -1 ? 12 : 0.5) {
        const at = start + hours * 3_600_000
        const found = intervals.find(({ from, until }) => from <= at && (until === null || at < until))
        expect(found?.userKey ?? null).toBe(naiveUserAt(given, at))
      }
    }),
    { numRuns: 300 },
  )
})
