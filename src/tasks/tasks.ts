import { membersLock } from '../auth/members-lock.ts'
import { actorJson, actorMembers } from '../events/actor.ts'
import { recordEvents } from '../events/record.ts'
import { lockShared } from '../platform/db/advisory-lock.ts'
import { JsonColumns, type TextRow } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql, withTextRows } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { lockSubject, subjectMembers } from '../records/subject.ts'
import type { CreateTask, Task, UpdateTask } from './schema.ts'

/** The tasks that can be created with the id of one record. Merges can join more. */
const tasksMax = 10_000

export const wire: JsonColumns = new JsonColumns('t', {
  task_id: 'uuid',
  ...subjectMembers('t'),
  title: 'text',
  text: 'text',
  due_on: 'text',
  assignee_id: 'uuid',
  assignee_name: { sql: 'app.member_name(t.assignee_id)', kind: 'text' },
  author: { object: actorMembers('t') },
  completed_at: 'seconds',
  completed_by: {
    sql: `case when t.completed_at is null then null else ${actorJson('t', 'completed_')} end`,
    kind: 'jsonb',
  },
  version: 'integer',
  created_at: 'seconds',
  updated_at: 'seconds',
})

/** @throws DomainError not_found for an unknown record or member; conflict if the record has 10,000 tasks */
export async function createTask(tx: OrgTx, input: CreateTask): Promise<Task> {
  const { entity_type, record_id, title, text, due_on = null, assignee_id = null } = input
  const canonicalId = await lockSubject(tx, entity_type, record_id)
  await requireMember(tx, assignee_id)
  const taskId = newId()
  const { apiKeyId, memberId, connectedAppId = null, isOperator = null } = tx.actor
  const now = new Date(timeOf(taskId))
  const inserted = await tx.run(sql`
    insert into task (org_id, task_id, entity, record_raw_id, title, text, due_on, assignee_id,
      api_key_id, member_id, connected_app_id, by_operator, created_at, updated_at)
    select ${tx.orgId}, ${taskId}, ${entity_type}, ${record_id}, ${title}, ${text || null}, ${due_on}, ${assignee_id},
      ${apiKeyId}, ${memberId}, ${connectedAppId}, ${isOperator}, ${now}, ${now}
    where (select count(*) from task where org_id = ${tx.orgId} and record_raw_id = ${record_id}) < ${tasksMax}`)
  if (inserted === 0)
    throw conflict('limit_reached', `A record can have at most ${tasksMax} tasks. Delete old ones first.`)
  const data = { entity_type, record_id: canonicalId }
  await recordEvents(tx, [{ type: 'task.created', objectId: taskId, data }])
  return readTask(tx, taskId)
}

/** @throws DomainError not_found; conflict if `version` is not the current one */
export async function changeTask(
  tx: OrgTx,
  taskId: string,
  { text, ...others }: UpdateTask,
  version: number | undefined,
): Promise<Task> {
  const task = await lockTask(tx, taskId, version)
  const asked = { ...others, text: text === undefined ? undefined : text || null }
  const changed = (['title', 'text', 'due_on', 'assignee_id'] as const).filter(
    (field) => asked[field] !== undefined && asked[field] !== task[field],
  )
  if (changed.length === 0) return task
  const after = { ...task, ...Object.fromEntries(changed.map((field) => [field, asked[field]])) }
  if (changed.includes('assignee_id')) await requireMember(tx, after.assignee_id)
  await tx.run(sql`
    update task
    set title = ${after.title}, text = ${after.text}, due_on = ${after.due_on}, assignee_id = ${after.assignee_id},
      version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and task_id = ${taskId}`)
  await recordEvents(tx, [{ type: 'task.updated', objectId: taskId, changed, data: subjectOf(task) }])
  return readTask(tx, taskId)
}

/**
 * Completes a task, or reopens it. Repeating the call changes nothing.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function setTaskDone(
  tx: OrgTx,
  taskId: string,
  isDone: boolean,
  version: number | undefined,
): Promise<Task> {
  const task = await lockTask(tx, taskId, version)
  if ((task.completed_at !== null) === isDone) return task
  const { apiKeyId, memberId, connectedAppId = null, isOperator = null } = tx.actor
  const by = isDone ? { apiKeyId, memberId, connectedAppId, isOperator } : nobody
  await tx.run(sql`
    update task
    set completed_at = ${isDone ? sql`clock_timestamp()` : null}, completed_api_key_id = ${by.apiKeyId},
      completed_member_id = ${by.memberId}, completed_connected_app_id = ${by.connectedAppId},
      completed_by_operator = ${by.isOperator}, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and task_id = ${taskId}`)
  const type = isDone ? 'task.completed' : 'task.reopened'
  await recordEvents(tx, [{ type, objectId: taskId, data: subjectOf(task) }])
  return readTask(tx, taskId)
}

const nobody = { apiKeyId: null, memberId: null, connectedAppId: null, isOperator: null }

/** @throws DomainError not_found; conflict if `version` is not the current one */
export async function deleteTask(tx: OrgTx, taskId: string, version: number | undefined): Promise<void> {
  const task = await lockTask(tx, taskId, version)
  await tx.run(sql`delete from task where org_id = ${tx.orgId} and task_id = ${taskId}`)
  await recordEvents(tx, [{ type: 'task.deleted', objectId: taskId, data: subjectOf(task) }])
}

/** @throws DomainError not_found */
export async function readTask(tx: OrgTx, taskId: string): Promise<Task> {
  const [row] = await tx.rows(
    withTextRows(sql<TextRow>`
      select ${wire.columns} from task t where t.org_id = ${tx.orgId} and t.task_id = ${taskId}`),
  )
  if (!row) throw notFound('object_not_found', 'No task of this organization has this id')
  return JSON.parse(wire.object(row, 0)) as Task
}

async function lockTask(tx: OrgTx, taskId: string, version: number | undefined): Promise<Task> {
  await tx.first(sql`
    select from task where org_id = ${tx.orgId} and task_id = ${taskId} for no key update`)
  const task = await readTask(tx, taskId)
  requireVersion('this task', version, task.version)
  return task
}

/** Requires that an assignee is a member, and stays one until the transaction ends. */
async function requireMember(tx: OrgTx, memberId: string | null): Promise<void> {
  if (memberId === null) return
  await lockShared(tx, membersLock(tx.orgId))
  const member = await tx.first(sql`
    select from membership where org_id = ${tx.orgId} and member_id = ${memberId}`)
  if (member) return
  throw notFound('reference_not_found', `assignee_id: no member of this organization has the id ${memberId}`)
}

const subjectOf = ({ entity_type, record_id }: Task) => ({ entity_type, record_id })
