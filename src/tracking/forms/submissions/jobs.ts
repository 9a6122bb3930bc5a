import type { z } from 'zod'
import { type Job, job } from '../../../platform/jobs/job.ts'
import { archiveReverted, archiveRevertedJob } from './revert.ts'

/** Archives the contacts of reverted submissions. */
export const archiveRevertedSubmissions: Job<z.output<(typeof archiveRevertedJob)['payload']>> = job({
  ...archiveRevertedJob,
  run: async ({ payload, context, signal }) => archiveReverted(context.database.org(payload.org_id), signal),
})
