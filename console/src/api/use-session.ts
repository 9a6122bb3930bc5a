import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { distinctNames } from './distinct-names.ts'
import type { Session } from './generated/types.ts'
import { sessionQuery } from './session.ts'

/** The session of this browser. Every page below /o has one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('There is no session')
  return data
}

/** The names of the person's organizations, by their ids. Equal names end with a part of the id. */
export function useOrgNames(): ReadonlyMap<string, string> {
  const { memberships } = useSession()
  return useMemo(
    () => distinctNames(memberships.map(({ org_id, org_name }) => ({ org_id, name: org_name }))),
    [memberships],
  )
}
