import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Caller } from '../platform/caller.ts'
import { build } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import type { Client, CreateClient, Org, UpdateOrg } from './schema.ts'

/** The org that the transaction is bound to. @throws Problem 409 if an operator has just removed it */
export async function findOrg(tx: Tx): Promise<Org> {
  const [row] = await tx.rows<Org>({
    text: `
      select org_id, name, default_country,
        is_agency or exists (select from agency_client l where l.agency_org_id = org.org_id) as is_agency
      from org where org_id = app.org_id()`,
    values: [],
  })
  if (!row) throw conflict('This organization no longer exists')
  return row
}

/** True if the bound org is flagged as an agency or has linked client orgs. */
export async function isRecognizedAgency(tx: Tx): Promise<boolean> {
  return (await findOrg(tx)).is_agency
}

/** Changes the given fields only, so that two concurrent changes of different fields both take effect. */
export async function updateOrg(tx: Tx, caller: Caller, input: UpdateOrg): Promise<void> {
  const before = await findOrg(tx)
  const changed = (['name', 'default_country'] as const).filter(
    (field) => input[field] !== undefined && input[field] !== before[field],
  )
  if (changed.length === 0) return
  const values = Object.fromEntries(changed.map((field) => [field, input[field]]))
  await tx.run(build.updateTable('org').set(values).where('org_id', '=', caller.orgId))
  await recordEvents(tx, caller, [{ type: 'org.updated', objectId: caller.orgId, changed }])
}

/** The list of clients has no pages, so its length is limited. */
const clientsMax = 10_000
const clients = `
  select org_id, name, default_country, floor(extract(epoch from created_at))::bigint as created_at,
    floor(extract(epoch from linked_at))::bigint as linked_at
  from app.agency_clients()`

/** The client orgs of the bound agency, newest link first. */
export function listClients(tx: Tx): Promise<Client[]> {
  return tx.rows<Client>({
    text: `${clients} order by agency_clients.linked_at desc, org_id desc`,
    values: [],
  })
}

/** Creates an org and links it as a client of the bound agency. @throws Problem 409 if the agency has 10,000 clients */
export async function createClient(tx: Tx, actor: Actor, input: CreateClient): Promise<Client> {
  const counted = await tx.first<{ clients: number }>({
    text: 'select count(*) as clients from agency_client where agency_org_id = $1',
    values: [actor.orgId],
  })
  if (counted && counted.clients >= clientsMax) {
    throw conflict(
      `An agency can have at most ${clientsMax.toLocaleString('en')} clients. Ask the operator of this installation for more.`,
    )
  }
  const orgId = v7()
  await tx.run({
    text: 'select app.create_client_org($1, $2, $3)',
    values: [orgId, input.name, input.default_country ?? null],
  })
  await recordEvents(tx, actor, [{ type: 'agency.client_created', objectId: orgId }])
  const client = await tx.first<Client>({ text: `${clients} where org_id = $1`, values: [orgId] })
  if (!client) throw new Error('A client org that was just created is missing')
  return client
}
