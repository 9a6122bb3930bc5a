import { type Job, job } from '../platform/jobs/job.ts'
import { failIndex, type IndexPayload, indexFieldJob, runIndexJob } from './indexes.ts'

/** Builds or deletes the index of a defined field. */
export const indexField: Job<IndexPayload> = job({
  ...indexFieldJob,
  run: ({ payload: { org_id: orgId, index_id: indexId }, context, signal }) =>
    runIndexJob(context.database.org(orgId), indexId, signal),
  abandoned: async ({ payload: { org_id: orgId, index_id: indexId }, context }) => {
    await context.database.org(orgId).transact((tx) => failIndex(tx, indexId))
  },
})
