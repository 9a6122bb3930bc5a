import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
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
  tx: Tx,
  { orgId, connectionId, mode, kind }: Target,
  contactIds: readonly string[],
): Promise<Map<string, Link>> {
  const rows = await tx.rows<Link & { contactId: string }>({
    text: `
      select distinct on (member.root_id) member.root_id as "contactId", l.contact_id as key,
        l.external_id as "externalId", l.pushed_hash as "pushedHash"
      from (
        select id as root_id, id as contact_id from unnest($5::uuid[]) as asked (id)
        union all
        select merged_into_id, contact_id from contact where org_id = $1 and merged_into_id = any ($5::uuid[])
      ) as member
      join crm_link l on l.org_id = $1 and l.connection_id = $2 and l.mode = $3 and l.kind = $4
        and l.contact_id = member.contact_id
      order by member.root_id, l.external_id is null, member.contact_id <> member.root_id, l.pushed_at, l.contact_id`,
    values: [orgId, connectionId, mode, kind, contactIds],
  })
  return new Map(rows.map(({ contactId, ...link }) => [contactId, link]))
}

/** Notes that these are about to be created: whoever finds them there later knows who did that. */
export async function claimKeys(
  tx: Tx,
  { orgId, connectionId, mode, kind }: Target,
  keys: readonly string[],
): Promise<void> {
  await tx.run({
    text: `
      insert into crm_link (org_id, connection_id, mode, kind, contact_id)
      select $1, $2, $3, $4, key from unnest($5::uuid[]) as k (key) on conflict do nothing`,
    values: [orgId, connectionId, mode, kind, keys],
  })
}

/** What was pushed. */
export async function keepLinks(
  tx: Tx,
  { orgId, connectionId, mode, kind }: Target,
  pushed: readonly { key: string; externalId: string; hash: string }[],
): Promise<void> {
  await tx.run({
    text: `
      update crm_link l set external_id = p.external_id, pushed_hash = p.hash, pushed_at = clock_timestamp()
      from unnest($5::uuid[], $6::text[], $7::text[]) as p (key, external_id, hash)
      where l.org_id = $1 and l.connection_id = $2 and l.mode = $3 and l.kind = $4 and l.contact_id = p.key`,
    values: [
      ...[orgId, connectionId, mode, kind, pushed.map(({ key }) => key)],
      ...[pushed.map(({ externalId }) => externalId), pushed.map(({ hash }) => hash)],
    ],
  })
}

/** How many of the people that a statement finds (their contact ids) the CRM knows. */
export async function countKnown(
  tx: Tx,
  { connectionId, mode, kind }: Target,
  people: { from: string; where: string; id: string; values: readonly unknown[] },
): Promise<number> {
  const next = people.values.length
  const row = await tx.first<{ count: number }>({
    text: `
      select count(*) from (select ${people.id} as contact_id, $1::uuid as org_id from ${people.from} where ${people.where}) asked
      where exists (
        select from crm_link l where l.org_id = asked.org_id and l.connection_id = $${next + 1} and l.mode = $${next + 2}
          and l.kind = $${next + 3} and l.contact_id = asked.contact_id and l.external_id is not null
      ) or exists (
        select from contact n join crm_link l on l.org_id = n.org_id and l.connection_id = $${next + 1}
          and l.mode = $${next + 2} and l.kind = $${next + 3} and l.contact_id = n.contact_id
        where n.org_id = asked.org_id and n.merged_into_id = asked.contact_id and l.external_id is not null
      )`,
    values: [...people.values, connectionId, mode, kind],
  })
  return row!.count
}
