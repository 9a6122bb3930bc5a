import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { listOwners } from '../records/owners/owner.ts'
import { Owner } from './schema.ts'

const tag = 'Owners'

export const ownerEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/owners',
    name: 'list_owners',
    sdk: 'owners.list',
    summary: 'List the members who can own records',
    description:
      'All members of the organization, by name, without pages. A contact, company or deal has at most one of them as its owner: write `owner_id` or `owner_email`.',
    tag,
    permission: ['contacts:read', 'companies:read', 'deals:read'],
    shape: 'data',
    response: z.array(Owner),
    handle: async ({ org }) =>
      (await org.read(listOwners)).map(({ member_id, name, email }) => ({
        owner_id: member_id,
        name,
        email,
      })),
  }),
]
