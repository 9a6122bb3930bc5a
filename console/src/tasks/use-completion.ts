import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '../../../sdk/src/generated/types.ts'
import { problemOf } from '../api/problem.ts'
import { showToast } from '../parts/toast.tsx'
import { useScope } from '../shell/scope.tsx'

/** Completes and reopens tasks. A task leaves the list at once, and comes back if the server refuses. */
export function useCompletion() {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [leaving, setLeaving] = useState<readonly string[]>([])
  const [last, setLast] = useState<Task | null>(null)

  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['task-list', orgId] }),
      queries.invalidateQueries({ queryKey: ['due-tasks', orgId] }),
      queries.invalidateQueries({ queryKey: ['record-tasks', orgId] }),
    ])

  const setDone = async (task: Task, isDone: boolean) => {
    const { task_id, title } = task
    setLeaving((before) => [...before, task_id])
    try {
      await (isDone ? api.tasks.complete(task_id) : api.tasks.reopen(task_id))
      setLast(isDone ? task : null)
      if (isDone)
        showToast(`“${title}” is done.`, 'ok', { name: 'Undo', run: () => void setDone(task, false) })
      else showToast(`“${title}” is open again.`)
    } catch (error) {
      showToast(`“${title}” is not changed: ${problemOf(error).text}`, 'bad', {
        name: 'Try again',
        run: () => void setDone(task, isDone),
      })
    }
    await refresh()
    setLeaving((before) => before.filter((id) => id !== task_id))
  }
  return { leaving, last, setDone, refresh }
}
