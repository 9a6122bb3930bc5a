import type { ListTasksQuery } from '../../../../sdk/src/generated/types.ts'

/** The filters of the tasks, in the form of the address. Without any, the page shows the open tasks of the person. */
export type TaskFilters = { of?: 'everyone' | 'nobody' | undefined; status?: 'done' | undefined }

export const readTaskFilters = ({ of, status }: Record<string, unknown>): TaskFilters => ({
  of: of === 'everyone' || of === 'nobody' ? of : undefined,
  status: status === 'done' ? status : undefined,
})

export const queryOf = ({ of, status }: TaskFilters): ListTasksQuery => ({
  assignee: of === 'everyone' ? undefined : of === 'nobody' ? 'none' : 'me',
  status: status ?? 'open',
})
