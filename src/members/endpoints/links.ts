import type { Tx } from '../../platform/db/tx.ts'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { type RequestingBrowser, requireBrowser } from '../../platform/http/requesting-browser.ts'
import { createRecoveryLink, invite } from '../invite.ts'
import { type LinkKind, linkUrl, listLinks, type MadeLink as Made, revokeLink } from '../links.ts'
import type { MemberDeps } from '../member-deps.ts'
import { Options } from '../passkey-schema.ts'
import {
  Invite,
  LinkList,
  LinkPath,
  MadeLink,
  OfferLinkPasskey,
  OfferRecovery,
  OpenLink,
  ShownLink,
  UsedLink,
  UseLink,
} from '../schema.ts'
import { requireLiveSession } from '../sessions.ts'
import { linkPasskeyOptions, redeemLink, showLink } from '../use-link.ts'
import { beginSession } from './show-session.ts'
import { membersTag } from './tags.ts'

const manage = { ...membersTag, permission: 'members:manage', confirm: true } as const

const shownOnce = (
  browser: RequestingBrowser | null,
  kind: LinkKind,
  { linkId, token, expiresAt }: Made,
) => ({
  ...{ link_id: linkId, url: linkUrl(requireBrowser(browser).origin, kind, token), expires_at: expiresAt },
})

/** Links that let a person join an org or recover an account. */
export const linkEndpoints = (deps: MemberDeps): Endpoint[] => {
  /** Makes a link, unless the session ended since the request began. */
  const whileSignedIn = (browser: RequestingBrowser | null, make: (tx: Tx) => Promise<Made>): Promise<Made> =>
    deps.scope.transact(async (tx) => {
      const made = await make(tx)
      await requireLiveSession(tx, requireBrowser(browser))
      return made
    })

  return [
    endpoint({
      ...membersTag,
      method: 'POST',
      path: '/links/open',
      name: 'open_link',
      sdk: 'links.open',
      summary: 'Read a link without using it',
      permission: null,
      access: 'anyone',
      body: OpenLink,
      shape: 'data',
      response: ShownLink,
      handle: ({ body }) => showLink(deps, body.token),
    }),
    endpoint({
      ...membersTag,
      method: 'POST',
      path: '/links/passkey-options',
      name: 'offer_link_passkey',
      sdk: 'links.passkeyOptions',
      summary: 'Begin to create a passkey with a link',
      permission: null,
      access: 'anyone',
      body: OfferLinkPasskey,
      shape: 'data',
      response: Options,
      handle: async ({ browser, body }) => ({
        options: await linkPasskeyOptions(deps, requireBrowser(browser), body),
      }),
    }),
    endpoint({
      ...membersTag,
      method: 'POST',
      path: '/links/use',
      name: 'use_link',
      sdk: 'links.use',
      summary: 'Use a link, and sign in',
      permission: null,
      access: 'anyone',
      body: UseLink,
      shape: 'data',
      response: UsedLink,
      handle: async ({ browser, body }) => {
        const { token, orgId } = await redeemLink(deps, requireBrowser(browser), body)
        const { result, headers } = await beginSession(deps, requireBrowser(browser), token)
        return new Answer(result.with('link_org_id', orgId), { headers })
      },
    }),
    endpoint({
      ...manage,
      method: 'POST',
      path: '/members/invites',
      name: 'invite_member',
      sdk: 'members.invite',
      summary: 'Create a link with which a person becomes a member',
      body: Invite,
      status: 201,
      shape: 'data',
      response: MadeLink,
      handle: async ({ caller, browser, body }) =>
        shownOnce(browser, 'invite', await whileSignedIn(browser, (tx) => invite(tx, caller, body))),
    }),
    endpoint({
      ...manage,
      method: 'POST',
      path: '/members/recovery-links',
      name: 'offer_recovery',
      sdk: 'members.offerRecovery',
      summary: 'Create a link with which a member sets a new password',
      body: OfferRecovery,
      status: 201,
      shape: 'data',
      response: MadeLink,
      handle: async ({ caller, browser, body }) =>
        shownOnce(
          browser,
          'recovery',
          await whileSignedIn(browser, (tx) => createRecoveryLink(tx, caller, body.member_id)),
        ),
    }),
    endpoint({
      ...membersTag,
      method: 'GET',
      path: '/members/links',
      name: 'list_member_links',
      sdk: 'members.links.list',
      summary: 'List the links that nobody has used yet',
      permission: 'members:manage',
      shape: 'data',
      response: LinkList,
      handle: ({ caller }) => deps.scope.read((tx) => listLinks(tx, caller.orgId)),
    }),
    endpoint({
      ...membersTag,
      method: 'DELETE',
      path: '/members/links/{link_id}',
      name: 'revoke_member_link',
      sdk: 'members.links.revoke',
      summary: 'Revoke a link',
      permission: 'members:manage',
      params: LinkPath,
      shape: 'none',
      handle: ({ caller, params }) =>
        deps.scope.transact(async (tx) => {
          await revokeLink(tx, caller, params.link_id)
          return undefined
        }),
    }),
  ]
}
