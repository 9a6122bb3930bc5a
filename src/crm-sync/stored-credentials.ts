import { isDeepStrictEqual } from 'node:util'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Credentials } from '../platform/secrets/credentials.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'

/** Returns the credentials of a connection; null if none are stored, or they do not open. */
export async function readCredentials(
  tx: OrgTx,
  secrets: Secrets,
  connectionId: string,
): Promise<Credentials | null> {
  const opened = await secrets.open(tx, tx.orgId, secretName(connectionId))
  return opened === null ? null : JSON.parse(opened)
}

/** Stores credentials that a CRM returned in place of `before`, if `before` is still stored. */
export async function replaceCredentials(
  tx: OrgTx,
  secrets: Secrets,
  connectionId: string,
  { before, after }: { before: Credentials; after: Credentials },
): Promise<void> {
  // A request that changes or deletes the connection waits for this lock.
  await tx.run(sql`
    select from crm_connection where org_id = ${tx.orgId} and connection_id = ${connectionId} for no key update`)
  const stored = await readCredentials(tx, secrets, connectionId)
  if (isDeepStrictEqual(stored, before))
    await secrets.put(tx, tx.orgId, secretName(connectionId), JSON.stringify(after))
}

/** The name of the secret with the credentials of a connection. */
export const secretName = (connectionId: string) => `crm.${connectionId}`
