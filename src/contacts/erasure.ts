import { emailKey } from '../normalize/email.ts'
import { lockAllExclusive } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { keyHash } from '../records/keys.ts'
import type { StoredRecord } from '../records/record-type.ts'
import { eraseCalls } from '../voice/calls/erasure.ts'
import { suppress } from '../voice/suppressions/suppressions.ts'

/** Clears what another feature stores about erased contacts. The contacts feature does not import those features. */
export type EraseContacts = (
  tx: OrgTx,
  contactIds: readonly string[],
  identities: Identities,
) => Promise<void>

/** The ids, addresses and numbers under which other features store an erased contact and the contacts that it absorbed. */
export type Identities = {
  /** Normalized addresses. */
  emails: readonly string[]
  /** In the international format. */
  phones: readonly string[]
  externalIds: readonly (readonly [system: string, id: string])[]
}

/**
 * Clears what other features store about an erased contact and the contacts that it absorbed. Numbers without consent
 * to calls become suppressions, so that nobody can call them.
 */
export async function eraseRelatedData(
  tx: OrgTx,
  stored: StoredRecord,
  contactIds: readonly string[],
  elsewhere: readonly EraseContacts[],
): Promise<void> {
  const identities = identitiesOf(stored)
  await Promise.all([
    eraseCallsTo(tx, stored),
    ...elsewhere.map((erase) => erase(tx, contactIds, identities)),
  ])
  if (stored.state.consent_phone === 'denied') await suppress(tx, suppressionsOf(stored))
}

/** Store the number alone: a suppression must not reveal whose number it was. */
const suppressionsOf = ({ state }: StoredRecord) =>
  (state.phones as string[]).map((number) => {
    return { number, reason: 'consent_denied', source: 'contact_erasure', since: null }
  })

function identitiesOf({ state, cluster }: StoredRecord): Identities {
  const members = [...(cluster?.members.values() ?? [])]
  const listed = (column: string) => members.flatMap(({ lists }) => lists[column] ?? [])
  const emails = [state.emails, listed('emails')].flat() as string[]
  const phones = [state.phones, listed('phones')].flat() as string[]
  const ids = [...Object.entries(state.external_ids as object), ...listed('external_ids')]
  return {
    emails: [...new Set(emails.map(emailKey))],
    phones: [...new Set(phones)],
    externalIds: ids as [string, string][],
  }
}

/** Removes the contact from calls to its numbers, also to numbers of absorbed contacts. */
async function eraseCallsTo(tx: OrgTx, { state, cluster }: StoredRecord): Promise<void> {
  const members = [...(cluster?.members.values() ?? [])]
  const numbers = [state.phones, ...members.map(({ lists }) => lists.phones ?? [])].flat() as string[]
  const unique = [...new Set(numbers)]
  if (unique.length === 0) return
  await lockNumbers(tx, unique)
  await eraseCalls(tx, unique, await readShared(tx, unique))
}

/**
 * Locks numbers, so that erasures of contacts with a common number run one after another. Otherwise, each would see
 * the number on the other contact, and not remove the calls. Numbers with the same last two digits share a lock,
 * because PostgreSQL has room for only a few thousand.
 */
async function lockNumbers(tx: OrgTx, numbers: readonly string[]): Promise<void> {
  const endings = new Set(numbers.map((number) => number.slice(-2)))
  await lockAllExclusive(
    tx,
    [...endings].map((ending) => `erased numbers ${tx.orgId} ${ending}`),
  )
}

/** Returns the numbers that other active contacts or companies also have. The erased contact has no match keys left. */
async function readShared(tx: OrgTx, numbers: readonly string[]): Promise<Set<string>> {
  const hashOf = (value: string) => keyHash({ kind: 'phone', value })
  const hashes = numbers.map(hashOf)
  const rows = await tx.rows(sql<{ hash: string }>`
    select hash::text from contact_key
    where org_id = ${tx.orgId} and kind = 'phone' and hash = any(${hashes}::bigint[])
    union
    select hash::text from company_key
    where org_id = ${tx.orgId} and kind = 'phone' and hash = any(${hashes}::bigint[])`)
  const found = new Set(rows.map(({ hash }) => hash))
  return new Set(numbers.filter((number) => found.has(hashOf(number))))
}
