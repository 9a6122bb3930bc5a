import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import type { Tx } from '../platform/db/tx.ts'

/** Returns the organization of an API key; null if there is no such key. */
export async function orgOfKey(tx: Tx, apiKeyId: string): Promise<string | null> {
  const key = await tx.first(sql<Columns<'api_key', 'org_id'>>`
    select org_id from api_key where api_key_id = ${apiKeyId}`)
  return key?.org_id ?? null
}
