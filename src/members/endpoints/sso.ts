import { z } from 'zod'
import { attemptCookie, sessionCookie } from '../../auth/console-cookies.ts'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { text } from '../../platform/http/fields.ts'
import { ifMatch } from '../../platform/http/if-match.ts'
import { type RequestingBrowser, requireBrowser } from '../../platform/http/requesting-browser.ts'
import type { MemberDeps } from '../member-deps.ts'
import {
  deleteConnection,
  findConnection,
  requireOwner,
  type StoredSsoConnection,
} from '../sso/connection.ts'
import { SsoFailure } from '../sso/failure.ts'
import { saveConnection } from '../sso/save.ts'
import { finishSignOn, redirectUri, startSignOn } from '../sso/sign-on.ts'
import { PutSso, ReturnSso, Sso, SsoPath, StartSso } from '../sso-schema.ts'
import { membersTag } from './tags.ts'

const manage = { ...membersTag, path: '/sso', permission: 'members:manage' } as const
const headers = z.object({ 'if-match': ifMatch })

const shownSso = (
  browser: RequestingBrowser,
  orgId: string,
  connection: StoredSsoConnection | undefined,
) => ({
  redirect_uri: redirectUri(browser, orgId),
  sign_in_url: `${browser.origin}/console/api/sso/start?org_id=${orgId}`,
  connection: connection ?? null,
})

/** Single sign-on. The browser navigates to the start address, and the provider redirects it to the callback. */
export const ssoEndpoints = (deps: MemberDeps): Endpoint[] => {
  /** Redirects the browser; after a failure, to the sign-in page, which says why and offers another try. */
  async function navigate(
    browser: RequestingBrowser,
    orgId: string,
    work: () => Promise<Answer<undefined>>,
  ): Promise<Answer<undefined>> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SsoFailure)) throw error
      deps.log.info({ fault: error.fault, err: error.cause }, 'a single sign-on failed')
      const retry = error.fault === 'sso_not_set_up' ? '' : `&sso=${orgId}`
      return seeOther(`/console/sign-in#sso_error=${error.fault}${retry}`, attemptCookie(browser, null))
    }
  }

  return [
    endpoint({
      ...manage,
      method: 'GET',
      name: 'get_sso',
      sdk: 'sso.get',
      summary: 'Read the settings of single sign-on',
      shape: 'data',
      response: Sso,
      handle: ({ browser, caller }) =>
        deps.scope.transact(async (tx) => {
          await requireOwner(tx, caller)
          return shownSso(requireBrowser(browser), caller.orgId, await findConnection(tx, caller.orgId))
        }),
    }),
    endpoint({
      ...manage,
      method: 'PUT',
      name: 'put_sso',
      sdk: 'sso.put',
      summary: 'Set single sign-on up',
      confirm: true,
      headers,
      body: PutSso,
      shape: 'data',
      response: Sso,
      handle: async ({ browser, caller, headers, body }) => {
        const here = requireBrowser(browser)
        const redirect = redirectUri(here, caller.orgId)
        const connection = await saveConnection(deps, caller, body, redirect, headers['if-match'])
        const shown = shownSso(here, caller.orgId, connection)
        return new Answer(shown, { headers: { etag: `"${connection.version}"` } })
      },
    }),
    endpoint({
      ...manage,
      method: 'DELETE',
      name: 'remove_sso',
      sdk: 'sso.remove',
      summary: 'Remove single sign-on',
      confirm: true,
      shape: 'none',
      handle: ({ caller }) =>
        deps.scope.transact(async (tx) => {
          await requireOwner(tx, caller)
          await deleteConnection(tx, deps.secrets, caller)
          return undefined
        }),
    }),
    endpoint({
      ...membersTag,
      method: 'GET',
      path: '/sso/start',
      name: 'start_sso',
      sdk: 'sso.start',
      summary: 'Go to the provider of an organization',
      permission: null,
      access: 'anyone',
      query: StartSso,
      headers: z.object({ 'sec-fetch-site': text().optional() }),
      shape: 'none',
      handle: ({ browser, headers, query: { org_id: orgId, return_to: returnTo = '/console', confirm } }) =>
        navigate(requireBrowser(browser), orgId, async () => {
          // Ask the person first: another site could otherwise sign its visitors in as somebody else.
          if (['cross-site', 'same-site'].includes(headers['sec-fetch-site'] ?? ''))
            return seeOther(`/console/sign-in#sso=${orgId}`, {})
          const start = { orgId, returnTo, confirms: confirm === 'true' }
          const { url, token } = await startSignOn(deps, requireBrowser(browser), start)
          return seeOther(url, attemptCookie(requireBrowser(browser), token))
        }),
    }),
    endpoint({
      ...membersTag,
      method: 'GET',
      path: '/sso/callback/{org_id}',
      name: 'return_from_sso',
      sdk: 'sso.return',
      summary: 'Return from the provider of an organization',
      permission: null,
      access: 'anyone',
      params: SsoPath,
      query: ReturnSso,
      shape: 'none',
      handle: ({ browser, params, query: { code, state, iss, error } }) =>
        navigate(requireBrowser(browser), params.org_id, async () => {
          const returned = { code, state, iss, error }
          const { returnTo, token } = await finishSignOn(
            deps,
            requireBrowser(browser),
            params.org_id,
            returned,
          )
          const cookie = token === null ? attemptCookie : sessionCookie
          return seeOther(returnTo, cookie(requireBrowser(browser), token))
        }),
    }),
  ]
}

const seeOther = (location: string, headers: Record<string, string>) =>
  new Answer(undefined, { status: 303, headers: { location, ...headers } })
