import { createContext, useContext } from 'react'
import type { Api, Mode } from '../api/client.ts'
import type { Membership } from '../api/generated/types.ts'

/** The scope of the pages below /o: one organization in one mode. */
export type Scope = {
  orgId: string
  mode: Mode
  membership: Membership
  /** The name of the organization, with the end of its id if the person has another one of this name. */
  orgName: string
  api: Api
  /**
   * Whether the person's role includes a permission. The server decides; pages hide actions that the server would
   * refuse.
   */
  can: (permission: string) => boolean
}

export const ScopeContext = createContext<Scope | null>(null)

export function useScope(): Scope {
  const scope = useContext(ScopeContext)
  if (!scope) throw new Error('Only pages below /o have an organization')
  return scope
}
