import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { findOrg, updateOrg } from './orgs.ts'
import { Identity, UpdateOrg } from './schema.ts'

async function identify(caller: Caller, context: Context) {
  const find = (orgId: string) => context.database.org(orgId, caller).read(findOrg)
  const own = await find(caller.homeOrgId)
  return {
    org: own,
    key: caller.apiKeyId === null ? null : { api_key_id: caller.apiKeyId, name: caller.name },
    mode: caller.mode,
    is_agency: caller.reachesClients,
    permissions: caller.permissions ? [...caller.permissions] : null,
    acting_on: caller.orgId === caller.homeOrgId ? own : await find(caller.orgId),
  }
}

export const orgEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/organization',
    name: 'get_organization',
    sdk: 'organization.get',
    summary: 'Read the organization and the API key of this request',
    tag: 'Organization',
    permission: null,
    shape: 'data',
    response: Identity,
    handle: ({ caller, context }) => identify(caller, context),
  }),
  endpoint({
    method: 'PATCH',
    path: '/organization',
    name: 'update_organization',
    sdk: 'organization.update',
    summary: 'Change the name or default country',
    description: 'Changes the organization that the request acts on.',
    tag: 'Organization',
    permission: 'organization:write',
    body: UpdateOrg,
    shape: 'data',
    response: Identity,
    example: { default_country: 'US' },
    handle: async ({ org, caller, context, body }) => {
      await org.transact((tx) => updateOrg(tx, body))
      return identify(caller, context)
    },
  }),
]
