import { addressesMax } from './auth/anonymous-budget.ts'
import type { Handlers } from './platform/processes/channel.ts'
import {
  type AskSupervisor,
  handlersOf,
  type Remote,
  remoteCounter,
} from './platform/processes/remote-counter.ts'
import { FallbackStore } from './platform/rate-limit/fallback-store.ts'
import { MemoryStore } from './platform/rate-limit/memory-store.ts'
import type { RateLimitStore } from './platform/rate-limit/rate-limit.ts'
import type { RedisLink } from './platform/rate-limit/redis-link.ts'
import { FormBudgets } from './tracking/forms/public/form-budgets.ts'
import { Budgets } from './tracking/ingest/budgets.ts'

/** What clients may use up: each part counts the requests of all processes of this machine. */
export type Counters = {
  /** The requests of each organization, member and connected app. */
  orgs: RateLimitStore
  /** The requests of each client address without a valid key. */
  addresses: RateLimitStore
  /** The events of each write key, organization and client address. */
  ingest: Remote<Budgets>
  /** The submissions of each form and client address. */
  forms: Remote<FormBudgets>
}

const taken = ['take'] as const
const ofIngest = ['countRequest', 'countEventsOfUnknownKey', 'countEvents', 'spentByAll', 'giveBack'] as const
const ofForms = ['count', 'mayAskForCall', 'needsProof'] as const

const ownCounters = () => ({
  orgs: new MemoryStore(),
  addresses: new MemoryStore({ maxKeys: addressesMax }),
  ingest: new Budgets(),
  forms: new FormBudgets(),
})

/** The functions with which a supervisor counts for its processes. */
export function counterHandlers(): Handlers {
  const own = ownCounters()
  return {
    ...handlersOf('orgs', own.orgs, taken),
    ...handlersOf('addresses', own.addresses, taken),
    ...handlersOf('ingest', own.ingest, ofIngest),
    ...handlersOf('forms', own.forms, ofForms),
  }
}

/**
 * The counters of a process. With Redis, the first two also count the processes of other machines.
 * @param ask null: no supervisor started this process, so it counts alone
 */
export function countersOf(redis: RedisLink | null, ask: AskSupervisor | null): Counters {
  const own = ownCounters()
  const counters: Counters = ask
    ? {
        orgs: remoteCounter<RateLimitStore>(ask, 'orgs', own.orgs, taken),
        addresses: remoteCounter<RateLimitStore>(ask, 'addresses', own.addresses, taken),
        ingest: remoteCounter(ask, 'ingest', own.ingest, ofIngest),
        forms: remoteCounter(ask, 'forms', own.forms, ofForms),
      }
    : own
  return redis
    ? {
        ...counters,
        orgs: new FallbackStore(redis, 'org', own.orgs),
        addresses: new FallbackStore(redis, 'address', own.addresses),
      }
    : counters
}
