import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '../../../sdk/src/generated/types.ts'
import { useSession } from '../api/use-session.ts'
import { Select, TextArea, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { TheirChanges } from '../parts/their-changes.tsx'
import { useChanges } from '../parts/use-changes.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { membersQuery } from '../queries/members.ts'
import { useScope } from '../shell/scope.tsx'
import { ReadTask } from './read-task.tsx'
import { type PickedRecord, RecordField } from './record-field.tsx'

const places = ['title', 'text', 'due_on', 'assignee_id', 'record_id']
const names = { title: 'title', text: 'text', due_on: 'due day', assignee_id: 'assignee' }

const settingsOf = ({ title, text, due_on, assignee_id }: Pick<Task, keyof typeof names>) => ({
  ...{ title, text, due_on, assignee_id },
})

type Props = {
  task: Task | null
  /** The record of a new task; null: the person finds it. */
  about?: PickedRecord | null
  onClose: () => void
  onSaved: () => void
}

/** Creates a task, or changes one. A person without the right to change it only reads it. */
export function TaskDialog(props: Props) {
  const { task, onClose } = props
  const { can } = useScope()
  // A person who loses the right meanwhile keeps what they typed, and the server refuses it.
  const [mayChange] = useState(can('tasks:write'))
  return task && !mayChange ? <ReadTask {...{ task, onClose }} /> : <TaskForm {...props} />
}

function TaskForm({ task: opened, about = null, onClose, onSaved }: Props) {
  // Keep the values from when the dialog opened: the page behind it continues to load new ones.
  const [task] = useState(opened)
  const { api, membership } = useScope()
  const { member } = useSession()
  const [record, setRecord] = useState<PickedRecord | null>(about)
  const [draft, setDraft] = useState(
    () =>
      (task && settingsOf(task)) ?? {
        ...{ title: '', text: null, due_on: null },
        // A person of an agency is no member of its client, and a sandbox has no members.
        assignee_id: membership.via === 'member' ? member.member_id : null,
      },
  )
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(task, {
    settingsOf,
    names,
    others: 'state',
    read: ({ task_id }) => api.tasks.get(task_id),
    update: ({ task_id }, changes, ifMatch) => api.tasks.update(task_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      if (task) return (await save(draft)) && onSaved()
      if (record) {
        await api.tasks.create({ ...draft, ...record })
        onSaved()
      }
    },
    { places },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title={task ? (task.record_name ? `Task about ${task.record_name}` : 'Task') : 'New task'}
      act={task ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create task'}
      form={form}
      isBlocked={!task && record === null}
      onClose={onClose}
    >
      <TextField
        label="What to do"
        value={draft.title}
        onChange={(title) => set({ title })}
        error={errorAt('title')}
        maxLength={250}
        autoFocus
        required
      />
      {!task && !about && <RecordField record={record} onChange={setRecord} error={errorAt('record_id')} />}
      <TextField
        label="Due day"
        type="date"
        value={draft.due_on ?? ''}
        onChange={(day) => set({ due_on: day || null })}
        error={errorAt('due_on')}
        style={{ maxWidth: 180 }}
      />
      <AssigneeField
        task={task}
        value={draft.assignee_id}
        onChange={(assignee_id) => set({ assignee_id })}
        error={errorAt('assignee_id')}
      />
      <TextArea
        label="Details"
        value={draft.text ?? ''}
        onChange={(text) => set({ text: text || null })}
        error={errorAt('text')}
        hint="You can use Markdown."
      />
      <TheirChanges theirs={theirs} of="task" />
    </FormDialog>
  )
}

/** The members of the organization, and nobody. */
function AssigneeField({
  task,
  value,
  onChange,
  error,
}: {
  task: Task | null
  value: string | null
  onChange: (memberId: string | null) => void
  error: string | null
}) {
  const scope = useScope()
  const { can, membership } = scope
  const { member } = useSession()
  const members = useQuery({
    ...membersQuery(scope),
    enabled: can('members:read'),
  })
  const known = members.data ?? [
    ...(membership.via === 'member' ? [{ member_id: member.member_id, name: member.name }] : []),
    ...(task?.assignee_id && task.assignee_id !== member.member_id
      ? [{ member_id: task.assignee_id, name: task.assignee_name ?? 'A member' }]
      : []),
  ]
  return (
    <Select
      label="Assignee"
      value={value ?? ''}
      options={[
        ['', 'Nobody'],
        ...known.map(
          ({ member_id, name }) =>
            [member_id, member_id === member.member_id ? `${name} (you)` : name] as const,
        ),
      ]}
      onChange={(memberId) => onChange(memberId || null)}
      error={error}
    />
  )
}
