import type { Context } from '../../../src/platform/context.ts'
import type { Job, JobRun } from '../../../src/platform/jobs/job.ts'

const outside = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer

const orgOf =
  ({ database }: Context): JobRun<unknown>['org'] =>
  (orgId, by) =>
    database.org(orgId, by)

type Work<Payload> = Pick<JobRun<Payload>, 'payload' | 'context' | 'signal'>

/** Runs all turns of a job without a worker. Returns the number of turns. */
export async function runDirectly<Payload>(
  job: Pick<Job<Payload>, 'run'>,
  { payload: first, ...work }: Work<Payload>,
): Promise<number> {
  const turns = [first]
  const org = orgOf(work.context)
  for (const payload of turns)
    await job.run({ ...work, payload, org, outside, nextTurn: (next) => turns.push(next) })
  return turns.length
}

/** Runs what a job does when no retry is left. */
export async function abandonDirectly<Payload>(
  { abandoned }: Pick<Job<Payload>, 'abandoned'>,
  work: Work<Payload>,
): Promise<void> {
  await abandoned?.({ ...work, org: orgOf(work.context), outside, nextTurn: () => {} })
}
