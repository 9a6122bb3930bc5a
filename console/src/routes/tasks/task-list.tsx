import { useRef } from 'react'
import type { Task } from '../../../../sdk/src/generated/types.ts'
import { useSession } from '../../api/use-session.ts'
import { useToday } from '../../parts/time.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { groupsOf } from './groups.ts'
import styles from './page.module.css'
import { TaskRow } from './task-row.tsx'

/** The tasks in groups. The keys j and k move between them, and x, e and a act on the one with the focus. */
export function TaskList({
  tasks,
  onOpen,
  onDone,
  onAssign,
  onDelete,
}: {
  tasks: readonly Task[]
  onOpen: (task: Task) => void
  onDone: (task: Task, isDone: boolean) => void
  onAssign: (task: Task, memberId: string | null) => void
  onDelete: (task: Task) => void
}) {
  const { member } = useSession()
  const { can, membership } = useScope()
  const mayChange = can('tasks:write')
  // Only members can have tasks.
  const isMember = membership.via === 'member'
  const list = useRef<HTMLDivElement>(null)
  const groups = groupsOf(tasks, useToday())
  const shown = groups.flatMap((group) => group.tasks)

  const indexOfFocus = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-task]')
    return shown.findIndex(({ task_id }) => task_id === row?.dataset.task)
  }
  const focusRow = (index: number) =>
    list.current?.querySelectorAll<HTMLElement>(`.${styles.title}`)[index]?.focus()
  const move = (by: number) => {
    const index = indexOfFocus()
    focusRow(index < 0 ? 0 : Math.min(Math.max(index + by, 0), shown.length - 1))
  }
  const setDone = (task: Task, isDone: boolean) => {
    // The row leaves: the focus goes to the row that takes its place.
    const index = shown.indexOf(task)
    focusRow(index + 1 < shown.length ? index + 1 : index - 1)
    onDone(task, isDone)
  }
  const onFocused = (act: (task: Task) => void) => () => {
    const task = shown[indexOfFocus()]
    if (task && mayChange) act(task)
  }
  useKey('j', () => move(1))
  useKey('k', () => move(-1))
  useKey(
    'x',
    onFocused((task) => setDone(task, task.completed_at === null)),
  )
  useKey('e', onFocused(onOpen))
  useKey(
    'a',
    onFocused((task) => isMember && onAssign(task, member.member_id)),
  )
  return (
    <div ref={list}>
      {groups.map(({ name, tasks }) => (
        <section key={name} className={styles.group} aria-label={name}>
          <h2>
            {name} <span className="three">{tasks.length}</span>
          </h2>
          <ul>
            {tasks.map((task) => (
              <TaskRow
                key={task.task_id}
                task={task}
                isLate={name === 'Overdue'}
                mayChange={mayChange}
                onOpen={() => onOpen(task)}
                onDone={(isDone) => setDone(task, isDone)}
                acts={[
                  { name: 'Edit', run: () => onOpen(task) },
                  ...(isMember
                    ? [
                        task.assignee_id === member.member_id
                          ? { name: 'Unassign', run: () => onAssign(task, null) }
                          : { name: 'Assign to me', run: () => onAssign(task, member.member_id) },
                      ]
                    : []),
                  { name: 'Delete', icon: 'trash', danger: true, run: () => onDelete(task) },
                ]}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
