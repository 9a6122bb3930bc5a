import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { TaskDialog } from '../../tasks/task-dialog.tsx'
import { useCompletion } from '../../tasks/use-completion.ts'
import { queryOf, type TaskFilters } from './filters.ts'
import { TaskList } from './task-list.tsx'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; task: Task }

const pageSize = 100
const pollMs = 5_000

/** The tasks of this person, of everyone or of nobody, in groups by their due day. */
export function TasksPage() {
  const { orgId, api, can, membership } = useScope()
  const search = useSearch('/o/$orgId/tasks')
  // People of an agency in its client, and people in a sandbox, are not members, so they have no tasks of their own.
  const isMember = membership.via === 'member'
  const filters: TaskFilters = { ...search, of: search.of ?? (isMember ? undefined : 'everyone') }
  const [open, setOpen] = useState<Open | null>(null)
  const { leaving, last, setDone, refresh } = useCompletion()
  const tasks = useInfiniteQuery({
    queryKey: ['task-list', orgId, filters],
    queryFn: ({ pageParam, signal }) =>
      api.tasks.list(
        { ...queryOf(filters), limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })
  const mayChange = can('tasks:write')
  const close = () => setOpen(null)
  const saved = (text: string) => {
    close()
    showToast(text)
    void refresh()
  }
  const assign = async ({ task_id, title }: Task, memberId: string | null) => {
    try {
      await api.tasks.update(task_id, { assignee_id: memberId })
      showToast(`“${title}” is ${memberId === null ? 'nobody’s task' : 'your task'} now.`)
    } catch (error) {
      showToast(`“${title}” is not changed: ${problemOf(error).text}`, 'bad')
    }
    await refresh()
  }
  useKey('c', () => mayChange && setOpen({ kind: 'new' }))
  useKey('z', () => last && void setDone(last, false))
  return (
    <Page
      name="My tasks"
      acts={
        mayChange && (
          <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen({ kind: 'new' })}>
            New task
          </Button>
        )
      }
    >
      <Filters filters={filters} hasOwn={isMember} />
      <Loaded query={tasks}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data).filter(({ task_id }) => !leaving.includes(task_id))
          if (shown.length === 0) return <NoTasks filters={filters} />
          return (
            <>
              <TaskList
                tasks={shown}
                onOpen={(task) => setOpen({ kind: 'edit', task })}
                onDone={(task, isDone) => void setDone(task, isDone)}
                onAssign={(task, memberId) => void assign(task, memberId)}
                onDelete={(task) => setOpen({ kind: 'delete', task })}
              />
              <NextPageButton query={tasks} act="Show more tasks" end="There are no more tasks." />
            </>
          )
        }}
      </Loaded>
      {open?.kind === 'new' && (
        <TaskDialog task={null} onClose={close} onSaved={() => saved('The task is created.')} />
      )}
      {open?.kind === 'edit' && (
        <TaskDialog task={open.task} onClose={close} onSaved={() => saved('The task is saved.')} />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete “${open.task.title}”?`}
          act="Delete task"
          work={() => api.tasks.delete(open.task.task_id)}
          onClose={close}
          onDone={() => saved('The task is deleted.')}
        >
          <p>A deleted task cannot be restored. If it is done, complete it instead.</p>
        </Confirmation>
      )}
    </Page>
  )
}

const people = [
  ['mine', 'Mine'],
  ['everyone', 'Everyone’s'],
  ['nobody', 'Unassigned'],
] as const

const states = [
  ['open', 'Open'],
  ['done', 'Done'],
] as const

function Filters({ filters: { of, status }, hasOwn }: { filters: TaskFilters; hasOwn: boolean }) {
  const navigate = useNavigate('/o/$orgId/tasks')
  const change = (next: TaskFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  return (
    <search className="pad rail wrap" aria-label="Filters">
      <Segments
        label="Whose tasks"
        isLabelHidden
        value={of ?? 'mine'}
        options={hasOwn ? people : people.slice(1)}
        onChange={(value) => change({ of: value === 'mine' ? undefined : value })}
      />
      <Segments
        label="State"
        isLabelHidden
        value={status ?? 'open'}
        options={states}
        onChange={(value) => change({ status: value === 'open' ? undefined : value })}
      />
    </search>
  )
}

function NoTasks({ filters: { of, status } }: { filters: TaskFilters }) {
  const title =
    status === 'done'
      ? 'No task is done yet'
      : of === undefined
        ? 'You have no open task'
        : of === 'everyone'
          ? 'There is no open task'
          : 'Every open task has somebody in charge'
  return (
    <Empty icon="check" title={title}>
      <p className="two">
        A task says what is to be done about a person, a company or a deal, by whom, and until which day. Apps
        and programs can create tasks, too.
      </p>
    </Empty>
  )
}
