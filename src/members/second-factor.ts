import { hash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { recordEvents } from '../events/record.ts'
import { emailKey } from '../normalize/email.ts'
import { operatorOf } from '../platform/actor.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type DomainError, notFound, unauthenticated } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { seal, unseal } from '../platform/sealing.ts'
import type { MemberDeps } from './member-deps.ts'
import { findByEmail, findPerson, type Person } from './people.ts'
import { endSessions, isStillPartial, openSession, requireLiveSession, sessionKindOf } from './sessions.ts'
import { clearFailures, countSignInAttempt } from './sign-in-failures.ts'

const [periodSeconds, recoveryCodes] = [30, 10]
const hashOf = (code: string) => hash('sha256', code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''), 'buffer')

/** A new secret for an authenticator app. It is stored only after a code has proved that the app has it. */
export function newTotpSecret(email: string): { secret: string; url: string } {
  const secret = new Secret({ size: 20 })
  return { secret: secret.base32, url: totpOf(secret, email).toString() }
}

/**
 * Turns the second factor on. Ends all sessions, and opens a new one for this browser.
 * @returns its token, and recovery codes, of which only hashes are stored
 * @throws ValidationError; DomainError unauthenticated if the session ended
 */
export async function activateTotp(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  { secret, code }: { secret: string; code: string },
): Promise<{ token: string; codes: string[] }> {
  const step = stepOf(Secret.fromBase32(secret), code)
  if (step === null) {
    const fault = 'this is not the code that the app shows now; check the clock of the phone'
    throw new ValidationError([detailAt(['body', 'code'], refuse(fault))])
  }
  const codes = newRecoveryCodes()
  const token = await deps.scope.transact(async (tx) => {
    tx.afterCommit(() => deps.forgetMember(memberId))
    await tx.run(sql`
      update member set totp_secret = ${seal(deps.factorKey, secret, memberId)}, totp_step = ${step},
        recovery_codes = ${codes.map(hashOf)}
      where member_id = ${memberId}`)
    await requireLiveSession(tx, browser)
    await endSessions(tx, memberId)
    return openSession(tx, memberId, browser, sessionKindOf(browser))
  })
  return { token, codes }
}

/**
 * Replaces the recovery codes of a person. The earlier ones stop working.
 * @returns the new codes, of which only hashes are stored
 * @throws DomainError not_found without a second factor; unauthenticated if the session ended
 */
export async function renewRecoveryCodes(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deps.scope.transact(async (tx) => {
    tx.afterCommit(() => deps.forgetMember(memberId))
    const renewed = await tx.run(sql`
      update member set recovery_codes = ${codes.map(hashOf)}
      where member_id = ${memberId} and totp_secret is not null`)
    if (renewed === 0)
      throw notFound('object_not_found', 'You have no authenticator app, so you have no recovery codes')
    await requireLiveSession(tx, browser)
  })
  return codes
}

/** Turns the second factor off. @throws DomainError unauthenticated if the session ended */
export async function removeTotp(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
): Promise<void> {
  await deps.scope.transact(async (tx) => {
    tx.afterCommit(() => deps.forgetMember(memberId))
    await clearTotp(tx, memberId)
    await requireLiveSession(tx, browser)
  })
}

/**
 * Turns the second factor of a person off, for the operator. Ends the sessions of the person.
 * @param tx of the operator, across orgs
 * @returns the id, and whether there was a second factor; undefined: nobody has an account with this address
 */
export async function operatorRemovesTotp(
  tx: Tx,
  email: string,
): Promise<{ memberId: string; isRemoved: boolean } | undefined> {
  const person = await findByEmail(tx, emailKey(email))
  if (!person) return undefined
  const { member_id: memberId, has_totp: isRemoved } = person
  if (!isRemoved) return { memberId, isRemoved }
  await clearTotp(tx, memberId)
  await clearFailures(tx, person.email_key)
  await endSessions(tx, memberId)
  const orgs = await tx.rows(sql<{ org_id: string }>`
    select org_id from membership where member_id = ${memberId} order by org_id`)
  for (const { org_id: orgId } of orgs)
    await recordEvents(new OrgTx(tx, operatorOf(orgId)), [
      { type: 'member.updated', objectId: memberId, changed: ['second_factor'] },
    ])
  return { memberId, isRemoved }
}

const clearTotp = (tx: Tx, memberId: string) =>
  tx.run(sql`
    update member set totp_secret = null, totp_step = null, recovery_codes = '{}' where member_id = ${memberId}`)

/**
 * Completes a sign-in with a code of the app, or with a recovery code. A code is valid once. The code only adds to a
 * password: alone, it neither confirms a full session nor replaces an ended session. Returns the token of the full
 * session.
 * @throws DomainError unauthenticated, too_many
 */
export async function completeSecondFactor(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  code: string,
): Promise<string> {
  const person = await deps.scope.read((tx) => findPerson(tx, memberId))
  if (!person) throw codeRefused()
  await countSignInAttempt(deps.scope, person.email_key)
  return deps.scope.transact(async (tx) => {
    const isRight = /^\d{6}$/.test(code)
      ? await useCode(tx, deps, person, code)
      : await useRecovery(tx, person, code)
    if (!isRight || !(await isStillPartial(tx, browser))) throw codeRefused()
    tx.afterCommit(() => deps.forgetMember(memberId))
    await clearFailures(tx, person.email_key)
    return openSession(tx, memberId, browser, sessionKindOf(browser))
  })
}

/** Returns whether the code is right, and no code of the same or a later time step was used before. */
async function useCode(
  tx: Tx,
  deps: MemberDeps,
  { member_id: memberId }: Person,
  code: string,
): Promise<boolean> {
  const stored = await tx.first(sql<{ totp_secret: Buffer | null }>`
    select totp_secret from member where member_id = ${memberId}`)
  const secret = stored?.totp_secret ? unseal(deps.factorKey, stored.totp_secret, memberId) : null
  const step = secret === null ? null : stepOf(Secret.fromBase32(secret), code)
  if (step === null) return false
  const used = await tx.run(sql`
    update member set totp_step = ${step}
    where member_id = ${memberId} and (totp_step is null or totp_step < ${step})`)
  return used > 0
}

async function useRecovery(tx: Tx, { member_id: memberId }: Person, code: string): Promise<boolean> {
  const used = await tx.run(sql`
    update member set recovery_codes = array_remove(recovery_codes, ${hashOf(code)}::bytea)
    where member_id = ${memberId} and totp_secret is not null and ${hashOf(code)}::bytea = any (recovery_codes)`)
  return used > 0
}

const totpOf = (secret: Secret, label: string) =>
  new TOTP({ issuer: 'Crosswalk', label, secret, period: periodSeconds })

/** Returns the time step of a code: the current, previous or next one; null: the code is wrong (RFC 6238). */
function stepOf(secret: Secret, code: string): number | null {
  const delta = totpOf(secret, '').validate({ token: code, window: 1 })
  return delta === null ? null : Math.floor(Date.now() / 1000 / periodSeconds) + delta
}

const newRecoveryCodes = () => Array.from({ length: recoveryCodes }, newRecoveryCode)

/** 80 random bits in groups of four characters. */
const newRecoveryCode = () => new Secret({ size: 10 }).base32.replaceAll(/(.{4})(?=.)/g, '$1-')

const codeRefused = (): DomainError =>
  unauthenticated(
    'sign_in_failed',
    'The code is wrong, or was used before; send the next code of the app, or a recovery code',
  )
