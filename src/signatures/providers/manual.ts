import { v7 } from 'uuid'
import type { Org } from '../../platform/db/org.ts'
import type { Provider } from './provider.ts'

/** Offers the signature to its owner, who installs it by hand: the page of `install_url` (manual/). */
export function manualProvider(org: Org): Provider {
  return {
    async install({ mailboxId, html, text, sha256, revision }) {
      await org.transact((tx) =>
        tx.run({
          text: `
            insert into signature_offer (org_id, mailbox_id, offer_id, html, text, html_sha256, revision, created_at)
            values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
            on conflict (org_id, mailbox_id) do update set offer_id = excluded.offer_id, html = excluded.html,
              text = excluded.text, html_sha256 = excluded.html_sha256, revision = excluded.revision,
              created_at = excluded.created_at, confirmed_at = null`,
          values: [org.orgId, mailboxId, v7(), html, text, sha256, revision],
        }),
      )
      return { outcome: 'manual_pending' }
    },
  }
}
