import type { Task } from '../../../../sdk/src/generated/types.ts'

export type TaskGroup = { name: string; tasks: Task[] }

/** The group of a task today. */
function groupOf({ completed_at, due_on }: Task, today: string): string {
  if (completed_at !== null) return 'Done'
  if (due_on === null) return 'No date'
  return due_on < today ? 'Overdue' : due_on === today ? 'Today' : 'Later'
}

const order = ['Overdue', 'Today', 'Later', 'No date', 'Done']

/** The tasks in groups by their due day, without empty groups. @param today such as `2026-03-31` */
export function groupsOf(tasks: readonly Task[], today: string): TaskGroup[] {
  const groups = Map.groupBy(tasks, (task) => groupOf(task, today))
  return order.flatMap((name) => {
    const found = groups.get(name)
    return found ? [{ name, tasks: found }] : []
  })
}
