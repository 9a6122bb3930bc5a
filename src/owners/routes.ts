import { z } from 'zod'
import { allows } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import { limitWholeLists } from '../platform/db/long-reads.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { notFound } from '../platform/domain-error.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { listOwners, lockOwners } from '../records/owners/owner.ts'
import { enqueueReassignment } from './jobs.ts'
import { countOwned, type Owned, ownedTypes, requireOwner } from './reassign.ts'
import { Owner, OwnerPath, OwnerRecords, Reassign } from './schema.ts'

const tag = 'Owners'
const resources = Object.keys(ownedTypes) as Owned[]
const read = resources.map((resource) => `${resource}:read`)
const write = resources.map((resource) => `${resource}:write`)
const errors = { 404: 'No member of this organization has this id' }

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
    permission: read,
    shape: 'data',
    response: z.array(Owner),
    handle: ({ org, caller }) => limitWholeLists(caller.payerId, () => listOwners(org)),
  }),
  endpoint({
    method: 'GET',
    path: '/owners/{owner_id}',
    name: 'get_owner',
    sdk: 'owners.get',
    summary: 'Count the records of an owner',
    tag,
    permission: read,
    params: OwnerPath,
    shape: 'data',
    response: OwnerRecords,
    errors,
    handle: ({ org, caller, params }) =>
      org.transact((tx) => ownerRecords(tx, caller, params.owner_id, 'read')),
  }),
  endpoint({
    method: 'POST',
    path: '/owners/{owner_id}/reassign',
    name: 'reassign_owner',
    sdk: 'owners.reassign',
    summary: 'Give all records of an owner to another member',
    description:
      'A background job changes all active and archived contacts, companies and deals of the member, as far as you may write them. The answer counts them. Each record gets a new version and an event. GET /owners/{owner_id} counts the records that are left.',
    tag,
    permission: write,
    needsAllRecords: true,
    params: OwnerPath,
    body: Reassign,
    status: 202,
    shape: 'data',
    response: OwnerRecords,
    errors,
    example: { to_owner_id: null },
    handle: ({ org, caller, context, params: { owner_id: from }, body: { to_owner_id: to } }) =>
      org.transact(async (tx) => {
        const owned = await ownerRecords(tx, caller, from, 'write')
        if (to === from) {
          const why = refuse('this member owns the records already: send another member, or null')
          throw new ValidationError([detailAt(['body', 'to_owner_id'], why)])
        }
        if (to !== null) await requireOwner(tx, to, 'to_owner_id')
        const writable = resources.filter((resource) => allows(caller.permissions, `${resource}:write`))
        await enqueueReassignment(tx, context.jobs, from, to, writable)
        return owned
      }),
  }),
]

async function ownerRecords(
  tx: OrgTx,
  caller: Caller,
  ownerId: string,
  action: 'read' | 'write',
): Promise<z.output<typeof OwnerRecords>> {
  const owner = (await lockOwners(tx, [{ owner_id: ownerId }])).byId.get(ownerId)
  if (!owner) throw notFound('object_not_found', errors[404])
  const count = (resource: Owned) =>
    allows(caller.permissions, `${resource}:${action}`) ? countOwned(tx, ownedTypes[resource], ownerId) : null
  const [contacts, companies, deals] = await Promise.all(resources.map(count))
  return {
    ...{ owner_id: owner.member_id, name: owner.name, email: owner.email },
    ...{ contacts: contacts ?? null, companies: companies ?? null, deals: deals ?? null },
  }
}
