import type { Caller } from './caller.ts'

/** The actor that events name. `apiKeyId` is null for operator commands and for jobs without an API key. */
export type Actor = Pick<Caller, 'orgId' | 'mode'> & { apiKeyId: string | null }

/** The operator, at work on an organization. */
export const operatorOf = (orgId: string): Actor => ({ orgId, mode: 'live', apiKeyId: null })
