import { validate as isUuid } from 'uuid'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { readEmail } from '../../normalize/email.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { repeatAfterCommits } from '../../platform/db/repeat-after-commits.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { DomainError } from '../../platform/domain-error.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import { joinPayer, payerId } from '../../platform/jobs/payer.ts'
import { type Lane, SlowLanes } from '../../platform/slow-lanes.ts'
import type { Fields } from '../../records/record-type.ts'
import { upsertRecord } from '../../records/upsert.ts'
import { userIdSystem } from '../erasure/contacts.ts'
import { trust } from '../wire/event.ts'
import { isSuspendedFact } from './facts.ts'
import { isLinkable } from './linkable.ts'
import { upsertOwnContact } from './own-contact.ts'
import { companyFieldsOf, contactFieldsOf } from './traits.ts'
import { keysOfContact } from './user-keys-of-contact.ts'

const intervalMs = 1_000
const orgsAtOnce = 100
/**
 * After this time, work on the next organization begins. Work on a slow organization, which may wait for locks,
 * continues at the same time.
 */
const patienceMs = 100
const factsAtOnce = 100
/**
 * Identify calls of pages may make at most this many contacts a day. The other half of the daily maximum stays for
 * forms, because a page can send these calls much faster than forms.
 */
const newContactsMax = 500
/** The system under which a company stores the `groupId` of group calls, as an external id. */
const groupIdSystem = 'group_id'

type FactKey = { day: string; message_key: string; mode: 'live' | 'test' }

type PendingFact = {
  kind: 'identify' | 'group'
  visitor_id: string | null
  user_key: string | null
  email: string | null
  other_id: string | null
  trust: number
  traits: unknown
}

/** Writes the contacts and companies of new facts every second, until the returned function is called. */
export function applyFactsSoon(scope: SystemScope, context: Context): () => Promise<void> {
  const lanes = new SlowLanes(patienceMs)
  const warn = (error: unknown) =>
    context.log.warn({ err: error }, 'identify calls are not in the contacts yet; the next try is in 1 s')
  const stop = repeatAfterCommits(
    scope,
    { everyMs: intervalMs },
    async (stopping) => {
      const failed = await applyRound(scope, context, { lanes, stopping, onError: warn })
      return failed.size > 0 || lanes.busy.length > 0 ? 'unfinished' : 'finished'
    },
    warn,
  )
  return async () => {
    await stop()
    await lanes.end()
  }
}

/**
 * Writes the contacts and companies of all new facts, once for each fact. Several processes may do so at once.
 * @throws an error of an organization whose facts could not be written now. The error does not stop work on other
 * organizations
 */
export async function applyFacts(scope: SystemScope, context: Context): Promise<void> {
  const errors: unknown[] = []
  const lanes = new SlowLanes(patienceMs)
  const round = { lanes, stopping: () => false, onError: (error: unknown) => errors.push(error) }
  for (let left = true; left && errors.length === 0; ) {
    await applyRound(scope, context, round)
    left = lanes.busy.length > 0
    await lanes.end()
  }
  if (errors.length > 0) throw errors.at(-1)
}

type Round = { lanes: SlowLanes; stopping: () => boolean; onError: (error: unknown) => void }

/**
 * Writes new facts, except the facts of organizations that fail. Returns while work on slow organizations still
 * continues.
 * @returns the organizations that failed
 */
async function applyRound(
  scope: SystemScope,
  context: Context,
  { lanes, stopping, onError }: Round,
): Promise<ReadonlySet<string>> {
  const failed = new Set<string>()
  for (;;) {
    const waiting = await readWaiting(scope, [...failed, ...lanes.busy], lanes.busyPayers)
    if (waiting.length === 0) return failed
    for (const lane of waiting) {
      if (stopping()) return failed
      if (lanes.busyPayers.includes(lane.payer)) continue
      await lanes.run(lane, () =>
        applyOrg(context, lane.orgId).catch((error) => {
          failed.add(lane.orgId)
          onError(error)
        }),
      )
    }
  }
}

/** The organizations with new facts, except the organizations in `orgIds` and of `payers`. */
const readWaiting = (
  scope: SystemScope,
  orgIds: readonly string[],
  payers: readonly string[],
): Promise<Lane[]> =>
  scope.readRows(sql<Lane>`
    select waiting.org_id as "orgId", payer.id as payer
    from (select distinct org_id from identity_fact where is_pending and org_id <> all(${orgIds}::uuid[])) as waiting
    ${joinPayer(sql`waiting.org_id`)}
    cross join lateral (select coalesce(${payerId}, waiting.org_id)::text as id) as payer
    where payer.id <> all(${payers}::text[])
    limit ${orgsAtOnce}`)

