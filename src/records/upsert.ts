import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Written } from './items/item.ts'
import { writeItems } from './items/write.ts'
import type { Fields, RecordType } from './record-type.ts'

/**
 * Concurrent upserts with the same key wait for each other, so that they create one record.
 * @throws ValidationError without a key to match on; DomainError not_found; conflict that names the candidates if
 * several match
 */
export async function upsertRecord(
  tx: OrgTx,
  type: RecordType,
  matchOn: string,
  fields: Fields,
): Promise<Written> {
  const [result] = await writeItems(tx, type, [{ fields, matchOn }])
  if (!result) throw new Error('An upsert has no result')
  if (result.outcome === 'failed') throw result.error
  return result
}
