import type { OrgTx } from '../../platform/db/org-tx.ts'
import { trust } from '../wire/event.ts'
import { type FoundInterval, isClaim, readIntervals } from './links.ts'
import { readOwnContact } from './own-contact.ts'
import type { VisitorIdentity } from './schema.ts'

/** The links and claims of a visitor, as answers show them. */
export async function readIdentity(
  tx: OrgTx,
  visitorId: string,
  mode: 'live' | 'test',
): Promise<Omit<VisitorIdentity, 'merge_id' | 'visitor_id'>> {
  const intervals = await readIntervals(tx, visitorId, mode)
  return {
    links: intervals
      .filter((interval) => !isClaim(interval))
      .map((interval) => ({ link_id: interval.linkId, ...named(interval), trust: trustOf(interval) })),
    claims: intervals.filter(isClaim).map((interval) => ({ claim_id: interval.linkId, ...named(interval) })),
    own_contact_id: await readOwnContact(tx, visitorId),
  }
}

const named = ({ userKey, email, from, until, contactIds }: FoundInterval) => ({
  user_key: userKey,
  email,
  since: seconds(from),
  until: until === null ? null : seconds(until),
  contact_ids: contactIds,
})

const trustOf = ({ trust: given, isAccepted }: FoundInterval) =>
  given === trust.apiKey ? 'trusted' : isAccepted ? 'accepted' : 'verified'

const seconds = (ms: number) => Math.floor(ms / 1000)
