import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { notFound } from '../platform/domain-error.ts'
import { type ContactKeys, keysOf } from '../tracking/identity/user-keys-of-contact.ts'

/** The newest people of a company whose items its timeline shows. */
const peopleMax = 200

/** A person, with everything by which calls and web events name them. */
export type Person = ContactKeys & { contactId: string; phones: string[] }

/** What a timeline is about. */
export type Subject = {
  entity: 'contact' | 'company'
  /** The canonical id. */
  id: string
  /** The ids of the record, and of the records that it absorbed. */
  ids: string[]
  /** The contact itself, or the people of the company. */
  people: Person[]
}

type Row = Columns<'contact', 'contact_id' | 'emails' | 'external_ids' | 'claimed_by' | 'phones'>

const columns = sql`c.contact_id, c.emails, c.external_ids, c.claimed_by, c.phones`

/** @throws DomainError not_found */
export async function findContact(tx: OrgTx, contactId: string): Promise<Subject> {
  const rows = await tx.rows(sql<Row & { root: string }>`
    with shown as (${rootOf(tx, 'contact', contactId)})
    select s.root, ${columns} from shown s join contact c on c.org_id = ${tx.orgId} and c.contact_id = s.root
    union all
    select s.root, ${columns} from shown s join contact c on c.org_id = ${tx.orgId} and c.merged_into_id = s.root`)
  const [first] = rows
  if (!first) throw notFound('object_not_found', 'No contact of this organization has this id')
  const person = personOf(first.root, rows)
  return { entity: 'contact', id: first.root, ids: person.contactIds, people: [person] }
}

/**
 * @param withPeople whether the caller may read contacts
 * @throws DomainError not_found
 */
export async function findCompany(tx: OrgTx, companyId: string, withPeople: boolean): Promise<Subject> {
  const rows = await tx.rows(sql<{ root: string; company_id: string }>`
    with shown as (${rootOf(tx, 'company', companyId)})
    select s.root, s.root as company_id from shown s
    union all
    select s.root, c.company_id from shown s join company c on c.org_id = ${tx.orgId} and c.merged_into_id = s.root`)
  const [first] = rows
  if (!first) throw notFound('object_not_found', 'No company of this organization has this id')
  const people = await tx.rows(sql<Row & { root: string }>`
    with person as (
      select c.contact_id from contact c
      where ${withPeople}::boolean and c.org_id = ${tx.orgId} and c.company_id = ${first.root} and c.merged_into_id is null
      order by c.contact_id desc limit ${peopleMax}
    )
    select p.contact_id as root, ${columns} from person p join contact c on c.org_id = ${tx.orgId} and c.contact_id = p.contact_id
    union all
    select p.contact_id, ${columns} from person p join contact c on c.org_id = ${tx.orgId} and c.merged_into_id = p.contact_id`)
  return {
    ...{ entity: 'company', id: first.root, ids: rows.map(({ company_id: id }) => id) },
    people: [...Map.groupBy(people, ({ root }) => root)].map(([root, records]) => personOf(root, records)),
  }
}

/** The canonical id of a record; no row for an unknown or erased record. */
function rootOf(tx: OrgTx, entity: 'contact' | 'company', recordId: string): Sql {
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  return sql`
    select coalesce(n.merged_into_id, n.${id}) as root from ${table} n
    where n.org_id = ${tx.orgId} and n.${id} = ${recordId} and n.status <> 'erased'`
}

const personOf = (contactId: string, records: readonly Row[]): Person => ({
  ...{ contactId, ...keysOf(records) },
  phones: [...new Set(records.flatMap(({ phones }) => phones))],
})
