import { z } from 'zod'
import { limitLongReads } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { listTasks } from './list-tasks.ts'
import { CreateTask, Task, TaskQuery, UpdateTask } from './schema.ts'
import { changeTask, createTask, deleteTask, readTask, setTaskDone } from './tasks.ts'

const path = '/tasks'
const tag = 'Tasks'
const params = z.object({ task_id: id().describe('The id of the task.') })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No task of this organization has this id',
  409: 'If-Match does not name the current version',
}

type About = Pick<Endpoint, 'path' | 'name' | 'sdk' | 'summary' | 'description'>

const doneEndpoint = (isDone: boolean, about: About): Endpoint =>
  endpoint({
    method: 'POST',
    ...about,
    tag,
    permission: 'tasks:write',
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Task,
    errors,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) =>
        withETag(await setTaskDone(tx, params.task_id, isDone, headers['if-match'])),
      ),
  })

export const taskEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_tasks',
    sdk: 'tasks.list',
    summary: 'List the tasks',
    description:
      'Open tasks, the earliest due day first. `assignee=me` lists the tasks of the person who is signed in. With `record_id`, the tasks of a record and of all records that are merged with it.',
    tag,
    permission: 'tasks:read',
    query: TaskQuery,
    shape: 'page',
    response: z.array(Task),
    // The total counts all open tasks that match.
    handle: ({ org, caller, context, query }) =>
      limitLongReads(caller.payerId, () => listTasks(org, caller, context.cursors, query)),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_task',
    sdk: 'tasks.create',
    summary: 'Create a task',
    description: 'The task is about one contact, company or deal. It is erased together with this record.',
    tag,
    permission: 'tasks:write',
    body: CreateTask,
    status: 201,
    location: `${path}/{task_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Task,
    errors: {
      404: 'No such record or member of this organization has this id',
      409: 'The record has 10,000 tasks',
    },
    example: {
      entity_type: 'contact',
      record_id: exampleId('contact_id'),
      title: 'Send the offer',
      due_on: '2026-03-31',
    },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createTask(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{task_id}`,
    name: 'get_task',
    sdk: 'tasks.get',
    summary: 'Read a task',
    tag,
    permission: 'tasks:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Task,
    errors: { 404: errors[404] },
    handle: ({ org, params }) => org.read(async (tx) => withETag(await readTask(tx, params.task_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{task_id}`,
    name: 'update_task',
    sdk: 'tasks.update',
    summary: 'Change or assign a task',
    description: 'Only the fields that you send change. Completed tasks can be changed too.',
    tag,
    permission: 'tasks:write',
    params,
    headers,
    body: UpdateTask,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Task,
    errors: { ...errors, 404: 'No task, or no member, of this organization has this id' },
    example: { due_on: '2026-04-07', assignee_id: null },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) => withETag(await changeTask(tx, params.task_id, body, headers['if-match']))),
  }),
  doneEndpoint(true, {
    path: `${path}/{task_id}/complete`,
    name: 'complete_task',
    sdk: 'tasks.complete',
    summary: 'Complete a task',
    description: 'The task shows when it was completed, and by whom.',
  }),
  doneEndpoint(false, {
    path: `${path}/{task_id}/reopen`,
    name: 'reopen_task',
    sdk: 'tasks.reopen',
    summary: 'Reopen a completed task',
    description: 'The task keeps its assignee and its due day.',
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{task_id}`,
    name: 'delete_task',
    sdk: 'tasks.delete',
    summary: 'Delete a task',
    description: 'A deleted task cannot be restored. To keep it, complete it.',
    tag,
    permission: 'tasks:write',
    params,
    headers,
    shape: 'none',
    errors,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        await deleteTask(tx, params.task_id, headers['if-match'])
        return undefined
      }),
  }),
]
