import { type Job, job } from '../platform/jobs/job.ts'
import { type CountPayload, countSegmentsJob, runCounts } from './counts.ts'

/** Counts the records of segments for which a count was requested. */
export const countSegments: Job<CountPayload> = job({
  ...countSegmentsJob,
  run: ({ payload: { org_id: orgId }, context, org, signal }) => runCounts(org(orgId), context.jobs, signal),
})
