import type { ActorKind } from '../../../../sdk/src/generated/types.ts'

/** The filters of the audit log, in the form of the address. */
export type EventFilters = {
  types?: string | undefined
  actor?: ActorKind | undefined
  object?: string | undefined
  /** The id of an API key or member. */
  by?: string | undefined
}

const kinds: readonly unknown[] = ['member', 'api_key', 'operator', 'system'] satisfies ActorKind[]

export const readEventFilters = ({ types, actor, object, by }: Record<string, unknown>): EventFilters => ({
  types: typeof types === 'string' && types ? types : undefined,
  actor: kinds.includes(actor) ? (actor as ActorKind) : undefined,
  object: typeof object === 'string' && object ? object : undefined,
  by: typeof by === 'string' && by ? by : undefined,
})
