import type { Actor } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeat } from '../../platform/repeat.ts'
import { installSignatures } from './job.ts'

const intervalMs = 60_000
/** So long after something is due its job is there, unless there is none. */
const graceSeconds = 60

/**
 * Sees to it that whatever is due has a job: a process that lost its own to another may have taken a mailbox after that one
 * had looked for the last time.
 */
export async function pickUpLeft(scope: SystemScope, { jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await scope.transact(async (tx) => {
    const lanes = await tx.rows<{ org_id: string; mode: Actor['mode'] }>({
      text: `
        select distinct d.org_id, d.mode from signature_deployment d
        where d.asked > d.done and d.try_at < now() - $2 * interval '1 second' and not exists (
          select from pgboss.job_common j
          where j.name = $1 and j.state <= 'active' and j.group_id = d.org_id::text and j.data->>'mode' = d.mode)`,
      values: [installSignatures.name, graceSeconds],
    })
    for (const lane of lanes) await jobs.enqueue(tx, installSignatures, lane)
  })
}

/** Looks once a minute. Any number of processes may do so at once. Returns how to stop. */
export function pickUpSignatures(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    intervalMs,
    () => pickUpLeft(scope, context),
    (error) => context.log.warn({ err: error }, 'signatures without a job were not looked for; later'),
  )
}
