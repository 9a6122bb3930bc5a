import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { SandboxSignature } from '../mailbox-schema.ts'
import type { OpenProvider, PushOutcome } from './provider.ts'

/** The sandbox's answer to an address with a tag: ada+refused@example.com is refused. */
const outcomesByTag: ReadonlyMap<string | undefined, (tries: number) => PushOutcome | null> = new Map([
  [
    'refused',
    () => ({
      outcome: 'failed',
      code: 'provider_refused',
      message: 'The sandbox refuses addresses with +refused',
    }),
  ],
  ['busy', (tries: number) => (tries < 2 ? busy : null)],
])
const busy: PushOutcome = {
  outcome: 'later',
  code: 'provider_unavailable',
  message: 'The sandbox is busy at the first try for addresses with +busy',
}

/** Stores the signature in the database; no data leaves the server. */
export const openSandbox: OpenProvider = async ({ org }) => ({
  async install({ mailboxId, email, html, text, revision, tries }) {
    const [, tag] = /\+(\w+)@/.exec(email) ?? []
    const answer = outcomesByTag.get(tag)?.(tries) ?? null
    if (answer) return answer
    await org.transact((tx) =>
      tx.run(sql`
        insert into sandbox_signature (org_id, mode, mailbox_id, html, text, revision, installed_at)
        select org_id, ${tx.actor.mode}, mailbox_id, ${html}, ${text}, ${revision}, clock_timestamp()
        from signature_mailbox where org_id = ${tx.orgId} and mailbox_id = ${mailboxId} for key share
        on conflict (org_id, mode, mailbox_id) do update set html = excluded.html, text = excluded.text,
          revision = excluded.revision, installed_at = excluded.installed_at
        where sandbox_signature.revision <= excluded.revision`),
    )
    return { outcome: 'installed' }
  },
})

/** The signature that the sandbox has installed in the mode of the transaction. @throws DomainError not_found */
export async function findSandboxSignature(tx: OrgTx, mailboxId: number): Promise<SandboxSignature> {
  const { orgId, mode } = tx.actor
  const row = await tx.first(sql<SandboxSignature>`
    select mailbox_id, mode, revision, html, text, floor(extract(epoch from installed_at))::bigint as installed_at
    from sandbox_signature where org_id = ${orgId} and mode = ${mode} and mailbox_id = ${mailboxId}`)
  if (!row)
    throw notFound(
      'object_not_found',
      `The sandbox has installed no ${mode} signature for a mailbox with this id. Set its provider to sandbox and push it with a ${mode} key.`,
    )
  return row
}
