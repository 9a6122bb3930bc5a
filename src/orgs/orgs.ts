import { v7 } from 'uuid'
import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import type { Client, CreateClient, Org, UpdateOrg } from './schema.ts'

/** The org that the transaction is bound to. @throws DomainError conflict if an operator has just removed it */
export async function findOrg(tx: OrgTx): Promise<Org> {
  const row = await tx.first(sql<Org>`
    select org_id, name, default_country,
      is_agency or exists (select from agency_client l where l.agency_org_id = org.org_id) as is_agency
    from org where org_id = ${tx.orgId}`)
  if (!row) throw conflict('This organization no longer exists')
  return row
}

/** True if the bound org is flagged as an agency or has linked client orgs. */
export async function isRecognizedAgency(tx: OrgTx): Promise<boolean> {
  return (await findOrg(tx)).is_agency
}

/** Changes the given fields only, so that two concurrent changes of different fields both take effect. */
export async function updateOrg(tx: OrgTx, input: UpdateOrg): Promise<void> {
  const before = await findOrg(tx)
  const changed = (['name', 'default_country'] as const).filter(
    (field) => input[field] !== undefined && input[field] !== before[field],
  )
  if (changed.length === 0) return
  const { name = before.name, default_country: country = before.default_country } = input
  await tx.run(sql`
    update org
    set name = case when ${changed.includes('name')} then ${name} else name end,
      default_country = case when ${changed.includes('default_country')} then ${country} else default_country end
    where org_id = ${tx.orgId}`)
  await recordEvents(tx, [{ type: 'org.updated', objectId: tx.orgId, changed }])
}

/** The list of clients has no pages, so its length is limited. */
const clientsMax = 10_000
const clients = sql`
  select org_id, name, default_country, floor(extract(epoch from created_at))::bigint as created_at,
    floor(extract(epoch from linked_at))::bigint as linked_at
  from app.agency_clients()`

/** The client orgs of the bound agency, newest link first. */
export function listClients(tx: OrgTx): Promise<Client[]> {
  return tx.rows(sql<Client>`${clients} order by agency_clients.linked_at desc, org_id desc`)
}

/** Creates an org and links it as a client of the bound agency. @throws DomainError conflict if the agency has 10,000 clients */
export async function createClient(tx: OrgTx, input: CreateClient): Promise<Client> {
  const counted = await tx.first(sql<{ clients: number }>`
    select count(*) as clients from agency_client where agency_org_id = ${tx.orgId}`)
  if (counted && counted.clients >= clientsMax) {
    throw conflict(
      `An agency can have at most ${clientsMax.toLocaleString('en')} clients. Ask the operator of this installation for more.`,
    )
  }
  const orgId = v7()
  await tx.run(sql`select app.create_client_org(${orgId}, ${input.name}, ${input.default_country ?? null})`)
  await recordEvents(tx, [{ type: 'agency.client_created', objectId: orgId }])
  const client = await tx.first(sql<Client>`${clients} where org_id = ${orgId}`)
  if (!client) throw new Error('A client org that was just created is missing')
  return client
}
