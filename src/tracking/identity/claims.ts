import { mergeRecords } from '../../duplicates/merge/merge.ts'
import { recordEvents } from '../../events/record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { addAcceptance, undoFacts } from './facts.ts'
import { isClaim, readIntervals } from './links.ts'
import { confirmOwnContact, findOwnContact } from './own-contact.ts'

type OfVisitor = { visitorId: string; mode: 'live' | 'test' }

/**
 * Accepts the claim of a visitor. The visitor is then linked to the claimed person, and the visitor's own contact is
 * merged into the contact of the person. An undo of this merge separates the two again. If the person has no contact,
 * the own contact becomes the person's contact.
 * @param contactId the contact of the person; undefined: the only one with the claimed user id or address
 * @returns the id of the merge; null: nothing was merged
 * @throws DomainError not_found for an unknown claim or contact; conflict if several contacts match
 */
export async function acceptClaim(
  tx: OrgTx,
  { visitorId, mode }: OfVisitor,
  { claimId, contactId }: { claimId: string; contactId: string | undefined },
  jobs: Jobs,
): Promise<string | null> {
  const named = contactId === undefined ? null : await canonicalOf(tx, contactId)
  const claim = (await readIntervals(tx, visitorId, mode)).find(
    (interval) => interval.linkId === claimId && isClaim(interval),
  )
  if (!claim)
    throw notFound(
      'object_not_found',
      `claim_id: the visitor has no claim ${claimId} that waits for an answer`,
    )
  const target = named ?? onlyOf(claim.contactIds)
  const own = await findOwnContact(tx, visitorId)
  let mergeId: string | null = null
  if (own !== null && target !== null && own !== target) {
    const order = { entityType: 'contact' as const, survivorId: target, loserIds: [own] }
    const [merged = null] = await mergeRecords(tx, { ...order, reason: { method: 'api' } }, jobs)
    mergeId = merged
  } else if (own !== null) await confirmOwnContact(tx, visitorId)
  const { userKey, email, saidAt: occurredAt } = claim
  await addAcceptance(tx, { visitorId, mode, userKey, email, occurredAt, contactId: target ?? own })
  const data = mergeId === null ? undefined : { merge_id: mergeId }
  await recordEvents(tx, [{ type: 'visitor.claim_accepted', objectId: visitorId, ...(data && { data }) }])
  return mergeId
}

async function canonicalOf(tx: OrgTx, contactId: string): Promise<string> {
  const id = (await readCanonicalIds(tx, 'contact', [contactId])).get(contactId)
  if (id === undefined)
    throw notFound(
      'reference_not_found',
      `contact_id: no contact of this organization has the id ${contactId}`,
    )
  return id
}

function onlyOf(contactIds: readonly string[]): string | null {
  if (contactIds.length > 1)
    throw conflict(
      'ambiguous_match',
      `Several contacts have the claimed id or address: ${contactIds.join(', ')}. Send one of them as contact_id`,
    )
  return contactIds[0] ?? null
}

/**
 * Undoes a link or a claim of a visitor: its facts no longer count. A later statement of the same person links the
 * visitor again.
 * @throws DomainError not_found
 */
export async function undoLink(tx: OrgTx, { visitorId, mode }: OfVisitor, linkId: string): Promise<void> {
  const link = (await readIntervals(tx, visitorId, mode)).find((interval) => interval.linkId === linkId)
  if (!link) throw notFound('object_not_found', 'The visitor has no link or claim with this id')
  await undoFacts(tx, visitorId, link.messageKeys)
  await recordEvents(tx, [{ type: 'visitor.link_undone', objectId: visitorId }])
}
