import { build } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'

/** The org that a key belongs to, looked up across orgs; null if there is no such key. */
export async function orgOfKey(tx: Tx, apiKeyId: string): Promise<string | null> {
  const key = await tx.first(build.selectFrom('api_key').select('org_id').where('api_key_id', '=', apiKeyId))
  return key?.org_id ?? null
}
