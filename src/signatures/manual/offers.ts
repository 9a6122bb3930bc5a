import { randomUUID } from 'node:crypto'
import { recordEvents } from '../../events/record.ts'
import { linkOrigin } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { mailboxObjectId } from '../mailboxes/mailboxes.ts'
import type { InstallOrder } from '../order.ts'

/** A signature that the owner of the mailbox installs from the install page. */
export type Offer = {
  offerId: string
  mailboxId: number
  email: string
  displayName: string | null
  html: string
  text: string
  sha256: string
  revision: number
  isConfirmed: boolean
}

/**
 * Replaces the offer of the mailbox, unless that offer is of a newer version. The offer's random id is the secret of
 * its page.
 */
export async function makeOffer(tx: OrgTx, order: InstallOrder): Promise<void> {
  const { mailboxId, html, text, sha256, revision } = order
  await tx.run(sql`
    insert into signature_offer (org_id, mailbox_id, offer_id, html, text, html_sha256, revision, created_at)
    select org_id, mailbox_id, ${randomUUID()}, ${html}, ${text}, ${sha256}, ${revision}, clock_timestamp()
    from signature_mailbox where org_id = ${tx.orgId} and mailbox_id = ${mailboxId} for key share
    on conflict (org_id, mailbox_id) do update set offer_id = excluded.offer_id, html = excluded.html,
      text = excluded.text, html_sha256 = excluded.html_sha256, revision = excluded.revision,
      created_at = excluded.created_at, confirmed_at = null
    where signature_offer.revision <= excluded.revision`)
}

export const offerPath = '/install-signature'

/** Returns the start of the address of an org's offers. The id of an offer follows. */
export function offersUrl({ config, orgTokens }: Context, orgId: string): string {
  return `${linkOrigin(config)}${offerPath}/${orgTokens.make(orgId)}/`
}

/** Reads the offer with this id; null if there is none, or if a newer offer replaced it. */
export async function findOffer(tx: OrgTx, offerId: string): Promise<Offer | null> {
  return (await tx.first(selectOffer(tx, offerId))) ?? null
}

const selectOffer = ({ orgId }: OrgTx, offerId: string, lock: Sql = sql``) => sql<Offer>`
  select o.offer_id as "offerId", o.mailbox_id as "mailboxId", m.email, m.display_name as "displayName", o.html,
    o.text, o.html_sha256 as sha256, o.revision, o.confirmed_at is not null as "isConfirmed"
  from signature_offer o join signature_mailbox m on m.org_id = o.org_id and m.mailbox_id = o.mailbox_id
  where o.org_id = ${orgId} and o.offer_id = ${offerId} ${lock}`

/**
 * Records that the owner has installed the offer. Repeating the call has no effect. Returns null if there is no such
 * offer.
 */
export async function confirmOffer(tx: OrgTx, offerId: string): Promise<Offer | null> {
  const { orgId } = tx
  const found = await findOffer(tx, offerId)
  if (!found) return null
  // Lock the deployment before the offer, as installs do: another order could deadlock.
  await tx.run(sql`
    select from signature_deployment
    where org_id = ${orgId} and mailbox_id = ${found.mailboxId} and mode = 'live' for update`)
  const offer = await tx.first(selectOffer(tx, offerId, sql`for update of o`))
  if (!offer) return null
  if (offer.isConfirmed) return offer
  const { mailboxId, revision, sha256 } = offer
  await Promise.all([
    tx.run(sql`
      update signature_offer set confirmed_at = clock_timestamp()
      where org_id = ${orgId} and mailbox_id = ${mailboxId}`),
    // A push that was queued later stays queued.
    tx.run(sql`
      update signature_deployment
      set revision = ${revision}, html_sha256 = ${sha256}, installed_at = clock_timestamp(),
        status = case when status = 'manual_pending' then 'installed' else status end
      where org_id = ${orgId} and mailbox_id = ${mailboxId} and mode = 'live'`),
    // Older pushes are done, too: their signature was replaced before the owner installed it.
    tx.run(sql`
      update signature_push
      set outcome = 'installed', revision = ${revision}, finished_at = clock_timestamp()
      where org_id = ${orgId} and mailbox_id = ${mailboxId} and mode = 'live' and outcome = 'manual_pending'
        and revision <= ${revision}`),
    recordEvents(tx, [
      {
        type: 'signature.installed',
        objectId: mailboxObjectId(mailboxId),
        data: { mailbox_id: mailboxId, revision },
      },
    ]),
  ])
  return { ...offer, isConfirmed: true }
}
