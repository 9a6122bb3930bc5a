import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Scope, useScope } from '../shell/scope.tsx'
import type { RecordField } from './record-field.ts'

/** The members who can own records. */
export const ownersQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['owners', orgId],
    queryFn: async ({ signal }) => api.owners.list({ signal }),
    staleTime: 60_000,
  })

/** The fields, of which `owner_id` offers the members of the organization. */
export function useOwnedFields(fields: readonly RecordField[]): readonly RecordField[] {
  const { data: owners = [] } = useQuery(ownersQuery(useScope()))
  return useMemo(
    () =>
      fields.map((field) =>
        field.name === 'owner_id'
          ? { ...field, choices: owners.map(({ owner_id, name }) => [owner_id, name] as const) }
          : field,
      ),
    [fields, owners],
  )
}
