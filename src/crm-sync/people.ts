import { contacts } from '../contacts/contacts.ts'
import { anyOf } from '../platform/db/any-of.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { rowCanonicalIdSql } from '../records/canonical.ts'
import { selectionOf } from '../records/find.ts'
import { canonicalIdSql } from '../records/pending-moves.ts'
import { toCompany } from '../records/references.ts'
import type { Source } from './field-map.ts'
import { isLinked, type Target } from './links.ts'
import type { Population } from './schema.ts'

/** Finds people: a `select` of their `contact_id`. */
export type People = Sql<{ contact_id: string }>

/**
 * SQL: an active contact with an e-mail address or a phone number, or that the CRM has already: what it lost is cleared
 * there as well.
 */
const isPushable = (target: Target) =>
  sql`r.status = 'active' and (r.email is not null or r.phone is not null or ${isLinked('r.contact_id', target)})`

/**
 * The people that a body asks for: everybody who can be pushed, those of `contact_ids`, or those of `filter`.
 * @throws ValidationError at ["body","filter",…]
 */
export async function peopleOf(
  org: Org,
  target: Target,
  { contact_ids: ids, filter }: Population,
): Promise<People> {
  if (ids !== undefined) {
    // A merged one is who stands for it.
    const asked = sql`
      select ${rowCanonicalIdSql('n', 'contact_id')} from contact n
      where n.org_id = ${org.orgId} and n.contact_id = any((select ${ids}::uuid[])::uuid[])`
    return sql`
      select r.contact_id from contact r
      where r.org_id = ${org.orgId} and r.contact_id in (${asked}) and ${isPushable(target)}`
  }
  const { lifecycle_stage: stage, ...rest } = filter ?? {}
  const selection = await selectionOf(org, contacts, rest, ['body', 'filter'], false)
  const { with: before, from, id, filter: found } = selection
  found.where(stage, (asked) => sql`r.lifecycle_stage = ${asked}`).and(isPushable(target))
  return sql`${before} select ${id} as contact_id from ${from} where ${found.conditions}`
}

type Counted = { count: number }

/** How many there are. */
export async function countPeople(tx: OrgTx, people: People): Promise<number> {
  const row = await tx.first(sql<Counted>`select count(*) from (${people}) asked`)
  return row?.count ?? 0
}

/** How many of the people that a statement finds (their contact ids) the CRM knows. */
export async function countKnown(tx: OrgTx, target: Target, people: People): Promise<number> {
  const linked = isLinked('asked.contact_id', target)
  const row = await tx.first(sql<Counted>`select count(*) from (${people}) asked where ${linked}`)
  return row?.count ?? 0
}

/** Why those of `contact_ids` who are not pushed are not, counted. */
export async function skippedOf(
  tx: OrgTx,
  target: Target,
  { contact_ids: ids }: Population,
): Promise<Record<string, number>> {
  if (ids === undefined) return {}
  const linked = isLinked('r.contact_id', target)
  const rows = await tx.rows(sql<{ reason: string; count: number }>`
      select reason, count(*) from (
        select case
            when r.contact_id is null or r.status = 'erased' then 'not_found'
            when r.status = 'archived' then 'archived'
            when r.email is null and r.phone is null and not ${linked} then 'no_email_or_phone'
            when row_number() over (partition by r.contact_id) > 1 then 'same_person'
          end as reason
        from unnest(${ids}::uuid[]) as asked (contact_id)
        left join contact n on n.org_id = ${target.orgId} and n.contact_id = asked.contact_id
        left join contact r on r.org_id = n.org_id
          and r.contact_id = ${rowCanonicalIdSql('n', 'contact_id')}
      ) each where reason is not null
      group by reason order by reason`)
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]))
}

/** A person as they are now. */
export type PushedPerson = {
  isActive: boolean
  externalIds: Readonly<Record<string, string>>
  person: Source
}

/** The people that contacts stand for now, by the contact that was asked for; those that are no more are left out. */
export async function readPeople(
  tx: OrgTx,
  orgId: string,
  contactIds: readonly string[],
): Promise<Map<string, PushedPerson>> {
  for (;;) {
    const people = await readOnce(tx, orgId, contactIds)
    if (people !== null) return people
  }
}

/** Null if some were merged between one statement and the other. */
async function readOnce(
  tx: OrgTx,
  orgId: string,
  contactIds: readonly string[],
): Promise<Map<string, PushedPerson> | null> {
  // Two statements and no join: that would be planned while the tables are empty, and then read the whole org.
  const asked = await tx.rows<{ contact_id: string; root_id: string }>({
    text: `
      select contact_id, coalesce(merged_into_id, contact_id) as root_id from contact
      where org_id = $1 and contact_id = ${anyOf('$2')}`,
    values: [orgId, contactIds],
  })
  type Row = Source & { is_active: boolean; is_merged: boolean; external_ids: Record<string, string> }
  const rows = await tx.rows<Row>({
    text: `
      select r.contact_id, r.status = 'active' as is_active, r.status = 'merged' as is_merged, r.first_name, r.last_name, r.email, r.phone,
        coalesce(r.company_name, (
          select c.name from company c
          where c.org_id = r.org_id and c.company_id = ${canonicalIdSql('r', toCompany)} and c.status = 'active'
        )) as company_name,
        r.job_title, r.city, r.region, r.country, r.linkedin_url, r.lifecycle_stage, r.source, r.tags, r.custom,
        r.external_ids
      from contact r where r.org_id = $1 and r.contact_id = ${anyOf('$2')}`,
    values: [orgId, [...new Set(asked.map((row) => row.root_id))]],
  })
  if (rows.some((row) => row.is_merged)) return null
  const people = new Map(
    rows.map(({ is_active: isActive, is_merged: _, external_ids: externalIds, ...person }) => [
      person.contact_id,
      { isActive, externalIds, person },
    ]),
  )
  return new Map(
    asked.flatMap(({ contact_id: contactId, root_id: rootId }) => {
      const person = people.get(rootId)
      return person ? [[contactId, person] as const] : []
    }),
  )
}
