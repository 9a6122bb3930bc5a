import type { EntityType } from '../matching/entity-type.ts'
import { anyUuid } from '../platform/db/any-uuid.ts'
import { onAllRecords } from '../platform/db/limited-records.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { type DomainError, notFound } from '../platform/domain-error.ts'
import { readCanonicalIds, rowCanonicalIdSql } from './canonical.ts'
import { namesOf } from './names.ts'
import type { Fields, Links, RecordType, Reference, StoredColumns } from './record-type.ts'

export const toCompany: Reference = {
  field: 'company_id',
  rawColumn: 'company_raw_id',
  column: 'company_id',
  to: 'company',
}

/** The maximum number of attempts. Locking starts again if a merge or an undo changed a canonical record. */
const attemptsMax = 10

/** Returns whether these fields have a reference or a link, even an empty one. */
export function namesReference(type: RecordType, fields: Fields): boolean {
  return [...type.references, ...type.links].some(({ field }) => fields[field] !== undefined)
}

/**
 * Fills in canonical ids, and locks the referenced records.
 * @param earlier the columns of each record before the write. A limited member may keep references to records that the
 * member does not see
 * @returns for each state, null or a DomainError that lists all unknown references
 */
export async function resolveReferences(
  tx: OrgTx,
  type: RecordType,
  states: readonly StoredColumns[],
  earlier: readonly (StoredColumns | null)[] = [],
): Promise<(DomainError | null)[]> {
  const resolved = states.map((state, index) => ({
    ...{ state, before: earlier[index] ?? null, unknown: [] as string[] },
  }))
  for (const reference of type.references) {
    const { rawColumn, column } = reference
    const idsOf = (columns: StoredColumns | null) => {
      const raw = columns?.[rawColumn]
      return typeof raw === 'string' ? [raw] : []
    }
    const rootOf = await lockNamed(tx, reference.to, resolved, idsOf)
    for (const { state, before, unknown } of resolved) {
      const raw = state[rawColumn] as string | null
      const root = raw === null ? null : rootOf(raw, before)
      state[column] = root ?? null
      if (raw !== null && root === undefined) unknown.push(unknownReference(reference, [raw]))
    }
  }
  for (const link of type.links) {
    const { rawColumn, column } = link
    const idsOf = (columns: StoredColumns | null) => (columns?.[rawColumn] as string[] | undefined) ?? []
    const rootOf = await lockNamed(tx, link.to, resolved, idsOf)
    for (const { state, before, unknown } of resolved) {
      const raws = state[rawColumn] as string[]
      state[column] = raws.map((raw) => rootOf(raw, before))
      const missing = raws.filter((raw) => rootOf(raw, before) === undefined)
      if (missing.length > 0) unknown.push(unknownReference(link, missing))
    }
  }
  return resolved.map(({ unknown }) =>
    unknown.length > 0 ? notFound('reference_not_found', unknown.join('; ')) : null,
  )
}

type Named = { state: StoredColumns; before: StoredColumns | null }

/**
 * Locks the records that `states` name.
 * @returns a function that finds the canonical id of a named id. If the member of the transaction does not see a record,
 * the function finds it only for a record that already names it
 */
async function lockNamed(
  tx: OrgTx,
  to: EntityType,
  records: readonly Named[],
  idsOf: (columns: StoredColumns | null) => string[],
): Promise<(id: string, before: StoredColumns | null) => string | undefined> {
  const roots = await lockCanonical(
    tx,
    to,
    records.flatMap(({ state }) => idsOf(state)),
  )
  if (tx.actor.recordAccess === undefined) return (id) => roots.get(id)
  const kept = records.flatMap(({ state, before }) => {
    const known = idsOf(before)
    return idsOf(state).filter((id) => !roots.has(id) && known.includes(id))
  })
  const hidden = await onAllRecords(tx, () => lockCanonical(tx, to, kept))
  return (id, before) => roots.get(id) ?? (idsOf(before).includes(id) ? hidden.get(id) : undefined)
}

