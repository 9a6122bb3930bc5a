import { recordEvents } from '../events/record.ts'
import { emailKey } from '../normalize/email.ts'
import { createOrg } from '../orgs/operator.ts'
import { operatorOf } from '../platform/actor.ts'
import { newId } from '../platform/db/new-id.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { conflict, forbidden, unauthenticated } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { assignToFirstOwner } from '../tasks/first-owner.ts'
import { consumeLink, linkNotFound, type OpenLink, readLink } from './links.ts'
import type { MemberDeps } from './member-deps.ts'
import { isUsedElsewhere, putMembership } from './memberships.ts'
import type { Credential } from './passkeys/credential.ts'
import { deletePasskeys, insertPasskey } from './passkeys/passkeys.ts'
import { checkRegistration, registrationOptions } from './passkeys/register.ts'
import { findByEmail, holdUnchanged, insertPerson, type Person, setPassword } from './people.ts'
import { endSessions, openSession } from './sessions.ts'
import { checkPassword, hashNewPassword, requireUnchanged } from './sign-in.ts'
import { clearFailures } from './sign-in-failures.ts'

/** A link as its page shows it. `has_account`: whether the person signs in, or chooses a password. */
export type ShownLink = Pick<OpenLink, 'kind' | 'org_name' | 'email' | 'role' | 'sso_org_id'> & {
  has_account: boolean
}

/** The data that the user of a link sends. */
export type LinkUse = {
  token: string
  email?: string | undefined
  name?: string | undefined
  org_name?: string | undefined
  password?: string | undefined
  /** Instead of a new password. */
  passkey?: Credential | undefined
  passkey_name?: string | undefined
}

type Redeemed = { token: string; orgId: string }

/** @throws DomainError not_found */
export function showLink({ scope }: MemberDeps, token: string): Promise<ShownLink> {
  return scope.read(async (tx) => {
    const { kind, org_name, email, role, sso_org_id } = await readLink(tx, token)
    const person = email === null ? undefined : await findByEmail(tx, emailKey(email))
    const hasAccount = person !== undefined
    // The account may have another spelling of the same address.
    return { kind, org_name, email: person?.email ?? email, role, has_account: hasAccount, sso_org_id }
  })
}

/**
 * Uses a link: creates or recovers the account, and makes the person a member. A set-up link also creates the org if
 * there is none. Only a recovery link replaces the password of an existing account. Returns the org of the link, and
 * the token of a new session, or of the person's current one.
 * @throws DomainError not_found, unauthenticated, conflict; ValidationError
 */
export async function redeemLink(
  deps: MemberDeps,
  browser: RequestingBrowser,
  use: LinkUse,
): Promise<Redeemed> {
  const link = await deps.scope.read((tx) => readLink(tx, use.token))
  const email = link.email ?? requireField(use.email, 'email')
  const found = await deps.scope.read((tx) => findByEmail(tx, emailKey(email)))
  const orgName = link.org_id === null ? requireField(use.org_name, 'org_name') : null
  if (link.kind === 'recovery') return recover(deps, browser, link, use, found)
  const isSignedIn = found !== undefined && isOwnSession(browser, found)
  // Otherwise, the provider of one organization could sign people in to other organizations.
  if (found && !isSignedIn && browser.session?.ssoOrgId && use.password === undefined)
    throw ssoCountsElsewhere()
  const checked =
    found && !isSignedIn
      ? await checkPassword(deps, browser, found.email_key, requireField(use.password, 'password'))
      : null
  const account = found ? null : await newAccount(deps, browser, link, use, email)
  return deps.scope.transact(async (tx) => {
    await consumeLink(tx, use.token, link.kind)
    const memberId = found?.member_id ?? (account && (await insertPerson(tx, account.person)))
    if (!memberId) throw accountChanged()
    tx.afterCommit(() => deps.forgetMember(memberId))
    if (checked) await requireUnchanged(tx, checked)
    if (found && !found.has_totp) await clearFailures(tx, found.email_key)
    if (account?.passkey) await insertPasskey(tx, account.passkey, nameOf(use))
    const orgId =
      link.org_id ?? (await createOrg(tx, { name: orgName ?? '', isAgency: false, country: null }))
    const origin = {
      ...{ invitedByOrg: link.invited_by_org_id, isInvitation: link.kind === 'invite' },
      recordAccess: link.record_access,
    }
    await putMembership(tx, orgId, memberId, link.role, origin)
    const actor = { orgId, mode: 'live', apiKeyId: null, memberId } as const
    await recordEvents(new OrgTx(tx, actor), [{ type: 'member.joined', objectId: memberId }])
    if (link.kind === 'set_up') await assignToFirstOwner(new OrgTx(tx, operatorOf(orgId)), memberId)
    // Keep the session: a new one would count as confirmed.
    if (isSignedIn && browser.token !== null) return { token: browser.token, orgId }
    const token = await openSession(tx, memberId, browser, { isPartial: checked?.has_totp === true })
    return { token, orgId }
  })
}

