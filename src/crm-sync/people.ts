import { contacts } from '../contacts/contacts.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { rowCanonicalIdSql } from '../records/canonical.ts'
import { withDefinedFilters } from '../records/defined-fields/defined-filters.ts'
import { comparisonsIn, equalityFilter, type FilterTree } from '../records/filters/tree.ts'
import { canonicalIdSql } from '../records/pending-moves.ts'
import { toCompany } from '../records/references.ts'
import { combined, readConditions, type SegmentConditions } from '../records/segments/with-segment.ts'
import { selectionOf } from '../records/selection.ts'
import { type PersonValues, pushedFields } from './field-map.ts'
import { isLinked, type PushTarget } from './links.ts'
import type { Population } from './schema.ts'

/** The people that a request asks for. The segment is as it was when the request came. */
export type Asked = Omit<Population, 'segment_id' | 'conditions'> & {
  conditions?: FilterTree
  segment?: SegmentConditions
}

const segmentPath = ['body', 'segment_id'] as const
const conditionsPath = ['body', 'conditions'] as const

/**
 * Replaces `segment_id` by the conditions of the segment.
 * @throws DomainError not_found; ValidationError at ["body","segment_id"]
 */
export async function askedBy(org: Org, population: Population): Promise<Asked> {
  const { contact_ids, filter, conditions, segment_id: segmentId } = population
  return {
    ...(contact_ids && { contact_ids }),
    ...(filter && { filter }),
    ...(conditions && { conditions: conditions.tree }),
    ...(segmentId && { segment: await readConditions(org, contacts, segmentId, segmentPath) }),
  }
}

/** A `select` of `contact_id` that finds people. */
export type People = Sql<{ contact_id: string }>

/**
 * SQL of a condition: the contact is active, and has an e-mail address or a phone number, or the CRM already has it. If
 * the contact lost its address or number, the push clears it in the CRM.
 */
const isPushable = (orgId: string, target: PushTarget) => sql`
  r.status = 'active'
  and (r.email is not null or r.phone is not null or ${isLinked(orgId, 'r.contact_id', target)})`

/**
 * The people who can be pushed: all, the people of `contact_ids`, or the people who match `filter`, `conditions` and the segment.
 * @throws ValidationError at ["body","filter",…], ["body","conditions"] or ["body","segment_id"]
 */
export async function peopleOf(
  org: Org,
  target: PushTarget,
  { contact_ids: ids, filter, conditions, segment }: Asked,
): Promise<People> {
  if (ids !== undefined) {
    // An absorbed contact counts as its canonical record.
    const asked = sql`
      select ${rowCanonicalIdSql('n', 'contact_id')} from contact n
      where n.org_id = ${org.orgId} and n.contact_id = any((select ${ids}::uuid[])::uuid[])`
    return sql`
      select r.contact_id from contact r
      where r.org_id = ${org.orgId} and r.contact_id in (${asked}) and ${isPushable(org.orgId, target)}`
  }
  const { q, updated_since: since, ...equal } = filter ?? {}
  const sent = equalityFilter(equal, ['body', 'filter'])
  const changed = since === undefined ? [] : [{ field: 'updated_at', op: 'gte', value: since } as const]
  const tree = { and: [sent.tree, ...changed, ...(conditions ? [conditions] : [])] }
  const compared = conditions ? comparisonsIn(conditions) : []
  const places = new Map([...sent.places, ...compared.map((each) => [each, conditionsPath] as const)])
  const own = { q, filter: { tree, places } }
  const selector = segment ? combined(own, segment, segmentPath) : own
  const type = await withDefinedFilters(org, contacts, selector)
  const selection = await selectionOf(org, type, selector, 'all')
  const { with: before, from, id, filter: found } = selection
  found.and(isPushable(org.orgId, target))
  return sql`${before} select ${id} as contact_id from ${from} where ${found.conditions}`
}

type CountRow = { count: number }

/** Returns the number of these people. */
export async function countPeople(tx: OrgTx, people: People): Promise<number> {
  const row = await tx.first(sql<CountRow>`select count(*) from (${people}) asked`)
  return row?.count ?? 0
}

