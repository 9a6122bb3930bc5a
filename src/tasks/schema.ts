import { z } from 'zod'
import { shownActor } from '../events/schema.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { day, field, id, literal, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { parseUuid } from '../platform/http/parse-uuid.ts'
import { Refusal } from '../platform/http/refusal.ts'
import * as shown from '../platform/http/shown.ts'
import { withOtherRequests } from '../platform/http/unknown-names.ts'
import { aboutRecord, recordFilter, shownSubject } from '../records/subject-schema.ts'

const title = text({ min: 1, max: 250, trim: true }).describe('The thing to do.')
const details = text({ max: 65_536, trim: 'end' })
  .nullable()
  .describe('More about the task in Markdown, up to 65,536 characters; null or empty: nothing.')
const dueOn = day
  .nullable()
  .describe('The last day on which the task is not late, as YYYY-MM-DD; null: none.')
const assigneeId = id().nullable().describe('The member in charge of the task; null: nobody.')

const unknownAssignee = refuse('send the id of a member, me or none')

const assignee = field<string>(
  (value) => {
    if (value === 'me' || value === 'none') return value
    const read = typeof value === 'string' ? parseUuid(value) : unknownAssignee
    return read instanceof Refusal ? unknownAssignee : read
  },
  { type: 'string', examples: ['me'] },
)

export const TaskQuery = z.object({
  status: literal('open', 'done').default('open').meta({
    title: 'TaskStatus',
    description:
      '`open` lists open tasks, the earliest due day first and tasks without a day last. `done` lists completed tasks, the last completed first.',
  }),
  assignee: assignee
    .optional()
    .describe(
      'Only tasks of this member: the id, or `me` for the person who is signed in. `none`: only tasks without an assignee.',
    ),
  due_before: day.optional().describe('Only tasks that are due before this day, as YYYY-MM-DD.'),
  record_id: recordFilter('tasks'),
  ...listQuery,
})

export const CreateTask = z
  .object({
    ...aboutRecord('task'),
    title,
    text: details.optional(),
    due_on: dueOn.optional(),
    assignee_id: assigneeId.optional(),
  })
  .meta({ title: 'CreateTask' })

const byRequest = 'POST /tasks/{task_id}/complete or …/reopen, which change whether the task is done'

export const UpdateTask = withOtherRequests(
  z.object({
    title: title.optional(),
    text: details.optional(),
    due_on: dueOn.optional(),
    assignee_id: assigneeId.optional(),
  }),
  { status: byRequest, completed_at: byRequest },
).meta({ title: 'UpdateTask' })

export const Task = z
  .object({
    task_id: shown.id('The id of the task.'),
    ...shownSubject('task'),
    title: shown.text('The thing to do.', 'Send the offer'),
    text: shown.text('More about the task in Markdown; null: nothing.', 'For **40 seats**.').nullable(),
    due_on: shown.text('The last day on which the task is not late; null: none.', '2026-03-31').nullable(),
    assignee_id: shown
      .id('The member in charge of the task; null: nobody.')
      .nullable()
      .meta({ examples: [exampleId('member_id')] }),
    assignee_name: shown
      .text('The current name of the member in charge; null: nobody.', 'Ada King')
      .nullable(),
    author: shownActor.describe('The API key, person or program that created the task.'),
    completed_at: shown.pendingTime('When the task was completed; null: it is open.'),
    completed_by: shownActor.nullable().meta({
      description: 'The API key, person or program that completed the task; null: it is open.',
      examples: [null],
    }),
    version: shown.version(),
    created_at: shown.time('When the task was created.'),
    updated_at: shown.time('When the task was last changed.'),
  })
  .meta({ title: 'Task' })

export type Task = z.output<typeof Task>
export type TaskQuery = z.output<typeof TaskQuery>
export type CreateTask = z.output<typeof CreateTask>
export type UpdateTask = z.output<typeof UpdateTask>
