import { anyOf } from '../platform/db/any-of.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound, type Problem } from '../platform/http/problem.ts'
import type { Fields, Links, RecordType, Reference, State } from './record-type.ts'
import { readRoots, rootId } from './root.ts'

/** How contacts and deals name a company. */
export const toCompany: Reference = {
  field: 'company_id',
  rawColumn: 'company_raw_id',
  column: 'company_id',
  to: 'company',
}

/** How often a merge that commits while its record is waited for is followed. */
const followsMax = 10

/** True if a write of `fields` names a record of another kind, or none any more. */
export function namesReference(type: RecordType, fields: Fields): boolean {
  return [...type.references, ...type.links].some(({ field }) => fields[field] !== undefined)
}

/**
 * Fills in what the references of `states` stand for now; it stays so until the transaction ends.
 * @returns for each state the Problem that names every reference to a record that this org does not have, or null
 */
export async function resolveReferences(
  tx: Tx,
  orgId: string,
  type: RecordType,
  states: readonly State[],
): Promise<(Problem | null)[]> {
  const unknown = states.map((): string[] => [])
  for (const reference of type.references) {
    const { rawColumn, column } = reference
    const named = states.map((state) => state[rawColumn]).filter((id) => typeof id === 'string')
    const roots = await holdRoots(tx, orgId, reference.to, named)
    states.forEach((state, index) => {
      const raw = state[rawColumn] as string | null
      state[column] = raw === null ? null : (roots.get(raw) ?? null)
      if (raw !== null && !roots.has(raw)) unknown[index]!.push(unknownReference(reference, [raw]))
    })
  }
  for (const link of type.links) {
    const { rawColumn, column } = link
    const roots = await holdRoots(
      tx,
      orgId,
      link.to,
      states.flatMap((state) => state[rawColumn] as string[]),
    )
    states.forEach((state, index) => {
      const raws = state[rawColumn] as string[]
      state[column] = raws.map((raw) => roots.get(raw))
      const missing = raws.filter((raw) => !roots.has(raw))
      if (missing.length > 0) unknown[index]!.push(unknownReference(link, missing))
    })
  }
  return unknown.map((each) => (each.length > 0 ? notFound(each.join('; ')) : null))
}

/**
 * Resolves the references of a record that is written; one that `fields` do not name stands as it was resolved when it was
 * named. @throws Problem 404 that names it
 */
export async function requireReferences(
  tx: Tx,
  orgId: string,
  type: RecordType,
  fields: Fields,
  state: State,
): Promise<void> {
  if (!namesReference(type, fields)) return
  const [problem] = await resolveReferences(tx, orgId, type, [state])
  if (problem) throw problem
}

const unknownReference = ({ field, to }: Reference | Links, ids: readonly string[]): string =>
  `${field}: no ${to} of this organization has the id ${ids.join(' or ')}`

/** The records that stand for those that are named, held so that none is merged or erased before this commits. */
export async function holdRoots(
  tx: Tx,
  orgId: string,
  to: Links['to'] | Reference['to'],
  named: readonly string[],
): Promise<Map<string, string>> {
  if (named.length === 0) return new Map()
  for (let follows = 0; ; follows++) {
    const rows = await tx.rows<{ named: string; root: string; status: string }>({
      text: `
        select n.${to}_id as named, r.${to}_id as root, r.status
        from ${to} n join ${to} r on r.org_id = n.org_id and r.${to}_id = ${rootId('n', `${to}_id`)}
        where n.org_id = $1 and n.${to}_id = ${anyOf('$2')} and r.status <> 'erased'
        order by r.${to}_id for key share of r`,
      values: [orgId, [...new Set(named)]],
    })
    const roots = new Map(rows.map((row) => [row.named, row.root]))
    const settled =
      rows.every(({ status }) => status !== 'merged') && (await standStill(tx, orgId, to, roots))
    if (settled || follows === followsMax) return roots
  }
}

/**
 * Holds what the records of these ids, and those that are one with them, name; before their own locks, as those have it
 * who merge what is named, and then change whoever names it.
 */
export async function holdReferenced(
  tx: Tx,
  orgId: string,
  { entity, idField: id, references, links }: RecordType,
  recordIds: readonly string[],
): Promise<void> {
  const members = `
    select m.* from ${entity} n join ${entity} m on m.org_id = n.org_id
      and (m.${id} = ${rootId('n', id)} or m.merged_into_id = ${rootId('n', id)})
    where n.org_id = $1 and n.${id} = ${anyOf('$2')}`
  const named = [
    ...references.map(({ to, rawColumn }) => ({
      to,
      text: `select distinct r.${rawColumn} as id from (${members}) as r where r.${rawColumn} is not null`,
    })),
    ...links.map(({ to, table }) => ({
      to,
      text: `
        select distinct l.${to}_raw_id as id from (${members}) as r
        join ${table} l on l.org_id = r.org_id and l.${id} = r.${id} where l.org_id = $1`,
    })),
  ]
  for (const { to, text } of named) {
    const rows = await tx.rows<{ id: string }>({ text, values: [orgId, recordIds] })
    await holdRoots(
      tx,
      orgId,
      to,
      rows.map((row) => row.id),
    )
  }
}

/** True if absorbed records that were named still stand under the roots found: a merge may be undone meanwhile. */
async function standStill(
  tx: Tx,
  orgId: string,
  to: Links['to'] | Reference['to'],
  roots: ReadonlyMap<string, string>,
): Promise<boolean> {
  const absorbed = [...roots].filter(([named, root]) => named !== root)
  if (absorbed.length === 0) return true
  const now = await readRoots(
    tx,
    orgId,
    to,
    absorbed.map(([named]) => named),
  )
  return absorbed.every(([named, root]) => now.get(named) === root)
}
