import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../api/use-session.ts'
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

/** The teams of the organization. */
const teamsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['teams', orgId],
    queryFn: async ({ signal }) => api.teams.list({ signal }),
  })

/**
 * The owners that the person can give to a record. The server refuses one whose records they do not see, and does not leave
 * a record without an owner for them.
 */
export function useGivenOwners(): {
  owners: readonly (readonly [id: string, name: string])[]
  mayBeNobody: boolean
} {
  const { member } = useSession()
  const scope = useScope()
  const access = scope.membership.record_access
  const { data: all = [] } = useQuery(ownersQuery(scope))
  const { data: teams } = useQuery({
    ...teamsQuery(scope),
    enabled: access === 'team' && scope.can('members:read'),
  })
  const { member_id: self } = member
  const mates = (teams ?? []).flatMap(({ member_ids: ids }) => (ids.includes(self) ? ids : []))
  const isLimited = access === 'own' || (access === 'team' && teams !== undefined)
  const offered = isLimited
    ? all.filter(({ owner_id }) => owner_id === self || mates.includes(owner_id))
    : all
  return {
    owners: offered.map(({ owner_id, name }) => [owner_id, name] as const),
    mayBeNobody: access === 'all',
  }
}
