import { type EntityType, entityTypes } from '../../matching/entity-type.ts'
import type { Actor } from '../../platform/actor.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { notFound } from '../../platform/domain-error.ts'
import { rowCanonicalIdSql } from '../../records/canonical.ts'
import type { Link } from '../../records/clusters/cluster.ts'
import type { Merge } from './schema.ts'

/** Why two records are merged or proposed. */
export type MergeReason = {
  method: Merge['method']
  /** The rule that decided; null: a person or the score alone. */
  rule?: string | null
  /** Probability that the two are the same, 0 to 1. */
  score?: number | null
  evidence?: Merge['evidence']
  modelVersion?: string | null
}

/** A merge that is about to be stored. */
export type NewMerge = Link & { fieldsFilled: string[] }

/** Stores merges as one group and closes the open proposals about their losers. */
export async function insertMerges(
  tx: OrgTx,
  actor: Actor,
  entityType: EntityType,
  merges: readonly NewMerge[],
  reason: MergeReason,
): Promise<void> {
  const { orgId, apiKeyId } = actor
  await tx.run({
    text: `
      insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, seq, policies, fields_filled,
        rule, score, evidence, model_version, method, merged_at, merged_by)
      select $1, m.merge_id, $2, $3, 'applied', m.survivor_id, m.loser_id, m.seq, m.policies, string_to_array(m.fields_filled, ' '),
        $4, $5, $6, $7, $8, now(), $9
      from unnest($10::uuid[], $11::uuid[], $12::uuid[], $13::bigint[], $14::json[], $15::text[])
        as m (merge_id, survivor_id, loser_id, seq, policies, fields_filled)`,
    values: [
      orgId,
      merges[0]?.mergeId,
      entityType,
      reason.rule ?? null,
      reason.score ?? null,
      JSON.stringify(reason.evidence ?? []),
      reason.modelVersion ?? null,
      reason.method,
      apiKeyId,
      merges.map(({ mergeId }) => mergeId),
      merges.map(({ survivorId }) => survivorId),
      merges.map(({ loserId }) => loserId),
      merges.map(({ seq }) => seq),
      merges.map(({ policies }) => policies && JSON.stringify(policies)),
      merges.map(({ fieldsFilled }) => fieldsFilled.join(' ')),
    ],
  })
  await tx.run({
    text: `
      update merge set status = 'stale'
      where org_id = $1 and entity = $2 and status = 'shadow' and (loser_id = any($3::uuid[]) or survivor_id = any($3::uuid[]))`,
    values: [orgId, entityType, merges.map(({ loserId }) => loserId)],
  })
}

/** Stores how many references a merge moved. */
export async function saveMovedCount(
  tx: OrgTx,
  orgId: string,
  mergeId: string,
  moved: number,
): Promise<void> {
  await tx.run({
    text: 'update merge set children_moved = $3 where org_id = $1 and merge_id = $2 and children_moved <> $3',
    values: [orgId, mergeId, moved],
  })
}

/** A merge as it is stored, with the current names of its two records. */
export type MergeRow = {
  merge_id: string
  merge_group_id: string
  entity: EntityType
  status: 'applied' | 'undone' | 'shadow' | 'dismissed' | 'stale'
  survivor_id: string
  loser_id: string
  rule: string | null
  score: number | null
  evidence: Merge['evidence']
  model_version: string | null
  would_apply: boolean | null
  method: Merge['method']
  fields_filled: string[]
  children_moved: number
  created_at: Date
  merged_at: Date | null
  merged_by: string | null
  undone_at: Date | null
  undone_by: string | null
  /** True while a job still moves references to its two records. */
  applying: boolean
  survivor: Named | null
  loser: Named | null
}

/** For a proposal that is out of date: the newest merge of its two records, applied or undone. null: never merged. */
export async function mergeOfProposal(
  tx: OrgTx,
  orgId: string,
  { entity, survivor_id, loser_id, status }: MergeRow,
): Promise<string | null> {
  if (status !== 'stale') return null
  const row = await tx.first<{ merge_id: string }>({
    text: `
      select merge_id from merge
      where org_id = $1 and entity = $2 and loser_id = any($3::uuid[]) and survivor_id = any($3::uuid[])
        and status in ('applied', 'undone')
      order by merge_id desc limit 1`,
    values: [orgId, entity, [survivor_id, loser_id]],
  })
  return row?.merge_id ?? null
}

/** The name of a record (null: it has none), and the id and status of its canonical record. */
type Named = { name: string | null; rootId: string; rootStatus: string }

const nameSql: Record<EntityType, string> = {
  contact: `coalesce(nullif(concat_ws(' ', n.first_name, n.last_name), ''), n.email, n.phone)`,
  company: 'coalesce(n.name, n.domain)',
  deal: 'n.name',
}

/** Reads merges by a condition on `m`; $1 is the org. */
export async function readMerges(
  tx: OrgTx,
  orgId: string,
  query: { where: string; values: readonly unknown[] },
): Promise<MergeRow[]> {
  const rows = await tx.rows<MergeRow>({
    text: `
      select m.merge_id, m.merge_group_id, m.entity, m.status, m.survivor_id, m.loser_id, m.rule, m.score, m.evidence,
        m.model_version, m.would_apply, m.method, m.fields_filled, m.children_moved, m.created_at, m.merged_at, m.merged_by,
        m.undone_at, m.undone_by, exists (
          select from child_move v where v.org_id = m.org_id and v.merge_id = m.merge_id) as applying
      from merge m where m.org_id = $1 and ${query.where}`,
    values: query.values,
  })
  const idsOf = (entityType: EntityType) =>
    rows.flatMap((row) => (row.entity === entityType ? [row.survivor_id, row.loser_id] : []))
  const named = await Promise.all(
    entityTypes.map((entityType) => namesOf(tx, orgId, entityType, idsOf(entityType))),
  )
  // Ids are unique over all record types.
  const names = new Map(named.flatMap((each) => [...each]))
  for (const row of rows) {
    row.survivor = names.get(row.survivor_id) ?? null
    row.loser = names.get(row.loser_id) ?? null
  }
  return rows
}

/** A merge of this org, by its id. @throws DomainError not_found */
export async function findMerge(tx: OrgTx, orgId: string, mergeId: string): Promise<MergeRow> {
  const [row] = await readMerges(tx, orgId, { where: 'm.merge_id = $2', values: [orgId, mergeId] })
  if (row) return row
  throw notFound('No merge of this organization has this id')
}

/** The current names of records, by id. */
export async function namesOf(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, Named>> {
  if (recordIds.length === 0) return new Map()
  const id = `${entityType}_id`
  const rows = await tx.rows<Named & { record_id: string }>({
    text: `
      select n.${id} as record_id, ${nameSql[entityType]} as name, r.${id} as "rootId", r.status as "rootStatus"
      from ${entityType} n
      join ${entityType} r on r.org_id = n.org_id and r.${id} = ${rowCanonicalIdSql('n', id)}
      where n.org_id = $1 and n.${id} = ${anyOf('$2')}`,
    values: [orgId, [...new Set(recordIds)]],
  })
  return new Map(rows.map((row) => [row.record_id, row]))
}
