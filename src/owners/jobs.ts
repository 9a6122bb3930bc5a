import { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Job, job } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type Owned, ownedTypes, reassignNext } from './reassign.ts'

const owns = Object.keys(ownedTypes) as Owned[]

const payload = z.object({
  org_id: z.string(),
  from_id: z.string(),
  to_id: z.string().nullable(),
  // The record types that the job changes.
  contacts: z.boolean(),
  companies: z.boolean(),
  deals: z.boolean(),
  mode: z.enum(['live', 'test']),
  api_key_id: z.string().nullable(),
  member_id: z.string().nullable(),
  connected_app_id: z.string().nullable(),
})

/** Gives all records of an owner to another. After a crash, it continues with the records that are left. */
export const reassignRecords: Job<z.output<typeof payload>> = job({
  name: 'reassign_records',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, from_id: fromId }) => `records of ${fromId} ${orgId}`,
  run: async ({ payload: { from_id: fromId, to_id: toId, ...payload }, context, signal }) => {
    const org = context.database.org(payload.org_id, {
      mode: payload.mode,
      apiKeyId: payload.api_key_id,
      memberId: payload.member_id,
      ...(payload.connected_app_id === null ? {} : { connectedAppId: payload.connected_app_id }),
    })
    for (const owned of owns.filter((each) => payload[each])) {
      for (let changed = 1; changed > 0; ) {
        signal.throwIfAborted()
        changed = await org.transact((tx) => reassignNext(tx, ownedTypes[owned], fromId, toId))
      }
    }
  },
})

/** Enqueues the job. Events name the actor of `tx`. */
export async function enqueueReassignment(
  tx: OrgTx,
  jobs: Jobs,
  fromId: string,
  toId: string | null,
  owned: readonly Owned[] = owns,
): Promise<void> {
  const { orgId, actor } = tx
  await jobs.enqueue(tx, reassignRecords, {
    ...{ org_id: orgId, from_id: fromId, to_id: toId, mode: actor.mode },
    ...{ contacts: owned.includes('contacts'), companies: owned.includes('companies') },
    deals: owned.includes('deals'),
    ...{ api_key_id: actor.apiKeyId, member_id: actor.memberId },
    connected_app_id: actor.connectedAppId ?? null,
  })
}