/** Sets a new password or a new passkey, in place of the old ones. The second factor stays, so that the link does not bypass it. */
async function recover(
  deps: MemberDeps,
  browser: RequestingBrowser,
  link: OpenLink,
  use: LinkUse,
  found: Person | undefined,
): Promise<Redeemed> {
  const orgId = link.org_id
  if (!found || orgId === null) throw accountChanged()
  const names = [found.email, found.name, link.org_name ?? '']
  const { member_id: memberId, has_totp: isPartial } = found
  if (use.passkey && isPartial) throw secondFactorStays()
  const passkey = use.passkey
    ? await checkRegistration(deps.scope, browser, 'recover', use.passkey, { member: 'passkey', memberId })
    : null
  const hash =
    passkey && use.password === undefined
      ? null
      : await hashNewPassword(
          deps,
          browser,
          requireField(use.password, 'password'),
          'password',
          names,
          found.has_totp,
        )
  return deps.scope.transact(async (tx) => {
    await consumeLink(tx, use.token, link.kind)
    // The person may have joined another organization after the link was created.
    if (link.created_by_member_id !== null && (await isUsedElsewhere(tx, orgId, memberId)))
      throw linkNotFound()
    tx.afterCommit(() => deps.forgetMember(memberId))
    // Otherwise, a link could give a full session although a second factor was turned on meanwhile.
    if (!(await holdUnchanged(tx, found))) throw changedMeanwhile()
    // Remove the old password even without a new one, and the old passkeys: they may belong to somebody else.
    await setPassword(tx, memberId, hash)
    await deletePasskeys(tx, memberId)
    if (passkey) await insertPasskey(tx, passkey, nameOf(use))
    // Keep the failures of a partial session: links would bypass the wait after wrong codes otherwise.
    if (!isPartial) await clearFailures(tx, found.email_key)
    await endSessions(tx, memberId)
    const actor = { orgId, mode: 'live', apiKeyId: null, memberId } as const
    await recordEvents(new OrgTx(tx, actor), [{ type: 'member.recovered', objectId: memberId }])
    const isRecovery = link.created_by_member_id === null
    return { token: await openSession(tx, memberId, browser, { isPartial, isRecovery }), orgId }
  })
}

async function newAccount(
  deps: MemberDeps,
  browser: RequestingBrowser,
  link: OpenLink,
  use: LinkUse,
  email: string,
) {
  const name = requireField(use.name, 'name')
  const names = [email, name, link.org_name ?? use.org_name ?? '']
  const passkey = use.passkey
    ? await checkRegistration(deps.scope, browser, 'join', use.passkey, { member: 'passkey' })
    : null
  const password =
    passkey && use.password === undefined
      ? null
      : await hashNewPassword(deps, browser, requireField(use.password, 'password'), 'password', names)
  const person = { memberId: passkey?.memberId, email, emailKey: emailKey(email), name, password }
  return { person, passkey }
}

/**
 * Options for the user of a link to create a passkey instead of a password.
 * @throws DomainError not_found, conflict; ValidationError
 */
export async function linkPasskeyOptions(
  deps: MemberDeps,
  browser: RequestingBrowser,
  use: Pick<LinkUse, 'token' | 'email' | 'name'>,
): Promise<Record<string, unknown>> {
  const link = await deps.scope.read((tx) => readLink(tx, use.token))
  const email = link.email ?? requireField(use.email, 'email')
  const found = await deps.scope.read((tx) => findByEmail(tx, emailKey(email)))
  if (link.kind !== 'recovery') {
    if (found) throw haveAccount()
    const owner = { memberId: newId(), email, name: requireField(use.name, 'name') }
    return registrationOptions(deps.scope, browser, 'join', owner)
  }
  if (!found) throw accountChanged()
  if (found.has_totp) throw secondFactorStays()
  const owner = { memberId: found.member_id, email, name: found.name }
  return registrationOptions(deps.scope, browser, 'recover', owner)
}

const changedMeanwhile = () =>
  unauthenticated(
    'sign_in_failed',
    'The password or the second factor of this person changed meanwhile; open the link again',
  )

const nameOf = ({ passkey_name: name = 'Passkey' }: LinkUse) => name

/** Returns whether this person is signed in in this browser, with both factors. */
const isOwnSession = ({ session }: RequestingBrowser, { member_id: memberId }: Person) =>
  session !== null && session.memberId === memberId && !session.isPartial && session.ssoOrgId === null

/** Returns a field of the body that is optional in other cases. @throws ValidationError at `field` without a value */
export function requireField(value: string | undefined, field: string): string {
  if (value !== undefined) return value
  throw new ValidationError([detailAt(['body', field], refuse('this value is needed here'))])
}

/** A passkey that a link adds would bypass the second factor. */
const secondFactorStays = () =>
  new ValidationError([
    detailAt(
      ['body', 'passkey'],
      refuse('this account has an authenticator app; set a new password instead'),
    ),
  ])

const haveAccount = () =>
  conflict('member_exists', 'You have an account with this e-mail address; sign in, then open the link again')

const ssoCountsElsewhere = () =>
  forbidden(
    'sso_session_limited',
    'You signed in with single sign-on of one organization; sign in with your password or a passkey, then open the link again',
  )

const accountChanged = () =>
  conflict('member_exists', 'This account changed in the meantime; open the link again')
