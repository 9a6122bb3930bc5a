import { isDeepStrictEqual } from 'node:util'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import { keyHash } from '../records/keys.ts'

export type Stages = { stages: string[]; version: number }

/** Who writes deals holds this together with others, who changes the stages alone. */
const lockOf = (orgId: string) => keyHash({ kind: 'deal stages', value: orgId })

/** The stages that deals of the org may be in, in their order. */
export async function readStages(tx: Tx, orgId: string): Promise<Stages> {
  const row = await tx.first<Stages>({
    text: 'select stages, version from deal_pipeline where org_id = $1',
    values: [orgId],
  })
  if (!row) throw conflict('This organization no longer exists')
  return row
}

/** The same; none of them is dropped until the transaction ends. */
export async function holdStages(tx: Tx, orgId: string): Promise<string[]> {
  const [, { stages }] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock_shared($1::bigint)', values: [lockOf(orgId)] }),
    readStages(tx, orgId),
  ])
  return stages
}

/** Replaces the stages. @throws Problem 409 if open deals are in one that is dropped, or `version` is not the current one */
export async function replaceStages(
  tx: Tx,
  actor: Actor,
  stages: readonly string[],
  version: number | undefined,
): Promise<Stages> {
  const { orgId } = actor
  const [, before] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lockOf(orgId)] }),
    readStages(tx, orgId),
  ])
  if (version !== undefined && version !== before.version) {
    throw conflict(
      `If-Match names version ${version}, but the stages are at version ${before.version}: read them again and repeat the change on what they are now`,
    )
  }
  if (isDeepStrictEqual(before.stages, stages)) return before
  await requireEmpty(
    tx,
    orgId,
    before.stages.filter((stage) => !stages.includes(stage)),
  )
  await Promise.all([
    tx.run({
      text: `
        update deal_pipeline set stages = $2, version = version + 1, updated_at = clock_timestamp()
        where org_id = $1`,
      values: [orgId, stages],
    }),
    recordEvents(tx, actor, [{ type: 'deal_stages.updated', objectId: orgId, changed: ['stages'] }]),
  ])
  return { stages: [...stages], version: before.version + 1 }
}

/** @throws Problem 409 that says how many open deals are in which of the stages */
async function requireEmpty(tx: Tx, orgId: string, dropped: readonly string[]): Promise<void> {
  if (dropped.length === 0) return
  const taken = await tx.rows<{ stage: string; deals: number; archived: number }>({
    text: `
      select stage, count(*) as deals, count(*) filter (where status = 'archived') as archived
      from deal
      where org_id = $1 and deal_status = 'open' and stage = any($2) and status in ('active', 'archived')
      group by stage order by array_position($2::text[], stage)`,
    values: [orgId, dropped],
  })
  if (taken.length === 0) return
  const counts = taken.map(({ stage, deals, archived }) => {
    const noun = deals === 1 ? 'open deal' : 'open deals'
    return `${deals} ${noun}${archived > 0 ? ` (${archived} archived)` : ''} in "${stage}"`
  })
  throw conflict(
    `There are still ${counts.join(', ')}: move or close them first, archived ones after a restore`,
  )
}
