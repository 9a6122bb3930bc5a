import type { Actor } from '../platform/actor.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { CrmKind } from './adapters/adapter.ts'

/** Where people are pushed: one object of one connection. */
export type PushTarget = { connectionId: string; mode: Actor['mode']; kind: CrmKind }

/** An external link: a person's id in a CRM. */
export type ExternalLink = {
  /** The id that the contact had at the first push. */
  key: string
  /** null: a push tried to create the person, but its result is unknown. */
  externalId: string | null
  pushedHash: string | null
}

/**
 * The external link of each contact: its own, or that of a contact that it absorbed. A merge writes no links, so an
 * undo restores each contact's own link.
 */
export async function readLinks(
  tx: OrgTx,
  { connectionId, mode, kind }: PushTarget,
  contactIds: readonly string[],
): Promise<{ links: Map<string, ExternalLink>; absorbed: Map<string, string[]> }> {
  const absorbed = await tx.rows(sql<{ contact_id: string; merged_into_id: string }>`
    select contact_id, merged_into_id from contact
    where org_id = ${tx.orgId} and merged_into_id = any((select ${contactIds}::uuid[])::uuid[])`)
  const canonicalOf = new Map(absorbed.map((row) => [row.contact_id, row.merged_into_id]))
  const linked = [...contactIds, ...canonicalOf.keys()]
  const links = await tx.rows(sql<ExternalLink>`
    select contact_id as key, external_id as "externalId", pushed_hash as "pushedHash" from crm_link
    where org_id = ${tx.orgId} and connection_id = ${connectionId} and mode = ${mode} and kind = ${kind}
      and contact_id = any((select ${linked}::uuid[])::uuid[])
    order by external_id is null, pushed_at, contact_id`)
  const found = new Map<string, ExternalLink>()
  for (const link of links) {
    const canonical = canonicalOf.get(link.key) ?? link.key
    const before = found.get(canonical)
    // Prefer a link with an external id, then the contact's own link.
    const isBetter = link.key === canonical && (before?.externalId === null || link.externalId !== null)
    if (before === undefined || isBetter) found.set(canonical, link)
  }
  const members = Map.groupBy(absorbed, (row) => row.merged_into_id)
  return {
    links: found,
    absorbed: new Map([...members].map(([id, rows]) => [id, rows.map((row) => row.contact_id)])),
  }
}

/**
 * SQL of a condition: the connection is not deleted. Rows that are written for a deleted connection would remain
 * forever.
 */
export const connectionExists = (tx: OrgTx, connectionId: string): Sql => sql`
  exists (
    select from crm_connection
    where org_id = ${tx.orgId} and connection_id = ${connectionId} and deleted_at is null
  )`

/**
 * Stores that these people are about to be sent. After a crash, the next push sends them again, even if their hash is
 * the same.
 */
export async function markSending(
  tx: OrgTx,
  { connectionId, mode, kind }: PushTarget,
  keys: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into crm_link (org_id, connection_id, mode, kind, contact_id)
    select ${tx.orgId}, ${connectionId}, ${mode}, ${kind}, key from unnest(${keys}::uuid[]) as k (key)
    where ${connectionExists(tx, connectionId)}
    on conflict (org_id, connection_id, mode, kind, contact_id) do update set pushed_hash = null`)
}

/** Stores the external ids of pushed people, and the hash of the sent values. */
export async function saveLinks(
  tx: OrgTx,
  { connectionId, mode, kind }: PushTarget,
  pushed: readonly { key: string; externalId: string; hash: string }[],
): Promise<void> {
  // Look up values by name in a JSON object: a join with arrays would compare each row with each value.
  const values = JSON.stringify(
    Object.fromEntries(pushed.map(({ key, externalId, hash }) => [key, [externalId, hash]])),
  )
  await tx.run(sql`
    update crm_link set external_id = given.pushed -> contact_id::text ->> 0,
      pushed_hash = given.pushed -> contact_id::text ->> 1, pushed_at = clock_timestamp()
    from (select ${values}::jsonb as pushed) given
    where org_id = ${tx.orgId} and connection_id = ${connectionId} and mode = ${mode} and kind = ${kind}
      and contact_id = any((select ${pushed.map(({ key }) => key)}::uuid[])::uuid[])`)
}

/** SQL of a condition: the CRM has the contact `contactId` (SQL), or a contact that it absorbed. */
export function isLinked(orgId: string, contactId: string, { connectionId, mode, kind }: PushTarget): Sql {
  const contact = rawSql(contactId)
  const target = sql`l.org_id = ${orgId} and l.connection_id = ${connectionId} and l.mode = ${mode}
    and l.kind = ${kind} and l.external_id is not null`
  return sql`(
    exists (select from crm_link l where ${target} and l.contact_id = ${contact})
    or exists (
      select from contact n join crm_link l on l.contact_id = n.contact_id
      where n.org_id = ${orgId} and n.merged_into_id = ${contact} and ${target}
    )
  )`
}
