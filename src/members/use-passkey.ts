import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import type { MemberDeps } from './member-deps.ts'
import { checkAssertion } from './passkeys/assert.ts'
import type { Credential } from './passkeys/credential.ts'
import { deletePasskey, insertPasskey, type Passkey, renamePasskey } from './passkeys/passkeys.ts'
import { checkRegistration, registrationOptions } from './passkeys/register.ts'
import { findPerson } from './people.ts'
import { confirmSession, openSession, requireLiveSession } from './sessions.ts'
import { clearFailures } from './sign-in-failures.ts'
import { refuseIfSsoOnly } from './sso/required.ts'

/**
 * Signs a person in with a passkey. No further factor is needed, because the device verified the person. Returns the
 * token of the session.
 * @throws DomainError unauthenticated
 */
export async function signInWithPasskey(
  deps: MemberDeps,
  browser: RequestingBrowser,
  credential: Credential,
): Promise<string> {
  const memberId = await checkAssertion(deps.scope, browser, null, credential)
  return deps.scope.transact(async (tx) => {
    await refuseIfSsoOnly(tx, memberId)
    const person = await findPerson(tx, memberId)
    if (person) await clearFailures(tx, person.email_key)
    return openSession(tx, memberId, browser)
  })
}

/**
 * Confirms the identity of the session's person, by a passkey.
 * @throws DomainError unauthenticated
 */
export async function confirmWithPasskey(
  deps: MemberDeps,
  browser: RequestingBrowser,
  { memberId, sessionId }: { memberId: string; sessionId: string },
  credential: Credential,
): Promise<void> {
  await checkAssertion(deps.scope, browser, memberId, credential)
  await deps.scope.transact(async (tx) => {
    await confirmSession(tx, sessionId)
    tx.afterCommit(() => deps.forgetMember(memberId))
  })
}

/** Options for a person to add a passkey. */
export async function ownOptions(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
): Promise<Record<string, unknown>> {
  const person = await deps.scope.read((tx) => findPerson(tx, memberId))
  const { email = '', name = '' } = person ?? {}
  return registrationOptions(deps.scope, browser, 'register', { memberId, email, name })
}

/** Adds a passkey to the person of the session. @throws ValidationError; DomainError conflict, unauthenticated */
export async function addPasskey(
  deps: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  { name, credential }: { name: string; credential: Credential },
): Promise<Passkey> {
  const passkey = await checkRegistration(deps.scope, browser, 'register', credential, { memberId })
  return deps.scope.transact(async (tx) => {
    tx.afterCommit(() => deps.forgetMember(memberId))
    const added = await insertPasskey(tx, passkey, name)
    await requireLiveSession(tx, browser)
    return added
  })
}

/** Renames a passkey of the session's person. @throws DomainError not_found, unauthenticated */
export const renameOwnPasskey = (
  { scope }: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<Passkey> =>
  scope.transact(async (tx) => {
    const renamed = await renamePasskey(tx, memberId, passkeyId, name)
    await requireLiveSession(tx, browser)
    return renamed
  })

/** Deletes a passkey of the session's person. @throws DomainError not_found, conflict, unauthenticated */
export const deleteOwnPasskey = (
  { scope, forgetMember }: MemberDeps,
  browser: RequestingBrowser,
  memberId: string,
  passkeyId: string,
): Promise<void> =>
  scope.transact(async (tx) => {
    tx.afterCommit(() => forgetMember(memberId))
    await deletePasskey(tx, memberId, passkeyId)
    await requireLiveSession(tx, browser)
  })
