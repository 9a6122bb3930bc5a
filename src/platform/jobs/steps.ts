import { FairLimiter } from '../db/fair-limiter.ts'
import { expectsOthers, servesOthers } from '../recent-requests.ts'
import { rest } from './rest.ts'

/** A step whose turn does not come within this time fails. Only a fault makes it wait so long. */
const waitMs = 600_000

const steps = new FairLimiter({
  ...{ max: Number.POSITIVE_INFINITY, maxBesideOthers: 1, waitMs },
  servesOthers: expectsOthers,
})

/**
 * Runs a step of a background job, which may keep a core of PostgreSQL busy. While the process also serves other
 * organizations, and for a minute after that, the steps of all jobs of a payer run one after another: jobs of several
 * kinds would use all cores otherwise. While others send requests, the job then rests, and another job of its payer may
 * run a step meanwhile.
 * @param payerId the org that pays for the job (`payer.ts`)
 * @throws the reason of the signal, before the step; an error of the step
 */
export async function runStep<Result>(
  payerId: string,
  step: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let ms = 0
  const result = await steps.run(payerId, async () => {
    signal?.throwIfAborted()
    const startedAt = performance.now()
    const done = await step()
    ms = performance.now() - startedAt
    return done
  })
  if (servesOthers(payerId)) await rest(ms, signal)
  return result
}
