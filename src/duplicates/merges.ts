import type { Actor } from '../events/record.ts'
import { anyOf } from '../platform/db/any-of.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound } from '../platform/http/problem.ts'
import type { Link } from '../records/clusters/facts.ts'
import { rootId } from '../records/root.ts'
import { type EntityType, entityTypes } from './entities.ts'
import type { Merge } from './schema.ts'

/** Why two records were merged, or should be. */
export type Why = {
  method: Merge['method']
  /** The rule that said so; null: a person did, or the score alone. */
  rule?: string | null
  /** Probability that they are one, 0 to 1. */
  score?: number | null
  evidence?: Merge['evidence']
  modelVersion?: string | null
}

/** A merge that is about to be in force. */
export type NewMerge = Link & { fieldsFilled: string[] }

/** Writes down merges that are in force from now on, as one group; proposals to merge the same records have had their day. */
export async function insertMerges(
  tx: Tx,
  actor: Actor,
  entityType: EntityType,
  merges: readonly NewMerge[],
  why: Why,
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
      merges[0]!.mergeId,
      entityType,
      why.rule ?? null,
      why.score ?? null,
      JSON.stringify(why.evidence ?? []),
      why.modelVersion ?? null,
      why.method,
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

/** Says how many records came with a merge. */
export async function countMoved(tx: Tx, orgId: string, mergeId: string, children: number): Promise<void> {
  await tx.run({
    text: 'update merge set children_moved = $3 where org_id = $1 and merge_id = $2 and children_moved <> $3',
    values: [orgId, mergeId, children],
  })
}

/** A merge as it is stored, with what is known of its records now. */
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
  /** True while records that name its two are still being moved. */
  applying: boolean
  survivor: Named | null
  loser: Named | null
}

/** The newest merge of the two records of a proposal that is closed, in force or undone; null: they were never merged. */
export async function mergeOfProposal(
  tx: Tx,
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

/** What a record is called, null if nothing can be said; what stands for it, and the state that this is in. */
type Named = { name: string | null; rootId: string; rootStatus: string }

const nameSql: Record<EntityType, string> = {
  contact: `coalesce(nullif(concat_ws(' ', n.first_name, n.last_name), ''), n.email, n.phone)`,
  company: 'coalesce(n.name, n.domain)',
  deal: 'n.name',
}

/** Reads merges by a condition on `m`, newest first; $1 is the org. */
export async function readMerges(
  tx: Tx,
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
  const names = Object.fromEntries(entityTypes.map((entityType, index) => [entityType, named[index]!]))
  for (const row of rows) {
    row.survivor = names[row.entity]!.get(row.survivor_id) ?? null
    row.loser = names[row.entity]!.get(row.loser_id) ?? null
  }
  return rows
}

/** A merge of this org, by its id. @throws Problem 404 */
export async function findMerge(tx: Tx, orgId: string, mergeId: string): Promise<MergeRow> {
  const [row] = await readMerges(tx, orgId, { where: 'm.merge_id = $2', values: [orgId, mergeId] })
  if (row) return row
  throw notFound('No merge of this organization has this id')
}

/** What is known of records now, by id. */
export async function namesOf(
  tx: Tx,
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
      join ${entityType} r on r.org_id = n.org_id and r.${id} = ${rootId('n', id)}
      where n.org_id = $1 and n.${id} = ${anyOf('$2')}`,
    values: [orgId, [...new Set(recordIds)]],
  })
  return new Map(rows.map((row) => [row.record_id, row]))
}
