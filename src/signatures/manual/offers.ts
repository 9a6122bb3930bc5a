import { randomUUID } from 'node:crypto'
import { recordEventsBy } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { mailboxObjectId } from '../mailboxes/mailboxes.ts'
import type { InstallOrder } from '../order.ts'

/** What the install page shows: a signature that the mailbox's owner installs by hand. */
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

/** Replaces the mailbox's offer, unless that has a newer revision. The offer's random id is the secret of its page. */
export async function makeOffer(tx: OrgTx, orgId: string, order: InstallOrder): Promise<void> {
  const { mailboxId, html, text, sha256, revision } = order
  await tx.run({
    text: `
      insert into signature_offer (org_id, mailbox_id, offer_id, html, text, html_sha256, revision, created_at)
      select org_id, mailbox_id, $3, $4, $5, $6, $7, clock_timestamp() from signature_mailbox
      where org_id = $1 and mailbox_id = $2 for key share
      on conflict (org_id, mailbox_id) do update set offer_id = excluded.offer_id, html = excluded.html,
        text = excluded.text, html_sha256 = excluded.html_sha256, revision = excluded.revision,
        created_at = excluded.created_at, confirmed_at = null
      where signature_offer.revision <= excluded.revision`,
    values: [orgId, mailboxId, randomUUID(), html, text, sha256, revision],
  })
}

export const offerPath = '/install-signature'

/** The address of an org's offers, up to the offer's id. */
export function offersUrl({ config, orgTokens }: Context, orgId: string): string {
  const base = config.publicUrl ?? `http://${config.host}:${config.port}`
  return `${base}${offerPath}/${orgTokens.make(orgId)}/`
}

/** The offer with this id; null if there is none, or a newer one replaced it. */
export async function findOffer(tx: OrgTx, orgId: string, offerId: string, lock = ''): Promise<Offer | null> {
  const row = await tx.first<Offer>({
    text: `
      select o.offer_id as "offerId", o.mailbox_id as "mailboxId", m.email, m.display_name as "displayName", o.html,
        o.text, o.html_sha256 as sha256, o.revision, o.confirmed_at is not null as "isConfirmed"
      from signature_offer o join signature_mailbox m on m.org_id = o.org_id and m.mailbox_id = o.mailbox_id
      where o.org_id = $1 and o.offer_id = $2 ${lock}`,
    values: [orgId, offerId],
  })
  return row ?? null
}

/** Records that the owner has installed the offer; a repeat has no effect. Null if there is no such offer. */
export async function confirmOffer(tx: OrgTx, orgId: string, offerId: string): Promise<Offer | null> {
  const found = await findOffer(tx, orgId, offerId)
  if (!found) return null
  // Lock the deployment before the offer, as installs do: two transactions would deadlock otherwise.
  await tx.run({
    text: `
      select from signature_deployment where org_id = $1 and mailbox_id = $2 and mode = 'live' for update`,
    values: [orgId, found.mailboxId],
  })
  const offer = await findOffer(tx, orgId, offerId, 'for update of o')
  if (!offer || offer.isConfirmed) return offer
  const { mailboxId, revision, sha256 } = offer
  await Promise.all([
    tx.run({
      text: `
        update signature_offer set confirmed_at = clock_timestamp()
        where org_id = $1 and mailbox_id = $2`,
      values: [orgId, mailboxId],
    }),
    // A push that was queued since then keeps its status.
    tx.run({
      text: `
        update signature_deployment set revision = $3, html_sha256 = $4, installed_at = clock_timestamp(),
          status = case when status = 'manual_pending' then 'installed' else status end
        where org_id = $1 and mailbox_id = $2 and mode = 'live'`,
      values: [orgId, mailboxId, revision, sha256],
    }),
    tx.run({
      text: `
        update signature_push set outcome = 'installed', finished_at = clock_timestamp()
        where org_id = $1 and mailbox_id = $2 and mode = 'live' and outcome = 'manual_pending' and revision = $3`,
      values: [orgId, mailboxId, revision],
    }),
    recordEventsBy(tx, { orgId, mode: 'live', apiKeyId: null }, [
      {
        type: 'signature.installed',
        objectId: mailboxObjectId(mailboxId),
        data: { mailbox_id: mailboxId, revision },
      },
    ]),
  ])
  return { ...offer, isConfirmed: true }
}
