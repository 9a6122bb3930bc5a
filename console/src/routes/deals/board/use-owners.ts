import { useQuery } from '@tanstack/react-query'
import { ownersQuery } from '../../../records/owners.ts'
import { useScope } from '../../../shell/scope.tsx'

const nobody: ReadonlyMap<string, string> = new Map()

/** The names of owners by their ids. */
export function useOwners(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...ownersQuery(useScope()),
    select: (owners) => new Map(owners.map(({ owner_id, name }) => [owner_id, name] as const)),
  })
  return data ?? nobody
}
