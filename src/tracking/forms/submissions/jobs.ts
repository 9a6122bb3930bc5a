import type { z } from 'zod'
import { type Job, job } from '../../../platform/jobs/job.ts'
import { runTurn } from '../../../platform/jobs/run-turn.ts'
import { archiveNextReverted, archiveRevertedJob } from './revert.ts'

/** Archives the contacts of reverted submissions, in turns of a second. */
export const archiveRevertedSubmissions: Job<z.output<(typeof archiveRevertedJob)['payload']>> = job({
  ...archiveRevertedJob,
  run: async (work) => {
    const org = work.org(work.payload.org_id)
    await runTurn(work, () => org.transact(archiveNextReverted))
  },
})
