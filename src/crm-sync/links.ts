import type { Actor } from '../platform/actor.ts'
import { anyOf } from '../platform/db/any-of.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { Kind } from './adapters/adapter.ts'

/** Where people are pushed to: one object of one connection. */
export type Target = { orgId: string; connectionId: string; mode: Actor['mode']; kind: Kind }

/** As whom a CRM knows a person. */
export type Link = {
  /** The contact under which they were pushed first. */
  key: string
  /** null: that was tried, and nobody knows what came of it. */
  externalId: string | null
  pushedHash: string | null
}

/**
 * As whom a CRM knows people, by contact: each as itself, or as one that it absorbed. A merge that is undone gives each
 * its own again, as nothing is written for it.
 */
export async function readLinks(
  tx: OrgTx,
  { orgId, connectionId, mode, kind }: Target,
  contactIds: readonly string[],
): Promise<{ links: Map<string, Link>; absorbed: Map<string, string[]> }> {
  const absorbed = await tx.rows<{ contact_id: string; merged_into_id: string }>({
    text: `
      select contact_id, merged_into_id from contact
      where org_id = $1 and merged_into_id = ${anyOf('$2')}`,
    values: [orgId, contactIds],
  })
  const rootOf = new Map(absorbed.map((row) => [row.contact_id, row.merged_into_id]))
  const links = await tx.rows<Link>({
    text: `
      select contact_id as key, external_id as "externalId", pushed_hash as "pushedHash" from crm_link
      where org_id = $1 and connection_id = $2 and mode = $3 and kind = $4
        and contact_id = ${anyOf('$5')}
      order by external_id is null, pushed_at, contact_id`,
    values: [orgId, connectionId, mode, kind, [...contactIds, ...rootOf.keys()]],
  })
  const found = new Map<string, Link>()
  for (const link of links) {
    const root = rootOf.get(link.key) ?? link.key
    const before = found.get(root)
    // A link of their own before one of somebody they absorbed; but one that leads somewhere before all.
    const isBetter = link.key === root && (before?.externalId === null || link.externalId !== null)
    if (before === undefined || isBetter) found.set(root, link)
  }
  const members = Map.groupBy(absorbed, (row) => row.merged_into_id)
  return {
    links: found,
    absorbed: new Map([...members].map(([root, rows]) => [root, rows.map((row) => row.contact_id)])),
  }
}

/** Whether the connection $2 is there still: nobody would forget what is written for one that is not. */
export const isKept = `
  exists (select from crm_connection where org_id = $1 and connection_id = $2 and deleted_at is null)`

/**
 * Notes that these are about to be sent: whoever finds them there later knows who created them, and nobody takes what was
 * pushed before for what the CRM has.
 */
export async function claimKeys(
  tx: OrgTx,
  { orgId, connectionId, mode, kind }: Target,
  keys: readonly string[],
): Promise<void> {
  await tx.run({
    text: `
      insert into crm_link (org_id, connection_id, mode, kind, contact_id)
      select $1, $2, $3, $4, key from unnest($5::uuid[]) as k (key) where ${isKept}
      on conflict (org_id, connection_id, mode, kind, contact_id) do update set pushed_hash = null`,
    values: [orgId, connectionId, mode, kind, keys],
  })
}

/** What was pushed. */
export async function keepLinks(
  tx: OrgTx,
  { orgId, connectionId, mode, kind }: Target,
  pushed: readonly { key: string; externalId: string; hash: string }[],
): Promise<void> {
  await tx.run({
    text: `
      update crm_link set external_id = $6::jsonb -> contact_id::text ->> 0,
        pushed_hash = $6::jsonb -> contact_id::text ->> 1, pushed_at = clock_timestamp()
      where org_id = $1 and connection_id = $2 and mode = $3 and kind = $4 and contact_id = ${anyOf('$5')}`,
    values: [
      ...[orgId, connectionId, mode, kind, pushed.map(({ key }) => key)],
      JSON.stringify(
        Object.fromEntries(pushed.map(({ key, externalId, hash }) => [key, [externalId, hash]])),
      ),
    ],
  })
}

/** A condition: the CRM has a record of the contact `contactId` (SQL), or of one that was merged into it. */
export function isLinked(contactId: string, { orgId, connectionId, mode, kind }: Target): Sql {
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
