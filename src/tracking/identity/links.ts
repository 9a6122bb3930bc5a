import { contacts } from '../../contacts/contacts.ts'
import { emailKey, readEmail } from '../../normalize/email.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { hashedKeys, keyName } from '../../records/keys.ts'
import { findCandidates } from '../../records/match.ts'
import { userIdSystem } from '../erasure/contacts.ts'
import { trust } from '../wire/event.ts'
import { readFacts, type StoredFact } from './facts.ts'
import { type Interval, resolve } from './resolve.ts'

type Mode = 'live' | 'test'

/** An interval of a visitor, with the contacts that its person may be. */
export type FoundInterval = Interval & { contactIds: string[] }

/** Whether an interval is only what a browser claimed. */
export const isClaim = ({ trust: given, isAccepted }: Interval): boolean =>
  given < trust.verified && !isAccepted

/** Returns who used a visitor's browser, and when, oldest first. */
export async function readIntervals(tx: OrgTx, visitorId: string, mode: Mode): Promise<FoundInterval[]> {
  const facts = await readFacts(tx, [visitorId], mode)
  const intervals = resolve(facts)
  const found = await findContacts(tx, intervals)
  const accepted = await acceptedContacts(tx, facts)
  return intervals.map((interval, index) => {
    const named = interval.messageKeys.map((key) => accepted.get(key)).findLast((id) => id !== undefined)
    return { ...interval, contactIds: named === undefined ? (found[index] ?? []) : [named] }
  })
}

/** The contacts that people named when accepting claims, by the message of the acceptance. */
async function acceptedContacts(tx: OrgTx, facts: readonly StoredFact[]): Promise<Map<string, string>> {
  const named = facts.flatMap(({ messageKey, contactId }) =>
    contactId === null ? [] : [{ messageKey, contactId }],
  )
  const canonical = await readCanonicalIds(
    tx,
    'contact',
    named.map(({ contactId }) => contactId),
  )
  return new Map(
    named.flatMap(({ messageKey, contactId }) => {
      const id = canonical.get(contactId)
      return id === undefined ? [] : [[messageKey, id] as const]
    }),
  )
}

/** For each interval, the active contacts with its user id, or else with its address. Claimed contacts do not count. */
async function findContacts(tx: OrgTx, intervals: readonly Interval[]): Promise<string[][]> {
  const matches = intervals.map(({ userKey, email }) => {
    const address = userKey === null ? email : 'key' in readEmail(userKey) ? userKey : null
    const key =
      address === null
        ? { kind: 'external_id', value: `${userIdSystem}\0${userKey}` }
        : { kind: 'email', value: emailKey(address) }
    return { matchOn: key.kind, keys: hashedKeys([key]) }
  })
  if (matches.length === 0) return []
  const found = await findCandidates(tx, contacts, matches)
  const ids = [...found.values()].flat()
  const rows = await tx.rows(sql<{ contact_id: string }>`
    select contact_id from contact
    where org_id = ${tx.orgId} and contact_id = any(${ids}::uuid[]) and status = 'active' and claimed_by is null`)
  const real = new Set(rows.map(({ contact_id: id }) => id))
  return matches.map(({ keys }) =>
    keys.flatMap((key) => found.get(keyName(key)) ?? []).filter((id) => real.has(id)),
  )
}
