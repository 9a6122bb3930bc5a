import type { JobDeclaration } from './identity.ts'
import type { JobRun } from './job.ts'

/** The duration of a turn in milliseconds. After that, no new step starts. */
const turnMs = 1_000

/**
 * Runs steps of a job of an organization for a second. If steps are left, enqueues the job again: it would keep its
 * slot until its end otherwise, while jobs of other organizations wait.
 * @param step returns true if nothing is left. It commits its progress, because the next turn continues from there
 * @throws the reason of the signal; an error of a step
 */
export async function runTurn<Payload extends object>(
  identity: JobDeclaration<Payload>,
  { payload, context, signal }: Pick<JobRun<Payload>, 'payload' | 'context' | 'signal'>,
  step: () => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + turnMs
  do {
    signal.throwIfAborted()
    if (await step()) return
  } while (performance.now() < until)
  const orgId = identity.orgId(payload)
  if (orgId === null) throw new Error(`The job ${identity.name} has no org`)
  await context.database.org(orgId).transact((tx) => context.jobs.enqueue(tx, identity, payload))
}