/** Returns how many of these people the CRM already has. */
export async function countKnown(tx: OrgTx, target: PushTarget, people: People): Promise<number> {
  const linked = isLinked(tx.orgId, 'asked.contact_id', target)
  const row = await tx.first(sql<CountRow>`select count(*) from (${people}) asked where ${linked}`)
  return row?.count ?? 0
}

/** Returns how many of `contact_ids` are not pushed, by reason. */
export async function countSkipped(
  tx: OrgTx,
  target: PushTarget,
  { contact_ids: ids }: Asked,
): Promise<Record<string, number>> {
  if (ids === undefined) return {}
  const linked = isLinked(tx.orgId, 'r.contact_id', target)
  const rows = await tx.rows(sql<{ reason: string; count: number }>`
    select reason, count(*) from (
      select case
          when r.contact_id is null or r.status = 'erased' then 'not_found'
          when r.status = 'archived' then 'archived'
          when r.email is null and r.phone is null and not ${linked} then 'no_email_or_phone'
          when row_number() over (partition by r.contact_id) > 1 then 'same_person'
        end as reason
      from unnest(${ids}::uuid[]) as asked (contact_id)
      left join contact n on n.org_id = ${tx.orgId} and n.contact_id = asked.contact_id
      left join contact r on r.org_id = n.org_id
        and r.contact_id = ${rowCanonicalIdSql('n', 'contact_id')}
    ) each where reason is not null
    group by reason order by reason`)
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]))
}

export type PushedPerson = {
  isActive: boolean
  externalIds: Readonly<Record<string, string>>
  person: PersonValues
}

/** Returns the canonical record of each contact, by the requested id. Missing contacts are left out. */
export async function readPeople(
  tx: OrgTx,
  contactIds: readonly string[],
): Promise<Map<string, PushedPerson>> {
  for (;;) {
    const people = await readUnlessMerged(tx, contactIds)
    if (people !== null) return people
  }
}

type PersonRow = PersonValues & {
  is_active: boolean
  is_merged: boolean
  external_ids: Record<string, string>
}

/** The columns that are pushed unchanged. A person without a company name gets the name of the company. */
const ownColumns = rawSql(
  pushedFields
    .filter((name) => name !== 'company_name')
    .map((name) => `r.${name}`)
    .join(', '),
)

/** Reads people in two statements. Returns null if a contact was merged between the statements. */
async function readUnlessMerged(
  tx: OrgTx,
  contactIds: readonly string[],
): Promise<Map<string, PushedPerson> | null> {
  // Use two statements: a join could keep a plan from when the tables were empty, and scan the whole organization.
  const asked = await tx.rows(sql<{ contact_id: string; canonical_id: string }>`
    select contact_id, coalesce(merged_into_id, contact_id) as canonical_id from contact
    where org_id = ${tx.orgId} and contact_id = any((select ${contactIds}::uuid[])::uuid[])`)
  const canonicalIds = [...new Set(asked.map((row) => row.canonical_id))]
  const rows = await tx.rows(sql<PersonRow>`
    select r.contact_id, r.status = 'active' as is_active, r.status = 'merged' as is_merged, ${ownColumns},
      coalesce(r.company_name, (
        select c.name from company c
        where c.org_id = r.org_id and c.company_id = ${rawSql(canonicalIdSql('r', toCompany))} and c.status = 'active'
      )) as company_name,
      r.tags, r.custom, r.external_ids
    from contact r where r.org_id = ${tx.orgId} and r.contact_id = any((select ${canonicalIds}::uuid[])::uuid[])`)
  if (rows.some((row) => row.is_merged)) return null
  const people = new Map(
    rows.map(({ is_active: isActive, is_merged: _, external_ids: externalIds, ...person }) => [
      person.contact_id,
      { isActive, externalIds, person },
    ]),
  )
  return new Map(
    asked.flatMap(({ contact_id: contactId, canonical_id: canonicalId }) => {
      const person = people.get(canonicalId)
      return person ? [[contactId, person] as const] : []
    }),
  )
}
