import type { Identities } from '../../contacts/erasure.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { eraseEvents } from '../store/erase.ts'

/** The system of external ids whose ids are the `userId` of events. */
export const userIdSystem = 'user_id'

/** Erases the web events of erased contacts. */
export function eraseContactEvents(
  tx: OrgTx,
  contactIds: readonly string[],
  { emails, externalIds }: Identities,
): Promise<void> {
  const ids = externalIds.filter(isUserId).map(([, id]) => id)
  const userKeys = [...new Set([...contactIds, ...ids, ...emails])]
  return eraseEvents(tx, { visitorIds: [], userKeys, emails }, contactIds)
}

/**
 * Whether an external id can be the `userId` of events. Ignore the numbers of other systems: person 7 of a CRM is
 * usually not user 7 of a site.
 */
export const isUserId = ([system, id]: readonly [string, string]) =>
  system === userIdSystem || !/^\d+$/.test(id)
