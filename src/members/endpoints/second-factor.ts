import { sessionCookie } from '../../auth/console-cookies.ts'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { requireBrowser } from '../../platform/http/requesting-browser.ts'
import type { MemberDeps } from '../member-deps.ts'
import { ActivateTotp, OfferedTotp, RecoveryCodes, SecondFactor, Session } from '../schema.ts'
import {
  activateTotp,
  completeSecondFactor,
  newTotpSecret,
  removeTotp,
  renewRecoveryCodes,
} from '../second-factor.ts'
import { beginSession, currentSession } from './show-session.ts'
import { sessionTag } from './tags.ts'

const change = { ...sessionTag, access: 'person', confirm: true, changesAccount: true } as const

/** Authenticator apps (RFC 6238), and recovery codes. */
export const secondFactorEndpoints = (deps: MemberDeps): Endpoint[] => [
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session/totp',
    name: 'send_second_factor',
    sdk: 'session.sendSecondFactor',
    summary: 'Complete a sign-in with a code',
    access: 'partial',
    body: SecondFactor,
    shape: 'data',
    response: Session,
    handle: async ({ browser, caller, body }) => {
      const token = await completeSecondFactor(
        deps,
        requireBrowser(browser),
        caller.memberId ?? '',
        body.code,
      )
      return beginSession(deps, requireBrowser(browser), token)
    },
  }),
  endpoint({
    ...change,
    method: 'POST',
    path: '/session/totp/offer',
    name: 'offer_totp',
    sdk: 'session.offerTotp',
    summary: 'Create a secret for an authenticator app',
    shape: 'data',
    response: OfferedTotp,
    handle: async ({ browser }) =>
      newTotpSecret((await currentSession(deps, requireBrowser(browser).token)).email),
  }),
  endpoint({
    ...change,
    method: 'PUT',
    path: '/session/totp',
    name: 'activate_totp',
    sdk: 'session.activateTotp',
    summary: 'Turn the second factor on',
    body: ActivateTotp,
    shape: 'data',
    response: RecoveryCodes,
    handle: async ({ browser, caller, body }) => {
      const { token, codes } = await activateTotp(deps, requireBrowser(browser), caller.memberId ?? '', body)
      return new Answer({ recovery_codes: codes }, { headers: sessionCookie(requireBrowser(browser), token) })
    },
  }),
  endpoint({
    ...change,
    method: 'POST',
    path: '/session/totp/recovery-codes',
    name: 'renew_recovery_codes',
    sdk: 'session.renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    shape: 'data',
    response: RecoveryCodes,
    handle: async ({ browser, caller }) => ({
      recovery_codes: await renewRecoveryCodes(deps, requireBrowser(browser), caller.memberId ?? ''),
    }),
  }),
  endpoint({
    ...change,
    method: 'DELETE',
    path: '/session/totp',
    name: 'drop_totp',
    sdk: 'session.dropTotp',
    summary: 'Turn the second factor off',
    shape: 'none',
    handle: async ({ browser, caller }) => {
      await removeTotp(deps, requireBrowser(browser), caller.memberId ?? '')
      return undefined
    },
  }),
]
