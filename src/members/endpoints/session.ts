import { sessionCookie } from '../../auth/console-cookies.ts'
import { requireConfirmation } from '../../auth/member-gate.ts'
import { emailKey } from '../../normalize/email.ts'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { requireBrowser } from '../../platform/http/requesting-browser.ts'
import type { MemberDeps } from '../member-deps.ts'
import { ChangePassword, Confirm, Session, SessionList, SessionPath, SignIn } from '../schema.ts'
import { endOwnSession, endSession, listSessions } from '../sessions.ts'
import { changePassword, confirmWithPassword, signIn } from '../sign-in.ts'
import { requireField } from '../use-link.ts'
import { confirmWithPasskey } from '../use-passkey.ts'
import { beginSession, showSession } from './show-session.ts'
import { sessionTag } from './tags.ts'

/** Signing in and out. */
export const sessionEndpoints = (deps: MemberDeps): Endpoint[] => [
  endpoint({
    ...sessionTag,
    method: 'GET',
    path: '/session',
    name: 'get_session',
    sdk: 'session.get',
    summary: 'Read the session',
    access: 'partial',
    shape: 'data',
    response: Session,
    handle: ({ browser }) => showSession(deps, requireBrowser(browser).token),
  }),
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session',
    name: 'sign_in',
    sdk: 'session.signIn',
    summary: 'Sign in',
    access: 'anyone',
    body: SignIn,
    shape: 'data',
    response: Session,
    handle: async ({ browser, body: { email, password } }) => {
      const token = await signIn(deps, requireBrowser(browser), { emailKey: emailKey(email), password })
      return beginSession(deps, requireBrowser(browser), token)
    },
  }),
  endpoint({
    ...sessionTag,
    method: 'DELETE',
    path: '/session',
    name: 'sign_out',
    sdk: 'session.signOut',
    summary: 'Sign out',
    access: 'partial',
    shape: 'none',
    handle: async ({ browser }) => {
      const { session } = requireBrowser(browser)
      await deps.scope.transact(async (tx) => {
        if (!session) return
        tx.afterCommit(() => deps.forgetMember(session.memberId))
        await endSession(tx, session.sessionId)
      })
      return new Answer(undefined, { headers: sessionCookie(requireBrowser(browser), null) })
    },
  }),
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session/confirm',
    name: 'confirm_session',
    sdk: 'session.confirm',
    summary: 'Confirm that it is you',
    access: 'person',
    body: Confirm,
    shape: 'data',
    response: Session,
    handle: async ({ browser, body }) => {
      const { session, token } = requireBrowser(browser)
      if (session && body.passkey)
        await confirmWithPasskey(deps, requireBrowser(browser), session, body.passkey)
      else if (session) {
        const password = requireField(body.password, 'password')
        await confirmWithPassword(deps, requireBrowser(browser), session, password)
      }
      return showSession(deps, token)
    },
  }),
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session/password',
    name: 'change_password',
    sdk: 'session.changePassword',
    summary: 'Change the password',
    access: 'person',
    changesAccount: true,
    body: ChangePassword,
    shape: 'data',
    response: Session,
    handle: async ({ browser, caller, body }) => {
      const change = { current: body.password ?? null, next: body.new_password }
      // Only a person without a password may omit `password`. This person confirms in another way.
      if (change.current === null) requireConfirmation(requireBrowser(browser))
      const token = await changePassword(deps, requireBrowser(browser), caller.memberId ?? '', change)
      return beginSession(deps, requireBrowser(browser), token)
    },
  }),
  endpoint({
    ...sessionTag,
    method: 'GET',
    path: '/sessions',
    name: 'list_sessions',
    sdk: 'sessions.list',
    summary: 'List your sessions',
    access: 'person',
    shape: 'data',
    response: SessionList,
    handle: async ({ caller, browser }) => {
      const { limitedTo = null } = requireBrowser(browser).session ?? {}
      const rows = await deps.scope.read((tx) => listSessions(tx, caller.memberId ?? '', limitedTo))
      return rows.map((row) => ({ ...row, is_current: row.session_id === caller.sessionId }))
    },
  }),
  endpoint({
    ...sessionTag,
    method: 'DELETE',
    path: '/sessions/{session_id}',
    name: 'end_session',
    sdk: 'sessions.end',
    summary: 'End one of your sessions',
    access: 'person',
    changesAccount: true,
    params: SessionPath,
    shape: 'none',
    handle: ({ caller: { memberId }, params }) =>
      deps.scope.transact(async (tx) => {
        if (memberId === null) return undefined
        tx.afterCommit(() => deps.forgetMember(memberId))
        await endOwnSession(tx, memberId, params.session_id)
        return undefined
      }),
  }),
]
