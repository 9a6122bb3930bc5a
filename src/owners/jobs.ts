import { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { actorShape, authorOf, payloadOf } from '../platform/jobs/actor-payload.ts'
import type { JobIdentity } from '../platform/jobs/identity.ts'
import { type Job, job } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { runTurn } from '../platform/jobs/run-turn.ts'
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
  ...actorShape,
})

type Payload = z.output<typeof payload>

const identity: JobIdentity<Payload> & { serialKey(payload: Payload): string } = {
  name: 'reassign_records',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, from_id: fromId }) => `records of ${fromId} ${orgId}`,
}

/**
 * Gives all records of an owner to another, in turns of a second. After a crash, it continues with the records that
 * are left.
 */
export const reassignRecords: Job<Payload> = job({
  ...identity,
  run: async (work) => {
    const { org_id: orgId, from_id: fromId, to_id: toId, ...payload } = work.payload
    const org = work.org(orgId, authorOf(payload))
    const left = owns.filter((each) => payload[each])
    // A step continues with the next type if it finds no record of a type. Otherwise each slow turn could end after a
    // type without records, and the job would never finish.
    await runTurn(work, async () => {
      for (let owned = left[0]; owned !== undefined; owned = left[0]) {
        const type = ownedTypes[owned]
        if ((await org.transact((tx) => reassignNext(tx, type, fromId, toId))) > 0) return false
        left.shift()
      }
      return true
    })
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
  await jobs.enqueue(tx, identity, {
    ...{ org_id: orgId, from_id: fromId, to_id: toId, ...payloadOf(actor) },
    ...{ contacts: owned.includes('contacts'), companies: owned.includes('companies') },
    deals: owned.includes('deals'),
  })
}
