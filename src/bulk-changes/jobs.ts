import { type Job, job } from '../platform/jobs/job.ts'
import { runTurn } from '../platform/jobs/run-turn.ts'
import { changeRecordsJob } from './bulk-changes.ts'
import type { BulkChangePayload } from './payload.ts'
import { failBulkChange, readBulkActor } from './progress.ts'
import { changeNext } from './run.ts'

/** Changes the records of a bulk change in turns of a second. After a crash, it continues with the records that are left. */
export const changeRecords: Job<BulkChangePayload> = job({
  ...changeRecordsJob,
  run: async (work) => {
    const { org_id: orgId, bulk_change_id: id } = work.payload
    await runTurn(work, async () => {
      const actor = await work.org(orgId).transact((tx) => readBulkActor(tx, id))
      return actor === null || changeNext(work.org(orgId, actor), id)
    })
  },
  abandoned: async ({ payload: { org_id: orgId, bulk_change_id: id }, context }) => {
    await context.database.org(orgId).transact((tx) => failBulkChange(tx, id))
  },
})
