import { emailKey } from '../../normalize/email.ts'
import { joinItems } from '../../platform/db/joined-items.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { Json } from '../../platform/json.ts'

/** A member of the organization, who can own records. */
export type Owner = { member_id: string; email: string; email_key: string; name: string }

/** Members by id, and by the normalized form of their address. */
export type Owners = { byId: ReadonlyMap<string, Owner>; byKey: ReadonlyMap<string, Owner> }

/** The members whose records a limited member reaches. Row-level security decides the same (migration 0067). */
export type Reach = { self: Owner; ids: ReadonlySet<string> }

/** Members by id and by e-mail key. */
export const ownersOf = (rows: readonly Owner[]): Owners => ({
  byId: new Map(rows.map((each) => [each.member_id, each])),
  byKey: new Map(rows.map((each) => [each.email_key, each])),
})

/** The members that `inputs` name by id or address. They stay members until the transaction ends. */
export async function lockOwners(
  tx: OrgTx,
  inputs: readonly { owner_id?: unknown; owner_email?: unknown }[],
): Promise<Owners> {
  const named = (field: 'owner_id' | 'owner_email') => [
    ...new Set(inputs.map((each) => each[field]).filter((value) => typeof value === 'string')),
  ]
  const [ids, keys] = [named('owner_id'), named('owner_email').map(emailKey)]
  if (ids.length + keys.length === 0) return ownersOf([])
  return ownersOf(
    await tx.rows(sql<Owner>`
      select member_id, email, email_key, name from app.hold_owners(${ids}::uuid[], ${keys}::text[])`),
  )
}

/** All members, by id and by e-mail key. */
export const readOwners = async (tx: OrgTx): Promise<Owners> =>
  ownersOf(await tx.rows(sql<Owner>`select member_id, email, email_key, name from app.owners()`))

/** The JSON of all owners, by name. There may be thousands, so PostgreSQL makes the JSON. */
export async function listOwners(org: Org): Promise<Json> {
  const rows = await org.readRows(
    joinItems(sql`
      select row_to_json(shown)::text as item, o.place
      from app.owners() with ordinality as o (member_id, email, email_key, name, place)
        cross join lateral (select o.member_id as owner_id, o.name, o.email) as shown`),
  )
  return Json.list(rows.map(({ items }) => items))
}
