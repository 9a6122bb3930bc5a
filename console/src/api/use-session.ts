import { useQuery } from '@tanstack/react-query'
import type { Session } from './generated/types.ts'
import { sessionQuery } from './session.ts'

/** The session of this browser. Every page below /o has one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('There is no session')
  return data
}
