import { useQueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { useScope } from '../../shell/scope.tsx'
import { clientKeys } from './client-queries.ts'

/** Reads the clients again, and the session, which lists the clients that the person reaches. */
export function useRefresh(): () => void {
  const { orgId } = useScope()
  const queries = useQueryClient()
  return () => {
    void queries.refetchQueries(sessionQuery)
    for (const queryKey of clientKeys(orgId)) void queries.invalidateQueries({ queryKey })
  }
}
