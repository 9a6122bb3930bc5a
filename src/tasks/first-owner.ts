import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { changeTask } from './tasks.ts'

/**
 * Assigns tasks to the first owner of the organization: the open tasks without an assignee that the operator created
 * with a due day. The demo organization has such tasks, so that the owner finds tasks on the first visit.
 */
export async function assignToFirstOwner(tx: OrgTx, ownerId: string): Promise<void> {
  const tasks = await tx.rows(sql<{ task_id: string }>`
    select task_id from task
    where org_id = ${tx.orgId} and by_operator and assignee_id is null and due_on is not null and completed_at is null
    order by task_id limit 20`)
  for (const { task_id } of tasks) await changeTask(tx, task_id, { assignee_id: ownerId }, undefined)
}
