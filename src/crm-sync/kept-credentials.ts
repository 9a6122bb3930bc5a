import { isDeepStrictEqual } from 'node:util'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Credentials } from '../platform/secrets/credentials.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'

/** The credentials of a connection; null: none that opens. */
export async function readCredentials(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  connectionId: string,
): Promise<Credentials | null> {
  const opened = await secrets.open(tx, orgId, secretOf(connectionId))
  return opened === null ? null : JSON.parse(opened)
}

/** Keeps credentials that a CRM gave in place of those that it took; not if others were sent meanwhile, or none are kept. */
export async function replaceCredentials(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  connectionId: string,
  { before, after }: { before: Credentials; after: Credentials },
): Promise<void> {
  // Whoever changes or deletes the connection waits.
  await tx.run({
    text: 'select from crm_connection where org_id = $1 and connection_id = $2 for no key update',
    values: [orgId, connectionId],
  })
  const kept = await readCredentials(tx, secrets, orgId, connectionId)
  if (isDeepStrictEqual(kept, before))
    await secrets.put(tx, orgId, secretOf(connectionId), JSON.stringify(after))
}

/** What the credentials of a connection are kept as. */
export const secretOf = (connectionId: string) => `crm.${connectionId}`
