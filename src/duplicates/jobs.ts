import { z } from 'zod'
import { type Job, job } from '../platform/jobs/job.ts'
import { beforeAll } from '../records/before-all.ts'
import { moveLot } from '../records/referrers.ts'
import { entityTypes, recordTypes } from './entities.ts'
import { endMove, findMove, holdMoves } from './moves.ts'

const payload = z.object({
  org_id: z.string(),
  merge_id: z.string(),
  entity_type: z.enum(entityTypes),
  api_key_id: z.string().nullable(),
  mode: z.enum(['live', 'test']),
})

/**
 * Moves the records that a merge, or its undoing, gave another root, some at a time; started again after a crash, it
 * goes over what is left.
 */
export const moveChildren: Job<z.output<typeof payload>> = job({
  name: 'move_children',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, entity_type: type }) => `children of ${type} ${orgId}`,
  run: async ({ payload, context, signal }) => {
    const { org_id: orgId, merge_id: mergeId, entity_type: entityType } = payload
    const type = recordTypes[entityType]
    const org = context.database.org(orgId)
    const actor = { orgId, apiKeyId: payload.api_key_id, mode: payload.mode }
    const version = await org.read((tx) => findMove(tx, orgId, mergeId))
    if (version === null) return
    for (const referrer of type.referrers) {
      for (let after: string | null = beforeAll; after !== null; ) {
        signal.throwIfAborted()
        const from: string = after
        after = await org.transact(async (tx) => {
          const moves = await holdMoves(tx, orgId, type, mergeId)
          let last: string | null = null
          for (const move of moves) {
            const lot = await moveLot(tx, actor, referrer, move, from)
            if (lot.last !== null && (last === null || lot.last < last)) last = lot.last
          }
          return last
        })
      }
    }
    await org.transact((tx) => endMove(tx, orgId, mergeId, version))
  },
})
