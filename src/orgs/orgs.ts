import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict, forbidden } from '../platform/domain-error.ts'
import type { Org, UpdateOrg } from './schema.ts'

/**
 * Reads the org of the transaction.
 * @throws DomainError conflict if an operator has just deleted it
 */
export async function findOrg(tx: OrgTx): Promise<Org> {
  const row = await tx.first(sql<Org>`
    select org_id, name, default_country, sandbox_of,
      is_agency or exists (select from agency_client l where l.agency_org_id = org.org_id) as is_agency
    from org where org_id = ${tx.orgId}`)
  if (!row) throw conflict('organization_deleted', 'This organization no longer exists')
  return row
}

/** True if the org of the transaction is flagged as an agency, or has linked client orgs. */
export async function isRecognizedAgency(tx: OrgTx): Promise<boolean> {
  return (await findOrg(tx)).is_agency
}

/** True if the org of the transaction is a sandbox. */
export async function isSandbox(tx: OrgTx): Promise<boolean> {
  return (
    (await tx.first(sql`select 1 from org where org_id = ${tx.orgId} and sandbox_of is not null`)) !==
    undefined
  )
}

/** Refuses work that a sandbox cannot do. `message` says what to do instead. @throws DomainError forbidden */
export async function refuseInSandbox(tx: OrgTx, message: string): Promise<void> {
  if (await isSandbox(tx)) throw forbidden('not_in_sandbox', message)
}

/** Changes the given fields. Records an event if a value differs. */
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
