import { isDeepStrictEqual } from 'node:util'
import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict } from '../platform/domain-error.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { viewOf } from '../records/clusters/view.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import { updateRecords } from '../records/write.ts'
import { deals, withExistingStage } from './deals.ts'
import { lockStages, type Stages } from './stages.ts'

/** @throws DomainError conflict if open deals are in a removed stage, or `version` is not the current one */
export async function replaceStages(
  tx: OrgTx,
  stages: readonly string[],
  version: number | undefined,
): Promise<Stages> {
  const { orgId } = tx
  const before = await lockStages(tx)
  requireVersion('the stages', version, before.version, { isPlural: true })
  if (isDeepStrictEqual(before.stages, stages)) return before
  await requireUnused(
    tx,
    before.stages.filter((stage) => !stages.includes(stage)),
  )
  await Promise.all([
    tx.run(sql`
      update deal_pipeline set stages = ${stages}, version = version + 1, updated_at = clock_timestamp()
      where org_id = ${tx.orgId}`),
    recordEvents(tx, [{ type: 'deal_stages.updated', objectId: orgId, changed: ['stages'] }]),
  ])
  await deriveStages(tx, before.stages, stages)
  return { stages: [...stages], version: before.version + 1 }
}

type DealId = Columns<'deal', 'deal_id'>

/** How many deals are locked at once. */
const batchMax = 100

/**
 * Computes the stage of merged open deals again. Only deals in the first stage can change: a stage in use cannot be
 * removed, and a merged deal whose own stage was removed earlier shows the first stage.
 */
async function deriveStages(tx: OrgTx, before: readonly string[], stages: readonly string[]): Promise<void> {
  const isSame = before[0] === stages[0] && stages.every((stage) => before.includes(stage))
  for (let after = isSame ? null : minUuid; after !== null; ) {
    const rows: DealId[] = await tx.rows(sql<DealId>`
      select deal_id from deal
      where org_id = ${tx.orgId} and facts is not null and status in ('active', 'archived') and deal_status = 'open'
        and stage = ${before[0]} and deal_id > ${after}::uuid
      order by deal_id limit ${rawSql(String(batchMax))}`)
    const ids = rows.map((row) => row.deal_id)
    after = ids.length < batchMax ? null : (ids.at(-1) ?? null)
    const updates = (await lockRecords(tx, deals, ids)).flatMap((stored) => {
      if (!stored.cluster) return []
      const { stage } = withExistingStage(viewOf(deals, stored.cluster), stages)
      if (stage === stored.state.stage) return []
      const write = { recordId: stored.recordId, columns: [], lists: {} }
      return { stored, state: { ...stored.state, stage }, write }
    })
    await updateRecords(tx, deals, updates)
  }
}

/** @throws DomainError conflict with the number of open deals in each removed stage */
async function requireUnused(tx: OrgTx, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return
  const used = await tx.rows(sql<{ stage: string; deals: number; archived: number }>`
    select stage, count(*) as deals, count(*) filter (where status = 'archived') as archived
    from deal
    where org_id = ${tx.orgId} and deal_status = 'open' and stage = any(${removed}) and status in ('active', 'archived')
    group by stage order by array_position(${removed}::text[], stage)`)
  if (used.length === 0) return
  const counts = used.map(({ stage, deals, archived }) => {
    const noun = deals === 1 ? 'open deal' : 'open deals'
    return `${deals} ${noun}${archived > 0 ? ` (${archived} archived)` : ''} in "${stage}"`
  })
  throw conflict(
    'stage_in_use',
    `There are still ${counts.join(', ')}. Move or close them first. Restore archived deals before you move or close them.`,
  )
}
