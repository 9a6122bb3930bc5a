import { type EntityType, entityTypes } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql, unprepared } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { type DomainError, notFound } from '../../platform/domain-error.ts'
import { rowCanonicalIdSql } from '../../records/canonical.ts'
import type { MergeLink } from '../../records/clusters/cluster.ts'
import { recordNameSql } from '../../records/record-name.ts'
import type { Merge } from './schema.ts'

export type MergeReason = {
  method: Merge['method']
  /** The rule that decided; null if a person or the score decided. */
  rule?: string | null
  /** The probability of a match, 0 to 1. */
  score?: number | null
  evidence?: Merge['evidence']
  modelVersion?: string | null
}

export type NewMerge = MergeLink & { groupId: string; fieldsFilled: string[]; reason: MergeReason }

/** Stores merges, and closes the open proposals about the losers. */
export async function insertMerges(
  tx: OrgTx,
  entityType: EntityType,
  merges: readonly NewMerge[],
): Promise<void> {
  const rows = merges.map(({ reason, policies, ...merge }) => ({
    merge_id: merge.mergeId,
    merge_group_id: merge.groupId,
    survivor_id: merge.survivorId,
    loser_id: merge.loserId,
    seq: merge.seq,
    policies,
    fields_filled: merge.fieldsFilled,
    rule: reason.rule ?? null,
    score: reason.score ?? null,
    evidence: reason.evidence ?? [],
    model_version: reason.modelVersion ?? null,
    method: reason.method,
  }))
  await tx.run(sql`
    insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, seq, policies,
      fields_filled, rule, score, evidence, model_version, method, merged_at, merged_by)
    select ${tx.orgId}, m.merge_id, m.merge_group_id, ${entityType}, 'applied', m.survivor_id, m.loser_id, m.seq,
      m.policies, m.fields_filled, m.rule, m.score, m.evidence, m.model_version, m.method, now(), ${tx.actor.apiKeyId ?? tx.actor.memberId}
    from json_to_recordset(${JSON.stringify(rows)}::json) as m
      (merge_id uuid, merge_group_id uuid, survivor_id uuid, loser_id uuid, seq bigint, policies json,
      fields_filled text[], rule text, score float8, evidence json, model_version text, method text)`)
  const loserIds = merges.map(({ loserId }) => loserId)
  await tx.run(sql`
    update merge set status = 'stale'
    where org_id = ${tx.orgId} and entity = ${entityType} and status = 'shadow'
      and (loser_id = any(${loserIds}::uuid[]) or survivor_id = any(${loserIds}::uuid[]))`)
}

/** Stores how many references a merge moved. */
export async function saveMovedCount(tx: OrgTx, mergeId: string, moved: number): Promise<void> {
  await tx.run(sql`
    update merge set children_moved = ${moved}
    where org_id = ${tx.orgId} and merge_id = ${mergeId} and children_moved <> ${moved}`)
}

type Ids = 'merge_id' | 'merge_group_id' | 'survivor_id' | 'loser_id'
type Why = 'rule' | 'score' | 'model_version' | 'would_apply'
type Effects = 'fields_filled' | 'children_moved'
type Times = 'created_at' | 'merged_at' | 'merged_by' | 'undone_at' | 'undone_by'

type MergeColumns = Columns<'merge', Ids | Why | Effects | Times> & {
  entity: EntityType
  status: 'applied' | 'undone' | 'shadow' | 'dismissed' | 'stale'
  evidence: Merge['evidence']
  method: Merge['method']
  /** Whether a job still moves references to the two records. */
  applying: boolean
}

/** A stored merge with the current names of its records. */
export type MergeRow = MergeColumns & { survivor: Named | null; loser: Named | null }

/** The newest merge, applied or undone, of the two records of a closed proposal; null if they were never merged. */
export async function mergeOfProposal(
  tx: OrgTx,
  { entity, survivor_id, loser_id, status }: MergeRow,
): Promise<string | null> {
  if (status !== 'stale') return null
  const pair = [survivor_id, loser_id]
  const row = await tx.first(sql<{ merge_id: string }>`
    select merge_id from merge
    where org_id = ${tx.orgId} and entity = ${entity} and loser_id = any(${pair}::uuid[])
      and survivor_id = any(${pair}::uuid[]) and status in ('applied', 'undone')
    order by merge_id desc limit 1`)
  return row?.merge_id ?? null
}

/** The name of a record, or null, and the id and status of its canonical record. */
type Named = { name: string | null; rootId: string; rootStatus: string }

/**
 * Reads merges by a condition on `m`, with an optional order and limit.
 * @param isRare true: the condition's text varies by request, so the statement is not prepared
 */
export async function readMerges(
  tx: OrgTx,
  where: Sql,
  { isRare = false }: { isRare?: boolean } = {},
): Promise<MergeRow[]> {
  const statement = sql<MergeColumns>`
    select m.merge_id, m.merge_group_id, m.entity, m.status, m.survivor_id, m.loser_id, m.rule, m.score, m.evidence,
      m.model_version, m.would_apply, m.method, m.fields_filled, m.children_moved, m.created_at, m.merged_at, m.merged_by,
      m.undone_at, m.undone_by, exists (
        select from child_move v where v.org_id = m.org_id and v.merge_id = m.merge_id) as applying
    from merge m where m.org_id = ${tx.orgId} and ${where}`
  const rows = await tx.rows(isRare ? unprepared(statement) : statement)
  const idsOf = (entityType: EntityType) =>
    rows.flatMap((row) => (row.entity === entityType ? [row.survivor_id, row.loser_id] : []))
  const named = await Promise.all(entityTypes.map((entityType) => namesOf(tx, entityType, idsOf(entityType))))
  // An id belongs to only one record type, so the maps can be joined.
  const names = new Map(named.flatMap((each) => [...each]))
  return rows.map((row) => ({
    ...row,
    survivor: names.get(row.survivor_id) ?? null,
    loser: names.get(row.loser_id) ?? null,
  }))
}

/** A merge as it is stored. @throws DomainError not_found */
export async function findMerge(tx: OrgTx, mergeId: string): Promise<MergeRow> {
  const [row] = await readMerges(tx, sql`m.merge_id = ${mergeId}`)
  if (row) return row
  throw mergeNotFound()
}

/** The error for an id that is not the id of a merge of the organization. */
export const mergeNotFound = (): DomainError =>
  notFound('object_not_found', 'No merge of this organization has this id')

/** Returns the names of records, including absorbed ones, each with its canonical record. */
export async function namesOf(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, Named>> {
  if (recordIds.length === 0) return new Map()
  const [id, table] = [rawSql(`${entityType}_id`), rawSql(entityType)]
  const canonicalId = rowCanonicalIdSql('n', `${entityType}_id`)
  const ids = [...new Set(recordIds)]
  const rows = await tx.rows(sql<Named & { record_id: string }>`
    select n.${id} as record_id, ${rawSql(recordNameSql(entityType, 'n'))} as name, r.${id} as "rootId", r.status as "rootStatus"
    from ${table} n
    join ${table} r on r.org_id = n.org_id and r.${id} = ${canonicalId}
    where n.org_id = ${tx.orgId} and n.${id} = any((select ${ids}::uuid[])::uuid[])`)
  return new Map(rows.map((row) => [row.record_id, row]))
}
