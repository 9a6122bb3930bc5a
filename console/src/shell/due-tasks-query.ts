import { queryOptions } from '@tanstack/react-query'
import { localDay } from '../parts/days.ts'
import type { Scope } from './scope.tsx'

/** Returns how many open tasks of this person are overdue or due today. The navigation polls it on every page. */
export const dueTasksQuery = ({ orgId, api, can }: Pick<Scope, 'orgId' | 'api' | 'can'>) =>
  queryOptions({
    queryKey: ['due-tasks', orgId],
    queryFn: async ({ signal }) => {
      const { pagination } = await api.tasks.list(
        { assignee: 'me', due_before: localDay(1), limit: 1 },
        { signal },
      )
      return pagination.total
    },
    enabled: can('tasks:read'),
  })
