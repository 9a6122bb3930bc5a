import { recordEvents } from '../events/record.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { onOtherOrg } from '../platform/db/other-org.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict, type DomainError, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { Client, CreateClient, ListQuery } from './schema.ts'

export const clientsMax = 10_000

const wire = new JsonColumns('o', {
  org_id: { sql: 'c.client_org_id', kind: 'uuid' },
  name: 'text',
  default_country: 'text',
  created_at: 'seconds',
  linked_at: { sql: 'c.created_at', kind: 'seconds' },
})

// Row-level security hides a client's row from its agency, so a function reads it. The links are in the order of a page,
// so that the query calls the function only for the rows of the page.
const links = sql`
  (select agency_org_id as org_id, client_org_id, created_at from agency_client order by client_org_id desc) c
  cross join lateral app.client_of_agency(c.client_org_id) o`

/** Returns the clients of the agency, newest organization first. */
export function listClients(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'c')
  const total = sql`select count(*) from agency_client where agency_org_id = ${org.orgId}`
  const id = sql`c.client_org_id`
  return readPage(org, cursors, { list: 'clients', from: links, id, wire, filter, total }, query)
}

/** @throws DomainError not_found */
export async function findClient(tx: OrgTx, clientOrgId: string): Promise<Client> {
  const client = await tx.first(sql<Client>`
    select c.client_org_id as org_id, o.name, o.default_country,
      floor(extract(epoch from o.created_at))::bigint as created_at,
      floor(extract(epoch from c.created_at))::bigint as linked_at
    from ${links} where c.org_id = ${tx.orgId} and c.client_org_id = ${clientOrgId}`)
  if (!client) throw clientNotFound()
  return client
}

/** The error for an id that is not the id of a client of the agency. */
export const clientNotFound = (): DomainError =>
  notFound('object_not_found', 'This agency has no client with this id')

/**
 * Creates an organization as a client of this agency.
 * @throws DomainError conflict if the agency has 10,000 clients
 */
export async function createClient(tx: OrgTx, input: CreateClient): Promise<Client> {
  await lockExclusive(tx, `clients ${tx.orgId}`)
  const counted = await tx.first(sql<{ clients: number }>`
    select count(*) as clients from agency_client where agency_org_id = ${tx.orgId}`)
  if (counted && counted.clients >= clientsMax) throw tooManyClients()
  const orgId = newId()
  await tx.run(sql`select app.create_client_org(${orgId}, ${input.name}, ${input.default_country ?? null})`)
  const data = { name: input.name }
  await recordEvents(tx, [{ type: 'agency.client_created', objectId: orgId, data }])
  // The client's own log must show who made it and who may act on it: the link can be cut later.
  const agency = await tx.first(sql<{ name: string }>`select name from org where org_id = ${tx.orgId}`)
  await onOtherOrg(tx, { ...tx.actor, orgId }, (client) =>
    recordEvents(client, [
      { type: 'org.created', objectId: orgId },
      { type: 'org.agency_linked', objectId: tx.orgId, data: { name: agency?.name } },
    ]),
  )
  return findClient(tx, orgId)
}

/** The error for an agency that has the maximum number of clients. */
export const tooManyClients = (): DomainError =>
  conflict(
    'limit_reached',
    `An agency can have at most ${clientsMax.toLocaleString('en')} clients. Ask the operator of this installation for more.`,
  )
