import type Provider from 'oidc-provider'
import type { Interaction } from 'oidc-provider'
import { listReach } from '../auth/client-reach.ts'
import { type AccessibleOrg, type KnownSession, payerOf } from '../auth/known-sessions.ts'
import { allows } from '../auth/permissions.ts'
import { permissionsOf } from '../auth/roles.ts'
import { connectApp } from '../connected-apps/apps.ts'
import { isAppUsable } from '../connected-apps/known-apps.ts'
import { type AppPermission, appPermissions, grantable } from '../connected-apps/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { forbidden, notFound } from '../platform/domain-error.ts'
import { visibleText } from '../platform/visible-text.ts'
import { type ClientKind, identify } from './client-identity.ts'
import { recordClientUse } from './clients.ts'
import { resourceOf, scopes } from './names.ts'
import { takeSignIn } from './take-sign-in.ts'

/** The permissions that are preselected if the app asks for none. */
const usual = ['contacts:write', 'companies:write', 'deals:write', 'duplicates:write']

/** Permissions for effects outside of Crosswalk are never preselected. */
const uncheckedFirst: ReadonlySet<string> = new Set(['voice:write', 'crm:write', 'signatures:write'])

export type AppConsent = {
  client_name: string
  /** The host that proved the name of the app; without proof, the host to which the browser returns. */
  client_host: string
  client_kind: ClientKind
  redirect_host: string
  orgs: { org_id: string; org_name: string; permissions: AppPermission[] }[]
  checked: AppPermission[]
}

const answered = () =>
  notFound(
    'object_not_found',
    'This request to connect an app expired or was answered; start again in the app',
  )

async function readAsked(provider: Provider, uid: string) {
  const asked = await provider.Interaction.find(uid)
  if (!asked || asked.result) throw answered()
  const clientId = String(asked.params.client_id)
  const client = await provider.Client.find(clientId)
  if (!client)
    throw notFound('object_not_found', 'This app is not registered any more; start again in the app')
  const { kind, host, redirectHost } = identify(clientId, String(asked.params.redirect_uri))
  const app = {
    client_name: visibleText(client.clientName ?? '').trim() || host,
    ...{ client_host: host, client_kind: kind, redirect_host: redirectHost },
  }
  return { asked, app, clientId }
}

/** The data for the question to a person before an app is connected. @throws DomainError not_found */
export async function readConsent(
  provider: Provider,
  scope: Pick<SystemScope, 'readRows'>,
  uid: string,
  session: KnownSession,
): Promise<AppConsent> {
  const { asked, app } = await readAsked(provider, uid)
  const sent = String(asked.params.scope ?? '')
    .split(' ')
    .filter((each) => each.includes(':'))
  const requested = sent.length > 0 ? sent : usual
  return {
    ...app,
    orgs: (await reachedFor(asked, provider.issuer, scope, session)).map((reached) => ({
      org_id: reached.orgId,
      org_name: reached.orgName,
      permissions: grantableOf(reached),
    })),
    checked: appPermissions.filter((each) => allows(requested, each) && !uncheckedFirst.has(each)),
  }
}

const grantableOf = ({ role, permissions, recordAccess }: AccessibleOrg) =>
  grantable(permissionsOf(role, permissions, recordAccess))

/**
 * The organizations that the person may choose. If the app asks for the address of one organization, this is the only
 * one.
 */
async function reachedFor(
  asked: Interaction,
  issuer: string,
  scope: Pick<SystemScope, 'readRows'>,
  session: KnownSession,
): Promise<AccessibleOrg[]> {
  const orgId = resourceOf(issuer, sentResource(asked, issuer))?.orgId ?? null
  return (await listReach(scope, session, payerOf(session))).filter(
    (each) => orgId === null || each.orgId === orgId,
  )
}

/** The first address of the tool server that the app asks for, as the app wrote it. */
function sentResource({ params }: Interaction, issuer: string): string {
  const first = [params.resource].flat()[0]
  return typeof first === 'string' ? first : `${issuer}/mcp`
}

export type AllowedAccess = { orgId: string; mode: 'live' | 'test'; permissions: readonly AppPermission[] }

/**
 * Connects the app, and continues its sign-in. Returns the address to which the browser goes.
 * @throws DomainError not_found, forbidden
 */
export async function allowAccess(
  provider: Provider,
  scope: SystemScope,
  {
    uid,
    session,
    caller,
    allowed,
  }: { uid: string; session: KnownSession; caller: Caller; allowed: AllowedAccess },
): Promise<string> {
  const { asked, app, clientId } = await readAsked(provider, uid)
  const all = await reachedFor(asked, provider.issuer, scope, session)
  const reached = all.find(({ orgId }) => orgId === allowed.orgId)
  if (!reached) throw forbidden('membership_missing', 'You are not a member of this organization')
  const held = grantableOf(reached)
  const permissions = allowed.permissions.filter((each) => held.includes(each))
  if (permissions.length < allowed.permissions.length)
    throw forbidden('permission_not_grantable', 'Your role lacks one of these permissions')
  const mode = reached.via === 'sandbox' ? 'test' : allowed.mode
  const { orgId, homeOrgId } = reached
  const appId = await scope.transact(async (tx) => {
    // Another answer at the same time would connect a second app, which nobody uses.
    if (!(await takeSignIn(tx, uid))) throw answered()
    const made = await connectApp(tx, caller, {
      ...{ memberId: session.memberId, orgId, homeOrgId, clientId, mode, permissions },
      ...{ clientName: app.client_name.slice(0, 120), clientHost: app.client_host },
      viaSso: session.ssoOrgId === homeOrgId,
    })
    // A session that began with a link of the operator reaches organizations that require single sign-on.
    if (await isAppUsable((query) => tx.rows(query), made)) return made
    throw forbidden(
      'sso_required',
      `${reached.orgName} requires single sign-on; sign in with it, then connect the app`,
    )
  })
  const grant = new provider.Grant({ accountId: appId, clientId })
  const resource = sentResource(asked, provider.issuer)
  const granted = ['offline_access', ...permissions]
  const refused = scopes.filter((each) => !granted.includes(each))
  grant.addOIDCScope(granted.join(' '))
  grant.addResourceScope(resource, granted.join(' '))
  if (refused.length > 0) {
    grant.rejectOIDCScope(refused.join(' '))
    grant.rejectResourceScope(resource, refused.join(' '))
  }
  const grantId = await grant.save()
  // The library grants only scopes that the app asked for, but the person may have chosen other scopes.
  asked.params.scope = permissions.join(' ')
  // The library compares addresses letter by letter. It would ask again for every further address.
  asked.params.resource = resource
  await recordClientUse(scope, clientId)
  return finish(asked, { login: { accountId: appId, remember: false }, consent: { grantId } })
}

/** Ends the sign-in of the app without a connection. Returns the address to which the browser goes. */
export async function declineAccess(provider: Provider, scope: SystemScope, uid: string): Promise<string> {
  const { asked } = await readAsked(provider, uid)
  if (!(await scope.transact((tx) => takeSignIn(tx, uid)))) throw answered()
  return finish(asked, { error: 'access_denied', error_description: 'The person declined' })
}

async function finish(asked: Interaction, result: NonNullable<Interaction['result']>): Promise<string> {
  asked.result = result
  await asked.save(Math.max(1, asked.exp - Math.floor(Date.now() / 1000)))
  return asked.returnTo
}
