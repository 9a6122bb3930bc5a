import { z } from 'zod'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { createClient, findOrg, listClients, updateOrg } from './orgs.ts'
import { Client, CreateClient, Identity, UpdateOrg } from './schema.ts'

async function identify(caller: Caller, context: Context) {
  const find = (orgId: string) => context.database.org(orgId, caller).read(findOrg)
  const own = await find(caller.keyOrgId)
  return {
    org: own,
    key: { api_key_id: caller.apiKeyId, name: caller.keyName },
    mode: caller.mode,
    is_agency: caller.isAgencyKey,
    permissions: caller.permissions ? [...caller.permissions] : null,
    acting_on: caller.orgId === caller.keyOrgId ? own : await find(caller.orgId),
  }
}

export const orgEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/organization',
    name: 'get_organization',
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
  endpoint({
    method: 'GET',
    path: '/agency/clients',
    name: 'list_agency_clients',
    summary: 'List the clients of the agency',
    description:
      'All clients, newest link first, without pages. Only an agency key that acts on its own organization can list them.',
    tag: 'Agency',
    permission: 'agency:read',
    shape: 'data',
    response: z.array(Client),
    errors: { 403: 'The key is not an agency key, or the request acts on a client' },
    handle: ({ org }) => org.read(listClients),
  }),
  endpoint({
    method: 'POST',
    path: '/agency/clients',
    name: 'create_agency_client',
    summary: 'Create a client of the agency',
    tag: 'Agency',
    permission: 'agency:write',
    body: CreateClient,
    status: 201,
    shape: 'data',
    response: Client,
    errors: {
      403: 'The key is not an agency key, or the request acts on a client',
      409: 'The agency has 10,000 clients',
    },
    example: { name: 'Northwind Traders', default_country: 'US' },
    handle: ({ org, context, body }) =>
      org.transact((tx) => {
        tx.afterCommit(() => context.forgetKeys(org.orgId))
        return createClient(tx, body)
      }),
  }),
]
