import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { Order } from '../platform/db/page-order.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { isAbout } from '../records/subject.ts'
import type { TaskQuery } from './schema.ts'
import { wire } from './tasks.ts'

// An index has each of these orders, for the whole org and for each assignee.
const orders: Readonly<Record<TaskQuery['status'], Order>> = {
  open: { key: { sql: rawSql('t.due_on'), type: 'date', isNullable: true }, descending: false },
  done: { key: { sql: rawSql('t.completed_at'), type: 'timestamptz', isNullable: false }, descending: true },
}

/**
 * Reads one page of tasks: open ones by their due day, or completed ones, the last first.
 * @throws ValidationError if an API key asks for its own tasks
 */
export function listTasks(
  org: Org,
  caller: Caller,
  cursors: Cursors,
  query: TaskQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { status, due_before: dueBefore, record_id: recordId } = query
  const assignee = query.assignee === 'me' ? signedIn(caller) : query.assignee
  const filter = new Filter(org.orgId, 't')
    .and(status === 'open' ? sql`t.completed_at is null` : sql`t.completed_at is not null`)
    .where(assignee, (id) => (id === 'none' ? sql`t.assignee_id is null` : sql`t.assignee_id = ${id}`))
    .where(dueBefore, (day) => sql`t.due_on < ${day}::date`)
    .where(recordId, (id) => isAbout(org.orgId, 't', id))
  return readPage(
    org,
    cursors,
    {
      list: JSON.stringify(['tasks', status, assignee, dueBefore, recordId]),
      ...{ from: sql`task t`, id: sql`t.task_id`, wire, filter, order: orders[status] },
      // Read all tasks of a record: the planner could otherwise search for them among all tasks of the org.
      readsAll: recordId !== undefined,
    },
    query,
  )
}

function signedIn({ memberId }: Caller): string {
  if (memberId !== null) return memberId
  throw new ValidationError([
    detailAt(['query', 'assignee'], refuse('an API key has no tasks of its own: send the id of a member')),
  ])
}
