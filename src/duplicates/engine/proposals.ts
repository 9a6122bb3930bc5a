import type { EntityType } from '../../matching/entity-type.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { Merge } from '../merge/schema.ts'
import { type PlannedMerge, pairName } from './plan.ts'

export type OpenProposal = {
  merge_id: string
  survivor_id: string
  loser_id: string
  rule: string | null
  score: number | null
  evidence: Merge['evidence']
  model_version: string | null
  would_apply: boolean
}

const columns = sql`merge_id, survivor_id, loser_id, rule, score, evidence, model_version, would_apply`

/**
 * PostgreSQL has no statistics of a new table, and would choose slow plans. `offset 0` and the separate condition on
 * the status make it look up each id, instead of scanning all open proposals. `order by` makes it use the index of
 * `column`: with the index of the other column, each lookup would read all merges. `between` is used because with `=`,
 * PostgreSQL would ignore the order.
 */
const openOf = (
  column: 'survivor_id' | 'loser_id',
  { orgId }: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
) => sql<OpenProposal>`
  select ${columns} from unnest(${recordIds}::uuid[]) as about (id) cross join lateral (
    select * from merge where org_id = ${orgId} and entity = ${entityType} and ${rawSql(column)} between about.id and about.id
    order by ${rawSql(column)} offset 0
  ) as m
  where status = 'shadow'`

/** Returns the open proposals about any of these records. */
export function openProposals(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<OpenProposal[]> {
  return tx.rows(sql<OpenProposal>`
    ${openOf('survivor_id', tx, entityType, recordIds)}
    union all ${openOf('loser_id', tx, entityType, recordIds)} and not survivor_id = any(${recordIds}::uuid[])`)
}

/** Returns the open proposals between two of these records. */
export function openProposalsAmong(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<OpenProposal[]> {
  return tx.rows(sql<OpenProposal>`
    ${openOf('loser_id', tx, entityType, recordIds)} and survivor_id = any(${recordIds}::uuid[])`)
}

/** Returns the pairs that open proposals would merge. */
export async function proposedPairs(tx: OrgTx, entityType: EntityType): Promise<[string, string][]> {
  const rows = await tx.rows(sql<{ survivor_id: string; loser_id: string }>`
    select survivor_id, loser_id from merge
    where org_id = ${tx.orgId} and entity = ${entityType} and status = 'shadow'`)
  return rows.map(({ survivor_id, loser_id }) => [survivor_id, loser_id])
}

/** Opens new proposals, closes proposals that are not planned any more, and updates the reasons of the others. */
export async function replaceProposals(
  tx: OrgTx,
  entityType: EntityType,
  open: readonly OpenProposal[],
  wanted: readonly PlannedMerge[],
): Promise<{ opened: number; closed: number }> {
  const wantedPairs = new Map(wanted.map((each) => [pairName(each.survivorId, each.loserId), each]))
  const openPairs = new Map(open.map((each) => [pairName(each.survivor_id, each.loser_id), each]))
  const gone = [...openPairs].filter(([name]) => !wantedPairs.has(name)).map(([, each]) => each.merge_id)
  const changed = [...openPairs].flatMap(([name, each]) => {
    const now = wantedPairs.get(name)
    return now && contentOf(each) !== contentOf(storedRow(now)) ? [{ mergeId: each.merge_id, ...now }] : []
  })
  const added = [...wantedPairs].filter(([name]) => !openPairs.has(name)).map(([, each]) => each)
  await closeProposals(tx, gone, 'stale')
  await updateProposals(tx, changed)
  const opened = await insertProposals(tx, entityType, added)
  return { opened, closed: gone.length }
}

const storedRow = ({ wouldApply, reason }: PlannedMerge) => ({
  rule: reason.rule ?? null,
  score: reason.score ?? null,
  evidence: reason.evidence ?? [],
  model_version: reason.modelVersion ?? null,
  would_apply: wouldApply,
})

const contentOf = ({ rule, score, evidence, model_version, would_apply }: ReturnType<typeof storedRow>) =>
  JSON.stringify([rule, score, evidence, model_version, would_apply])

/** @returns the ids of the closed proposals */
export async function closeProposals(
  tx: OrgTx,
  mergeIds: readonly string[],
  status: 'stale' | 'dismissed',
): Promise<string[]> {
  if (mergeIds.length === 0) return []
  const rows = await tx.rows(sql<{ merge_id: string }>`
    update merge set status = ${status}
    where org_id = ${tx.orgId} and merge_id = any(${mergeIds}::uuid[]) and status = 'shadow'
    returning merge_id`)
  return rows.map(({ merge_id: mergeId }) => mergeId)
}

/** @returns false if the two records already have another open proposal, or if the proposal is not dismissed */
export async function reopenDismissed(tx: OrgTx, mergeId: string): Promise<boolean> {
  const reopened = await tx.run(sql`
    update merge d set status = 'shadow'
    where org_id = ${tx.orgId} and merge_id = ${mergeId} and status = 'dismissed' and not exists (
      select from merge m where m.org_id = d.org_id and m.entity = d.entity and m.status = 'shadow'
        and least(m.loser_id, m.survivor_id) = least(d.loser_id, d.survivor_id)
        and greatest(m.loser_id, m.survivor_id) = greatest(d.loser_id, d.survivor_id))`)
  return reopened > 0
}

async function updateProposals(
  tx: OrgTx,
  proposals: readonly (PlannedMerge & { mergeId: string })[],
): Promise<void> {
  if (proposals.length === 0) return
  const rows = proposals.map((each) => ({ merge_id: each.mergeId, ...storedRow(each) }))
  await tx.run(sql`
    update merge m set rule = p.rule, score = p.score, evidence = p.evidence, model_version = p.model_version,
      would_apply = p.would_apply
    from json_to_recordset(${JSON.stringify(rows)}::json) as p
      (merge_id uuid, rule text, score float8, evidence json, model_version text, would_apply boolean)
    where m.org_id = ${tx.orgId} and m.merge_id = p.merge_id and m.status = 'shadow'`)
}

async function insertProposals(
  tx: OrgTx,
  entityType: EntityType,
  proposals: readonly PlannedMerge[],
): Promise<number> {
  if (proposals.length === 0) return 0
  const groups = new Map<string, string>()
  const rows = proposals.map((each) => {
    const mergeId = newId()
    if (!groups.has(each.survivorId)) groups.set(each.survivorId, mergeId)
    return {
      merge_id: mergeId,
      merge_group_id: groups.get(each.survivorId),
      survivor_id: each.survivorId,
      loser_id: each.loserId,
      ...storedRow(each),
    }
  })
  return tx.run(sql`
    insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, rule, score, evidence,
      model_version, would_apply, method)
    select ${tx.orgId}, p.merge_id, p.merge_group_id, ${entityType}, 'shadow', p.survivor_id, p.loser_id, p.rule, p.score,
      p.evidence, p.model_version, p.would_apply, 'auto'
    from json_to_recordset(${JSON.stringify(rows)}::json) as p
      (merge_id uuid, merge_group_id uuid, survivor_id uuid, loser_id uuid, rule text, score float8, evidence json,
      model_version text, would_apply boolean)
    on conflict (org_id, entity, least(loser_id, survivor_id), greatest(loser_id, survivor_id))
    where status = 'shadow' do nothing`)
}
