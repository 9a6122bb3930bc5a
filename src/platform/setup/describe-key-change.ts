import { connectClient, connectionConfig } from '../db/address.ts'
import { isActive } from '../secrets/rotate.ts'
import { SecretKey } from '../secrets/secret-key.ts'
import { oneRow } from './one-row.ts'

/**
 * Says for the operator whether the old encryption key is still needed, and what to do next. The database must have the
 * schema of this version.
 */
export async function describeKeyChange(url: string, rootKey: Buffer, oldKey: Buffer): Promise<string> {
  const config = { ...connectionConfig(url), connectionTimeoutMillis: 10_000 }
  const client = await connectClient({ ...config, application_name: 'crosswalk doctor' })
  try {
    if (!(await isActive(client, rootKey)))
      return 'needed: it is the active key. When every node knows both keys, run npm run crosswalk -- change-key'
    const { n } = await oneRow<{ n: number }>(
      client,
      `select count(*)::int as n from secret where key_id = '${new SecretKey(oldKey).id}'`,
    )
    return n > 0
      ? `needed by ${n} secrets: run npm run crosswalk -- change-key again`
      : 'not needed any more: start every node again without it'
  } finally {
    await client.end().catch(() => {})
  }
}
