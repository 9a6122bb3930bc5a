import type { Actor } from '../../events/record.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { notFound } from '../../platform/http/problem.ts'
import type { SandboxSignature } from '../schema.ts'
import type { Provider } from './provider.ts'

/** What addresses of the sandbox do: ada+refused@example.com is refused. */
const behaviours: Record<string, (tries: number) => 'refused' | 'busy' | null> = {
  refused: () => 'refused',
  busy: (tries) => (tries < 2 ? 'busy' : null),
}

/** Keeps what is installed, and nothing leaves the house. @param tries which one this is of the mailbox's push */
export function sandboxProvider(org: Org, mode: Actor['mode'], tries: number): Provider {
  return {
    async install({ mailboxId, email, html, text, revision }) {
      const [, told = ''] = /\+(\w+)@/.exec(email) ?? []
      const behaviour = Object.hasOwn(behaviours, told) ? behaviours[told]!(tries) : null
      if (behaviour === 'refused')
        return { outcome: 'failed', message: 'The sandbox refuses addresses with +refused' }
      if (behaviour === 'busy')
        return { outcome: 'later', message: 'The sandbox is busy at first for addresses with +busy' }
      await org.transact((tx) =>
        tx.run({
          text: `
            insert into sandbox_signature (org_id, mode, mailbox_id, html, text, revision, installed_at)
            select org_id, $2, mailbox_id, $4, $5, $6, clock_timestamp() from signature_mailbox
            where org_id = $1 and mailbox_id = $3 for key share
            on conflict (org_id, mode, mailbox_id) do update set html = excluded.html, text = excluded.text,
              revision = excluded.revision, installed_at = excluded.installed_at
            where sandbox_signature.revision <= excluded.revision`,
          values: [org.orgId, mode, mailboxId, html, text, revision],
        }),
      )
      return { outcome: 'installed' }
    },
  }
}

/** What the sandbox has installed in a mode. @throws Problem 404 */
export async function findSandboxSignature(
  tx: Tx,
  { orgId, mode }: Pick<Actor, 'orgId' | 'mode'>,
  mailboxId: number,
): Promise<SandboxSignature> {
  const row = await tx.first<SandboxSignature>({
    text: `
      select mailbox_id, mode, revision, html, text, floor(extract(epoch from installed_at))::bigint as installed_at
      from sandbox_signature where org_id = $1 and mode = $2 and mailbox_id = $3`,
    values: [orgId, mode, mailboxId],
  })
  if (!row)
    throw notFound(
      `The sandbox has no signature of a mailbox with this id: one is there once a push of a ${mode} key to the provider sandbox is installed`,
    )
  return row
}
