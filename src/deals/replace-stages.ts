import { isDeepStrictEqual } from 'node:util'
import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { notOneOf } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { viewOf } from '../records/clusters/view.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import { updateRecords } from '../records/write.ts'
import { deals, withExistingStage } from './deals.ts'
import type { StagesBody } from './schema.ts'
import { lockStages, type Stages } from './stages.ts'

type ReplaceStages = { stages: readonly string[]; moves?: readonly StageMove[] | undefined }
type StageMove = NonNullable<StagesBody['moves']>[number]

/**
 * Replaces the stages, and moves the open deals of removed stages.
 * @throws ValidationError for a move that does not fit the stages
 * @throws DomainError conflict if open deals remain in a removed stage, if there are too many to move, or if `version`
 * is not the current one
 */
export async function replaceStages(
  tx: OrgTx,
  { stages, moves = [] }: ReplaceStages,
  version: number | undefined,
): Promise<Stages> {
  const { orgId } = tx
  requireSoundMoves(stages, moves)
  const before = await lockStages(tx)
  requireVersion('the stages', version, before.version, { isPlural: true })
  if (isDeepStrictEqual(before.stages, stages)) return before
  await moveDeals(tx, moves)
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

/** How many deals a request may move. No deal can be written while they move. */
const movedMax = 10_000

/** @throws ValidationError if a move is not from a removed stage to one of the stages */
function requireSoundMoves(stages: readonly string[], moves: readonly StageMove[]): void {
  const problems = moves.flatMap(({ from, to }, index) => {
    const isRepeated = moves.findIndex((move) => move.from === from) < index
    return [
      ...(stages.includes(from) ? [detailAt(['body', 'moves', index, 'from'], stillAStage)] : []),
      ...(isRepeated ? [detailAt(['body', 'moves', index, 'from'], repeated)] : []),
      ...(stages.includes(to) ? [] : [detailAt(['body', 'moves', index, 'to'], notOneOf(stages))]),
    ]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

const stillAStage = refuse('only the deals of a removed stage move: leave this stage out of `stages`')
const repeated = refuse('each stage may appear only once as `from`')

/**
 * Moves the open deals of stages to other stages.
 * @throws DomainError conflict if there are too many
 */
async function moveDeals(tx: OrgTx, moves: readonly StageMove[]): Promise<void> {
  const targets = new Map(moves.map(({ from, to }) => [from, to]))
  if (targets.size === 0) return
  const rows = await tx.rows(sql<DealId>`
    select deal_id from deal
    where org_id = ${tx.orgId} and deal_status = 'open' and stage = any(${[...targets.keys()]})
      and status in ('active', 'archived')
    order by deal_id limit ${rawSql(String(movedMax + 1))}`)
  if (rows.length > movedMax)
    throw conflict(
      'limit_reached',
      `At most ${movedMax} open deals can be moved together with their stage. Move some of them first (POST /deals/batch).`,
    )
  const ids = rows.map((row) => row.deal_id)
  for (let from = 0; from < ids.length; from += batchMax) {
    const locked = await lockRecords(tx, deals, ids.slice(from, from + batchMax))
    const updates = locked.map((stored) => ({
      stored,
      state: { ...stored.state, stage: targets.get(stored.state.stage as string) ?? stored.state.stage },
      write: { recordId: stored.recordId, columns: ['stage'], lists: {} },
    }))
    await updateRecords(tx, deals, updates)
  }
}

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
    `These stages cannot be removed yet, because they have open deals: ${counts.join(', ')}. Move the deals to another stage with \`moves\`, or close them first. Restore archived deals before you close them.`,
  )
}
