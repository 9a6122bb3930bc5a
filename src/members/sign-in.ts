import type { Tx } from '../platform/db/tx.ts'
import { type DomainError, unauthenticated } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { MemberDeps } from './member-deps.ts'
import { passwordFault } from './passwords.ts'
import { findByEmail, findPerson, holdUnchanged, type Person, setPassword } from './people.ts'
import { confirmSession, endSessions, openSession, requireLiveSession, sessionKindOf } from './sessions.ts'
import { clearFailures, countSignInAttempt } from './sign-in-failures.ts'
import { refuseIfSsoOnly } from './sso/required.ts'

/**
 * Checks a password. An address without an account takes the same time, is counted in the same way, and gets the same
 * error.
 * @throws DomainError unauthenticated, too_many, unavailable
 */
export async function checkPassword(
  deps: MemberDeps,
  { network }: RequestingBrowser,
  emailKey: string,
  password: string,
): Promise<Person> {
  const { scope, passwords } = deps
  const person = await passwords.verify(network, password, async () => {
    await countSignInAttempt(scope, emailKey)
    return scope.read((tx) => findByEmail(tx, emailKey))
  })
  if (!person) throw signInFailed()
  return person
}

/** Signs a person in. Returns the token of the session. If a second factor is missing, the session is partial. */
export async function signIn(
  deps: MemberDeps,
  browser: RequestingBrowser,
  { emailKey, password }: { emailKey: string; password: string },
): Promise<string> {
  const person = await checkPassword(deps, browser, emailKey, password)
  const { member_id: memberId, has_totp: isPartial } = person
  return deps.scope.transact(async (tx) => {
    await requireUnchanged(tx, person)
    await refuseIfSsoOnly(tx, memberId)
    if (!isPartial) await clearFailures(tx, emailKey)
    return openSession(tx, memberId, browser, { isPartial })
  })
}

/** Confirms the identity of the session's person, by the password. */
export async function confirmWithPassword(
  deps: MemberDeps,
  browser: RequestingBrowser,
  { memberId, sessionId }: { memberId: string; sessionId: string },
  password: string,
): Promise<void> {
  const person = await deps.scope.read((tx) => findPerson(tx, memberId))
  if (!person) throw signInFailed()
  await checkPassword(deps, browser, person.email_key, password)
  await deps.scope.transact(async (tx) => {
    await clearFailures(tx, person.email_key)
    await confirmSession(tx, sessionId)
    tx.afterCommit(() => deps.forgetMember(memberId))
  })
}

/**
 * Replaces the password, or adds one. Ends all sessions, and opens a new one for this browser. Returns its token.
 * @param change `current` null: the person has no password
 */
export async function changePassword(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  { current, next }: { current: string | null; next: string },
): Promise<string> {
  const person = await deps.scope.read((tx) => findPerson(tx, memberId))
  if (!person) throw signInFailed()
  if (current !== null) await checkPassword(deps, browser, person.email_key, current)
  else if (person.password !== null)
    throw new ValidationError([detailAt(['body', 'password'], refuse('send the current password'))])
  const names = [person.email, person.name]
  const hash = await hashNewPassword(deps, browser, next, 'new_password', names, person.has_totp)
  return deps.scope.transact(async (tx) => {
    tx.afterCommit(() => deps.forgetMember(memberId))
    // Lock the person before the failures, as sign-ins do: they would deadlock otherwise.
    await requireUnchanged(tx, person)
    await requireLiveSession(tx, browser)
    await clearFailures(tx, person.email_key)
    await setPassword(tx, memberId, hash)
    await endSessions(tx, memberId)
    return openSession(tx, memberId, browser, sessionKindOf(browser))
  })
}

/**
 * The hash of a new password.
 * @throws ValidationError at `member` if it is weak
 */
export function hashNewPassword(
  { passwords }: MemberDeps,
  { network }: RequestingBrowser,
  password: string,
  member: string,
  names: readonly string[],
  hasSecondFactor = false,
): Promise<string> {
  const fault = passwordFault(password, names, hasSecondFactor)
  if (fault) throw new ValidationError([detailAt(['body', member], refuse(fault))])
  return passwords.hash(network, password)
}

/**
 * Requires that the password that was checked is still the person's, until the transaction ends.
 * @throws DomainError unauthenticated
 */
export async function requireUnchanged(tx: Tx, person: Person): Promise<void> {
  if (!(await holdUnchanged(tx, person))) throw signInFailed()
}

const signInFailed = (): DomainError =>
  unauthenticated(
    'sign_in_failed',
    'The e-mail address or the password is wrong; try again, or ask an owner or admin of your organization for a recovery link',
  )