/** Applies the oldest facts of an organization, in the order in which they happened. */
async function applyOrg(context: Context, orgId: string): Promise<void> {
  const { database, log } = context
  const pending = await database.org(orgId).transact(async (tx) => {
    if (!(await claimsCreate(tx)))
      await tx.run(sql`
        update identity_fact set is_pending = false, traits = null
        where org_id = ${tx.orgId} and is_pending and trust = ${trust.claimed}`)
    return tx.rows(sql<FactKey>`
      select day::text as day, message_key, mode from identity_fact where org_id = ${tx.orgId} and is_pending
      order by occurred_at, message_key limit ${factsAtOnce}`)
  })
  for (const key of pending) {
    const org = database.org(orgId, { mode: key.mode })
    try {
      await org.transact(async (tx) => {
        const fact = await lockPending(tx, key)
        if (!fact) return
        await write(tx, key, fact)
        await markDone(tx, key)
      })
    } catch (error) {
      if (isUnavailable(error)) throw error
      // A refused write never succeeds later. The fact still links its visitor.
      if (!(error instanceof DomainError || error instanceof ValidationError))
        log.warn({ err: error, org_id: orgId }, 'an identify call could not be written to the contacts')
      await org.transact((tx) => markDone(tx, key))
    }
  }
}

async function claimsCreate(tx: OrgTx): Promise<boolean> {
  const row = await tx.first(sql<{ identify_creates: boolean }>`
    select identify_creates from tracking_settings where org_id = ${tx.orgId}`)
  return row?.identify_creates ?? false
}

const lockPending = (tx: OrgTx, { day, message_key: key }: FactKey): Promise<PendingFact | undefined> =>
  tx.first(sql<PendingFact>`
    select kind, visitor_id, user_key, email, other_id, trust, traits from identity_fact
    where org_id = ${tx.orgId} and day = ${day}::date and message_key = ${key} and is_pending for update`)

const markDone = (tx: OrgTx, { day, message_key: key }: FactKey): Promise<number> =>
  tx.run(sql`
    update identity_fact set is_pending = false, traits = null
    where org_id = ${tx.orgId} and day = ${day}::date and message_key = ${key}`)

async function write(tx: OrgTx, key: FactKey, fact: PendingFact): Promise<void> {
  if (fact.trust === trust.claimed) return writeClaim(tx, key, fact)
  const { kind, user_key: userKey, other_id: groupId, traits } = fact
  if (kind === 'identify') return writeUser(tx, userKey, contactFieldsOf(traits))
  // A page must not write companies, not even with a verified user.
  if (fact.trust < trust.apiKey || !isLinkable(groupId)) return
  const company = { ...companyFieldsOf((traits as { traits?: unknown } | null)?.traits) }
  const { recordId } = await upsertRecord(tx, companies, 'external_id', {
    ...company,
    external_ids: { [groupIdSystem]: groupId },
  })
  await writeUser(tx, userKey, { company_id: recordId })
}

/** Writes a user whom an API key, or a token of the organization, named. */
async function writeUser(tx: OrgTx, userKey: string | null, fields: Fields): Promise<void> {
  if (!isLinkable(userKey) || (await isContactId(tx, userKey))) return
  const email = readEmail(userKey)
  const named =
    'key' in email
      ? { on: 'email', fields: { email: userKey } }
      : { on: 'external_id', fields: { external_ids: { [userIdSystem]: userKey } } }
  const upsert = (values: Fields) => upsertRecord(tx, contacts, named.on, { ...values, ...named.fields })
  await withoutBadPhone(fields, upsert)
}

/** A `userId` may be the id of a contact. The contact then exists already, and the fact only links the visitor. */
async function isContactId(tx: OrgTx, userKey: string): Promise<boolean> {
  if (!isUuid(userKey)) return false
  return (await keysOfContact(tx, userKey)).contactIds.length > 0
}

/** Writes the visitor's own contact. A claim that too many visitors made writes nothing. */
async function writeClaim(tx: OrgTx, key: FactKey, fact: PendingFact): Promise<void> {
  const { kind, visitor_id: visitorId, user_key: userKey, email, traits } = fact
  if (kind !== 'identify' || visitorId === null || !isLinkable(userKey ?? email)) return
  if (await isSuspendedFact(tx, key)) return
  const fields = { ...(email === null ? {} : { email }), ...contactFieldsOf(traits) }
  if (Object.keys(fields).length === 0) return
  await withoutBadPhone(fields, (values) =>
    upsertOwnContact(tx, { visitorId, fields: values, newMax: newContactsMax }),
  )
}

/** A number in national form may be unreadable without the country. The other values still count. */
async function withoutBadPhone(fields: Fields, write: (fields: Fields) => Promise<unknown>): Promise<void> {
  try {
    await write(fields)
  } catch (error) {
    if (!(error instanceof ValidationError) || fields.phone === undefined) throw error
    const { phone: _phone, ...others } = fields
    await write(others)
  }
}