/**
 * Resolves the references in `fields`. Other references keep their canonical ids.
 * @throws DomainError not_found for an unknown reference
 */
export async function requireReferences(
  tx: OrgTx,
  type: RecordType,
  fields: Fields,
  state: StoredColumns,
  earlier: StoredColumns | null = null,
): Promise<void> {
  if (!namesReference(type, fields)) return
  const [problem] = await resolveReferences(tx, type, [state], [earlier])
  if (problem) throw problem
}

const unknownReference = ({ field, to }: Reference | Links, ids: readonly string[]): string =>
  `${field}: no ${to} of this organization has the id ${ids.join(' or ')}`

/** Locks the canonical records: none is merged or erased before this transaction commits. */
export async function lockCanonical(
  tx: OrgTx,
  to: EntityType,
  named: readonly string[],
): Promise<Map<string, string>> {
  if (named.length === 0) return new Map()
  const [table, id] = [rawSql(to), rawSql(`${to}_id`)]
  const canonicalId = rowCanonicalIdSql('n', `${to}_id`)
  for (let follows = 0; follows < attemptsMax; follows++) {
    const rows = await tx.rows(sql<{ named: string; root: string; status: string }>`
      select n.${id} as named, r.${id} as root, r.status
      from ${table} n join ${table} r on r.org_id = n.org_id and r.${id} = ${canonicalId}
      where n.org_id = ${tx.orgId} and n.${id} = ${anyUuid([...new Set(named)])} and r.status <> 'erased'
      order by r.${id} for key share of r`)
    const roots = new Map(rows.map((row) => [row.named, row.root]))
    const areCurrent =
      rows.every(({ status }) => status !== 'merged') && (await rootsUnchanged(tx, to, roots))
    if (areCurrent) return roots
  }
  throw new Error(`The canonical records of ${to} ids changed ${attemptsMax} times while they were locked`)
}

/**
 * Locks the records that some records and their cluster members refer to. Lock the referrers afterwards, as merges do:
 * another order could deadlock.
 */
export async function lockReferencesOf(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<void> {
  const { table, id } = namesOf(type)
  const canonicalId = rowCanonicalIdSql('n', type.idField)
  const members = sql`
    select m.* from ${table} n join ${table} m on m.org_id = n.org_id
      and (m.${id} = ${canonicalId} or m.merged_into_id = ${canonicalId})
    where n.org_id = ${tx.orgId} and n.${id} = ${anyUuid(recordIds)}`
  const references = type.references.map(({ to, rawColumn }) => {
    const raw = rawSql(rawColumn)
    return {
      to,
      named: sql<NamedId>`select distinct r.${raw} as id from (${members}) as r where r.${raw} is not null`,
    }
  })
  const links = type.links.map((link) => ({
    to: link.to,
    named: sql<NamedId>`
      select distinct l.${rawSql(`${link.to}_raw_id`)} as id from (${members}) as r
      join ${rawSql(link.table)} l on l.org_id = r.org_id and l.${id} = r.${id} where l.org_id = ${tx.orgId}`,
  }))
  for (const { to, named } of [...references, ...links]) {
    const rows = await tx.rows(named)
    const ids = rows.map((row) => row.id)
    await lockCanonical(tx, to, ids)
  }
}

type NamedId = { id: string }

/** Whether the canonical ids are unchanged. An undo may have changed them while this transaction waited for locks. */
async function rootsUnchanged(
  tx: OrgTx,
  to: EntityType,
  roots: ReadonlyMap<string, string>,
): Promise<boolean> {
  const absorbed = [...roots].filter(([named, root]) => named !== root)
  if (absorbed.length === 0) return true
  const now = await readCanonicalIds(
    tx,
    to,
    absorbed.map(([named]) => named),
  )
  return absorbed.every(([named, root]) => now.get(named) === root)
}
