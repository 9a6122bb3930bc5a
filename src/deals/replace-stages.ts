import { isDeepStrictEqual } from 'node:util'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { conflict } from '../platform/http/problem.ts'
import { viewOf } from '../records/clusters/view.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import { updateRecords } from '../records/write.ts'
import { deals, settleDeal } from './deals.ts'
import { holdStagesAlone, type Stages } from './stages.ts'

/** Replaces the stages. @throws Problem 409 if open deals are in one that is dropped, or `version` is not the current one */
export async function replaceStages(
  tx: Tx,
  actor: Actor,
  stages: readonly string[],
  version: number | undefined,
): Promise<Stages> {
  const { orgId } = actor
  const before = await holdStagesAlone(tx, orgId)
  requireVersion('the stages', version, before.version, { isPlural: true })
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
  await restage(tx, actor, before.stages, stages)
  return { stages: [...stages], version: before.version + 1 }
}

/** Deals that are derived, and locked, at once. */
const dealsPerLot = 100

/**
 * Gives open deals that were ever merged the stage that follows from what was said of them. One that shows the first stage
 * may do so because the org had not its own; any other stands, since no stage is dropped that an open deal shows.
 */
async function restage(
  tx: Tx,
  actor: Actor,
  before: readonly string[],
  stages: readonly string[],
): Promise<void> {
  const isSame = before[0] === stages[0] && stages.every((stage) => before.includes(stage))
  for (let after = isSame ? null : minUuid; after !== null; ) {
    const rows: { deal_id: string }[] = await tx.rows({
      text: `
        select deal_id from deal
        where org_id = $1 and facts is not null and status in ('active', 'archived') and deal_status = 'open'
          and stage = $2 and deal_id > $3::uuid
        order by deal_id limit ${dealsPerLot}`,
      values: [actor.orgId, before[0], after],
    })
    const ids = rows.map((row) => row.deal_id)
    after = ids.length < dealsPerLot ? null : ids.at(-1)!
    const updates = (await lockRecords(tx, actor.orgId, deals, ids)).flatMap((stored) => {
      if (!stored.cluster) return []
      const { stage } = settleDeal(viewOf(deals, stored.cluster), stages)
      if (stage === stored.state.stage) return []
      const said = { recordId: stored.recordId, columns: [], lists: {} }
      return { stored, state: { ...stored.state, stage }, said }
    })
    await updateRecords(tx, actor, deals, updates)
  }
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
