import { trust } from '../wire/event.ts'
import { isLinkable } from './linkable.ts'

/** A statement of who a visitor is. Times are Unix milliseconds. */
export type IdentityFact = {
  /** Two facts with the same day and message are one. */
  day: string
  messageKey: string
  /** `accept`: a person of the organization accepted a claim. */
  kind: 'identify' | 'alias' | 'accept'
  occurredAt: number
  userKey: string | null
  /** Normalized; null: none. */
  email: string | null
  trust: number
  /** A person of the organization undid the link. */
  isUndone: boolean
  /** Too many visitors claimed the same person at this time. */
  isSuspended: boolean
}

/** A time in which one person used the visitor's browser. Times are Unix milliseconds. */
export type Interval = {
  /** The message of the fact that began the interval. */
  linkId: string
  userKey: string | null
  email: string | null
  /** The highest trust of its facts. */
  trust: number
  /** The messages of its facts, in order. */
  messageKeys: string[]
  isAccepted: boolean
  from: number
  /** When the first of its facts was stated. */
  saidAt: number
  /** null: until now. */
  until: number | null
}

const joinedBackMs = 30 * 86_400_000

/**
 * Returns who used a visitor's browser, and when. The order of the facts makes no difference, and repeated facts count
 * once. A fact about another person begins a new interval. Events up to 30 days before the first fact belong to the
 * first person. An alias that only the browser sent counts if the visitor was never identified before.
 */
export function resolve(facts: readonly IdentityFact[]): Interval[] {
  const intervals: Interval[] = []
  for (const fact of facts.toSorted(inOrder)) {
    const { userKey, email, occurredAt, trust: given } = fact
    const last = intervals.at(-1)
    if (fact.isUndone || fact.isSuspended || !isLinkable(userKey ?? email)) continue
    if (fact.kind === 'alias' && given < trust.verified && last) continue
    if (last && isSame(last, fact)) {
      last.trust = Math.max(last.trust, given)
      last.isAccepted ||= fact.kind === 'accept'
      last.userKey ??= userKey
      last.email ??= email
      last.messageKeys.push(fact.messageKey)
      continue
    }
    if (last) last.until = occurredAt
    intervals.push({
      ...{ linkId: fact.messageKey, userKey, email, trust: given, isAccepted: fact.kind === 'accept' },
      ...{ messageKeys: [fact.messageKey], saidAt: occurredAt },
      ...{ from: last ? occurredAt : occurredAt - joinedBackMs, until: null },
    })
  }
  return intervals.filter(({ from, until }) => until === null || until > from)
}

/** A fact without a user key continues the interval of a user with this address. */
const isSame = (last: Interval, { userKey, email }: IdentityFact) =>
  userKey === null || last.userKey === null
    ? last.email !== null && last.email === email
    : last.userKey === userKey

/** An accepted claim has the time of the claim, and comes after it. */
const inOrder = (one: IdentityFact, other: IdentityFact) =>
  one.occurredAt - other.occurredAt ||
  Number(one.kind === 'accept') - Number(other.kind === 'accept') ||
  compare(one.messageKey, other.messageKey) ||
  compare(one.day, other.day)

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
