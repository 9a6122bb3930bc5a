import type { EntityType } from '../matching/entity-type.ts'
import { anyUuid } from '../platform/db/any-uuid.ts'
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

export function namesReference(type: RecordType, fields: Fields): boolean {
  return [...type.references, ...type.links].some(({ field }) => fields[field] !== undefined)
}

/**
 * Fills in canonical ids, and locks the referenced records.
 * @returns for each state, null or a DomainError that lists all unknown references
 */
export async function resolveReferences(
  tx: OrgTx,
  type: RecordType,
  states: readonly StoredColumns[],
): Promise<(DomainError | null)[]> {
  const resolved = states.map((state) => ({ state, unknown: [] as string[] }))
  for (const reference of type.references) {
    const { rawColumn, column } = reference
    const named = states.map((state) => state[rawColumn]).filter((id) => typeof id === 'string')
    const roots = await lockCanonical(tx, reference.to, named)
    for (const { state, unknown } of resolved) {
      const raw = state[rawColumn] as string | null
      state[column] = raw === null ? null : (roots.get(raw) ?? null)
      if (raw !== null && !roots.has(raw)) unknown.push(unknownReference(reference, [raw]))
    }
  }
  for (const link of type.links) {
    const { rawColumn, column } = link
    const roots = await lockCanonical(
      tx,
      link.to,
      states.flatMap((state) => state[rawColumn] as string[]),
    )
    for (const { state, unknown } of resolved) {
      const raws = state[rawColumn] as string[]
      state[column] = raws.map((raw) => roots.get(raw))
      const missing = raws.filter((raw) => !roots.has(raw))
      if (missing.length > 0) unknown.push(unknownReference(link, missing))
    }
  }
  return resolved.map(({ unknown }) =>
    unknown.length > 0 ? notFound('reference_not_found', unknown.join('; ')) : null,
  )
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
): Promise<void> {
  if (!namesReference(type, fields)) return
  const [problem] = await resolveReferences(tx, type, [state])
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
  for (let follows = 0; ; follows++) {
    const rows = await tx.rows(sql<{ named: string; root: string; status: string }>`
      select n.${id} as named, r.${id} as root, r.status
      from ${table} n join ${table} r on r.org_id = n.org_id and r.${id} = ${canonicalId}
      where n.org_id = ${tx.orgId} and n.${id} = ${anyUuid([...new Set(named)])} and r.status <> 'erased'
      order by r.${id} for key share of r`)
    const roots = new Map(rows.map((row) => [row.named, row.root]))
    const areCurrent =
      rows.every(({ status }) => status !== 'merged') && (await rootsUnchanged(tx, to, roots))
    if (areCurrent || follows === attemptsMax) return roots
  }
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
      named: sql<Named>`select distinct r.${raw} as id from (${members}) as r where r.${raw} is not null`,
    }
  })
  const links = type.links.map((link) => ({
    to: link.to,
    named: sql<Named>`
      select distinct l.${rawSql(`${link.to}_raw_id`)} as id from (${members}) as r
      join ${rawSql(link.table)} l on l.org_id = r.org_id and l.${id} = r.${id} where l.org_id = ${tx.orgId}`,
  }))
  for (const { to, named } of [...references, ...links]) {
    const rows = await tx.rows(named)
    const ids = rows.map((row) => row.id)
    await lockCanonical(tx, to, ids)
  }
}

type Named = { id: string }

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
