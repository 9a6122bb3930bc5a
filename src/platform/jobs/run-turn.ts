import type { Context } from '../context.ts'
import type { JobDeclaration } from './identity.ts'
import type { JobRun } from './job.ts'

/** The duration of a turn in milliseconds. After that, no new step starts. */
export const turnMs = 1_000

/**
 * Runs steps of a job of an organization for a second. If steps are left, enqueues the job again: it would keep its
 * slot until its end otherwise, while jobs of other organizations wait.
 * @param step returns true if nothing is left. It commits its progress, because the next turn continues from there
 * @param next returns the payload of the next turn, with the place at which it continues
 * @throws the reason of the signal; an error of a step
 */
export async function runTurn<Payload extends object>(
  identity: JobDeclaration<Payload>,
  { payload, context, signal }: Pick<JobRun<Payload>, 'payload' | 'context' | 'signal'>,
  step: () => Promise<boolean>,
  next: () => Payload = () => payload,
): Promise<void> {
  const until = performance.now() + turnMs
  do {
    signal.throwIfAborted()
    if (await step()) return
  } while (performance.now() < until)
  await enqueueTurn(identity, next(), context)
}

/** Enqueues the next turn of a job of an organization. */
export async function enqueueTurn<Payload extends object>(
  identity: JobDeclaration<Payload>,
  payload: Payload,
  { database, jobs }: Context,
): Promise<void> {
  const orgId = identity.orgId(payload)
  if (orgId === null) throw new Error(`The job ${identity.name} has no org`)
  await database.org(orgId).transact((tx) => jobs.enqueue(tx, identity, payload))
}
