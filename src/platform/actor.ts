import type { Caller } from './caller.ts'

/** The actor that events name: an API key, a member or the operator. If it has none of the three, the system acts. */
export type Actor = Pick<
  Caller,
  'orgId' | 'mode' | 'apiKeyId' | 'memberId' | 'connectedAppId' | 'recordAccess'
> & {
  isOperator?: true
}

/** The operator of the installation, acting on an organization in live mode. */
export const operatorOf = (orgId: string): Actor => ({ ...systemOf(orgId), isOperator: true })

/** Crosswalk itself, acting on an organization. */
export const systemOf = (orgId: string, mode: Actor['mode'] = 'live'): Actor => ({
  orgId,
  mode,
  apiKeyId: null,
  memberId: null,
})
