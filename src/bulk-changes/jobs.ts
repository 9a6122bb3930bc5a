import { type Job, job } from '../platform/jobs/job.ts'
import { changeRecordsJob } from './bulk-changes.ts'
import type { BulkChangePayload } from './payload.ts'
import { failBulkChange, readBulkActor } from './progress.ts'
import { changeNext } from './run.ts'

/** Changes the records of a bulk change. After a crash, it continues with the records that are left. */
export const changeRecords: Job<BulkChangePayload> = job({
  ...changeRecordsJob,
  run: async ({ payload: { org_id: orgId, bulk_change_id: id }, context: { database }, signal }) => {
    for (let isDone = false; !isDone; ) {
      signal.throwIfAborted()
      const actor = await database.org(orgId).transact((tx) => readBulkActor(tx, id))
      isDone = actor === null || (await changeNext(database.org(orgId, actor), id))
    }
  },
  abandoned: async ({ payload: { org_id: orgId, bulk_change_id: id }, context }) => {
    await context.database.org(orgId).transact((tx) => failBulkChange(tx, id))
  },
})
