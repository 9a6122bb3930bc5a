import type { Task } from '../../../../sdk/src/generated/types.ts'
import { localDay } from '../../parts/days.ts'

export type TaskGroup = { name: string; tasks: Task[] }

/** The group of a task today, in the time zone of this computer. */
function groupOf({ completed_at, due_on }: Task, today: string): string {
  if (completed_at !== null) return 'Done'
  if (due_on === null) return 'No date'
  return due_on < today ? 'Overdue' : due_on === today ? 'Today' : 'Later'
}

const order = ['Overdue', 'Today', 'Later', 'No date', 'Done']

/** The tasks in groups by their due day, without empty groups. */
export function groupsOf(tasks: readonly Task[]): TaskGroup[] {
  const today = localDay()
  const groups = Map.groupBy(tasks, (task) => groupOf(task, today))
  return order.flatMap((name) => {
    const found = groups.get(name)
    return found ? [{ name, tasks: found }] : []
  })
}
