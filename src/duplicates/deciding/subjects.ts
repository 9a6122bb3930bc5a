import type { Tx } from '../../platform/db/tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { ownState } from '../../records/clusters/view.ts'
import { readRecords, type Stored } from '../../records/lock.ts'
import type { State } from '../../records/record-type.ts'
import { readRoots } from '../../records/root.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import type { Matcher } from '../matcher/schema.ts'
import { type Portrait, portraits, type Traits } from './traits.ts'

/** A record that stands for itself, and what it is judged by: what was said of it and of each that it absorbed. */
export type Subject<Entity extends keyof Traits = keyof Traits> = {
  rootId: string
  version: number
  /** Unix milliseconds: of the oldest that it stands for. */
  createdAt: number
  hasExternalId: boolean
  members: { recordId: string; portrait: Portrait<Entity> }[]
}

/**
 * The records that stand for those of these ids, and are active, by their id.
 * @param archived one that need not be active
 */
export async function readSubjects(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  matcher: Matcher,
  recordIds: readonly string[],
  { archived }: { archived?: string } = {},
): Promise<Map<string, Subject>> {
  if (recordIds.length === 0) return new Map()
  const type = recordTypes[entityType]
  const named = await readRecords(tx, orgId, type, [...new Set(recordIds)])
  const known = new Set(named.map((stored) => stored.recordId))
  const merged = named.filter(({ status }) => status === 'merged').map((stored) => stored.recordId)
  const roots = merged.length > 0 ? [...(await readRoots(tx, orgId, entityType, merged)).values()] : []
  const others = roots.filter((id) => !known.has(id))
  const records = others.length > 0 ? await readRecords(tx, orgId, type, [...new Set(others)]) : []
  return new Map(
    [...named, ...records]
      .filter(({ recordId, status }) => status === 'active' || recordId === archived)
      .map((stored) => [stored.recordId, subjectOf(entityType, stored, matcher)]),
  )
}

/**
 * What is said of an absorbed record is judged as it was said, not as the survivor shows it: so merging what is the same
 * anyway brings no new likeness about.
 */
export function subjectOf(
  entityType: EntityType,
  { recordId, version, state, cluster }: Stored,
  matcher: Matcher,
): Subject {
  const draw = portraits[entityType] as (state: State, matcher: Matcher) => Portrait<keyof Traits>
  const type = recordTypes[entityType]
  // What its references stand for is known of the record as a whole.
  const { external_ids, company_id, contact_ids } = state
  const members = cluster
    ? [...cluster.members].map(([id, facts]) => ({
        recordId: id,
        state: { ...ownState(type, facts), company_id, contact_ids },
      }))
    : [{ recordId, state }]
  return {
    rootId: recordId,
    version,
    createdAt: Math.min(...members.map((member) => timeOf(member.recordId))),
    hasExternalId: Object.keys(external_ids as object).length > 0,
    members: members.map((member) => ({ recordId: member.recordId, portrait: draw(member.state, matcher) })),
  }
}

/** The versions of those of the records that are active, by id. */
export async function readVersions(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const id = recordTypes[entityType].idField
  // By id alone: of a table with no statistics yet PostgreSQL would rather read all active records than look up some.
  const rows = await tx.rows<{ record_id: string; version: number; status: string }>({
    text: `
      select ${id} as record_id, version, status from ${entityType}
      where org_id = $1 and ${id} = any($2::uuid[])`,
    values: [orgId, recordIds],
  })
  const active = rows.filter(({ status }) => status === 'active')
  return new Map(active.map(({ record_id, version }) => [record_id, version]))
}

/** How many records name each of these, by id; those that none names are left out. */
export async function childrenOf(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const children = new Map<string, number>()
  for (const { entity, column, table } of recordTypes[entityType].referrers) {
    const rows = await tx.rows<{ record_id: string; children: number }>({
      text: `
        select ${column} as record_id, count(*)::int as children from ${table ?? entity}
        where org_id = $1 and ${column} = any($2::uuid[]) ${table ? '' : "and status <> 'merged'"}
        group by ${column}`,
      values: [orgId, recordIds],
    })
    for (const row of rows) children.set(row.record_id, (children.get(row.record_id) ?? 0) + row.children)
  }
  return children
}
