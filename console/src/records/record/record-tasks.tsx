import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { dayWords } from '../../parts/days.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { useToday } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useCompletion } from '../../tasks/use-completion.ts'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { Part } from './part.tsx'
import styles from './related.module.css'

const TaskDialog = lazyPart(() => import('../../tasks/task-dialog.tsx'), 'TaskDialog')

const pageSize = 50
const pollMs = 5_000

/** The open tasks about a record. The box completes one, and its title opens it. */
export function RecordTasks({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, api, can } = useScope()
  const id = idOf(kind, record)
  const today = useToday()
  const [open, setOpen] = useState<Task | 'new' | null>(null)
  const { leaving, setDone, refresh } = useCompletion()
  const tasks = useInfiniteQuery({
    queryKey: ['record-tasks', orgId, id],
    queryFn: ({ pageParam, signal }) =>
      api.tasks.list(
        { record_id: id, status: 'open', limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    enabled: can('tasks:read'),
    refetchInterval: pollMs,
  })
  if (!can('tasks:read')) return null
  const mayChange = can('tasks:write')
  return (
    <Part
      name="Tasks"
      about={
        mayChange && (
          <Button kind="quiet" icon="plus" aria-label="Add a task" onClick={() => setOpen('new')} />
        )
      }
    >
      <Loaded query={tasks} rows={2}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data).filter(({ task_id }) => !leaving.includes(task_id))
          if (shown.length === 0) return <p className="two">There is no open task.</p>
          return (
            <>
              <ul>
                {shown.map((task) => (
                  <li key={task.task_id} className={styles.task}>
                    {mayChange && (
                      <Checkbox checked={false} onChange={() => void setDone(task, true)}>
                        <span className="sr">Complete “{task.title}”</span>
                      </Checkbox>
                    )}
                    <button type="button" onClick={() => setOpen(task)}>
                      {task.title}
                    </button>
                    {task.due_on && (
                      <time className={`end ${task.due_on < today ? 'bad' : 'two'}`} dateTime={task.due_on}>
                        {dayWords(task.due_on)}
                      </time>
                    )}
                  </li>
                ))}
              </ul>
              {tasks.hasNextPage && <NextPageButton query={tasks} act="Show more tasks" end="" />}
            </>
          )
        }}
      </Loaded>
      {open && (
        <LateDialog>
          <TaskDialog
            task={open === 'new' ? null : open}
            about={{ entity_type: kind.entity, record_id: id }}
            onClose={() => setOpen(null)}
            onSaved={() => {
              setOpen(null)
              showToast(open === 'new' ? 'The task is created.' : 'The task is saved.')
              void refresh()
            }}
          />
        </LateDialog>
      )}
    </Part>
  )
}
