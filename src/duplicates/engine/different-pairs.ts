import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { differentPairs } from '../merge/verdicts.ts'
import { pairName } from './plan.ts'

/** The pairs among these records that a person called different, as `pairName` writes them. */
export async function namesOfDifferentPairs(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const pairs = await differentPairs(tx, entityType, recordIds)
  return new Set(pairs.map(([one, other]) => pairName(one, other)))
}
