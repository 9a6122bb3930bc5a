import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { ServiceAccount } from './providers/google-account.ts'
import type { Settings, UpdateSettings } from './schema.ts'

const secretName = 'signatures.gmail'

/** Reads the settings as answers show them, without the private key. */
export async function readSettings(tx: OrgTx, secrets: Secrets): Promise<Settings> {
  const account = await readGmailAccount(tx, secrets)
  return { gmail: { service_account: account && { client_email: account.client_email } } }
}

/** Returns the service account that installs in Gmail; null if none is stored, or it cannot be opened. */
export async function readGmailAccount(tx: OrgTx, secrets: Secrets): Promise<ServiceAccount | null> {
  const opened = await secrets.open(tx, tx.orgId, secretName)
  return opened === null ? null : JSON.parse(opened)
}

/** Stores the sent credentials. null deletes them. */
export async function changeSettings(
  tx: OrgTx,
  secrets: Secrets,
  { gmail }: UpdateSettings,
): Promise<Settings> {
  const account = gmail === null ? null : gmail?.service_account
  if (account !== undefined) {
    const before = JSON.stringify(await readGmailAccount(tx, secrets))
    if (account === null) await secrets.forget(tx, tx.orgId, secretName)
    else await secrets.put(tx, tx.orgId, secretName, JSON.stringify(account))
    if (JSON.stringify(account) !== before) {
      const changed = ['gmail']
      await recordEvents(tx, [{ type: 'signature_settings.updated', objectId: tx.orgId, changed }])
    }
  }
  return readSettings(tx, secrets)
}
