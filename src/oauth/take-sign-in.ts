import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { hashItem } from './item-hash.ts'

/** Takes the only right to answer a sign-in. Returns false if somebody took it before, or the sign-in expired. */
export async function takeSignIn(tx: Tx, uid: string): Promise<boolean> {
  const taken = await tx.run(sql`
    update oauth_item set consumed_at = now()
    where kind = 'Interaction' and id_hash = ${hashItem(uid)} and consumed_at is null and expires_at > now()`)
  return taken === 1
}
