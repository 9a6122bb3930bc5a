import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'

const changedAtOnce = 1_000

type ChangedTask = { task_id: string; entity_type: string; record_id: string }

/**
 * Assigns the open tasks of a leaving member to another member; null: to nobody. Deleting the membership clears the
 * assignee of completed tasks.
 */
export async function reassignTasks(tx: OrgTx, memberId: string, toId: string | null): Promise<void> {
  for (let count = changedAtOnce; count === changedAtOnce; ) {
    const rows = await tx.rows(sql<ChangedTask>`
      update task set assignee_id = ${toId}, version = version + 1, updated_at = clock_timestamp()
      where org_id = ${tx.orgId} and task_id = any(array(
        select task_id from task where org_id = ${tx.orgId} and assignee_id = ${memberId} and completed_at is null
        limit ${changedAtOnce}))
      returning task_id, entity as entity_type, record_raw_id as record_id`)
    const changed = ['assignee_id']
    await recordEvents(
      tx,
      rows.map(({ task_id, ...data }) => ({ type: 'task.updated', objectId: task_id, changed, data })),
    )
    count = rows.length
  }
}

/** Deletes the tasks about records that are being erased. */
export async function eraseTasks(tx: OrgTx, recordIds: readonly string[]): Promise<void> {
  for (let count = changedAtOnce; count === changedAtOnce; ) {
    const rows = await tx.rows(sql<ChangedTask>`
      delete from task where org_id = ${tx.orgId} and task_id = any(array(
        select task_id from task where org_id = ${tx.orgId} and record_raw_id = any(${recordIds}::uuid[])
        limit ${changedAtOnce}))
      returning task_id, entity as entity_type, record_raw_id as record_id`)
    await recordEvents(
      tx,
      rows.map(({ task_id, ...data }) => ({ type: 'task.deleted', objectId: task_id, data })),
    )
    count = rows.length
  }
}
