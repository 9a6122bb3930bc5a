import { z } from 'zod'
import type { Actor } from '../actor.ts'
import type { Author } from '../db/database.ts'

/** The members of a payload that say who requested the job. The events of the job name this actor. */
export const actorShape = {
  mode: z.enum(['live', 'test']),
  api_key_id: z.string().nullable(),
  member_id: z.string().nullable(),
  connected_app_id: z.string().nullable(),
}

export type ActorPayload = z.output<z.ZodObject<typeof actorShape>>

/** Returns the members of a payload that name an actor. */
export const payloadOf = ({ mode, apiKeyId, memberId, connectedAppId }: Actor): ActorPayload => ({
  ...{ mode, api_key_id: apiKeyId, member_id: memberId, connected_app_id: connectedAppId ?? null },
})

/** Returns the actor that a payload names. */
export const authorOf = ({ mode, api_key_id, member_id, connected_app_id }: ActorPayload): Author => ({
  ...{ mode, apiKeyId: api_key_id, memberId: member_id },
  ...(connected_app_id === null ? {} : { connectedAppId: connected_app_id }),
})
