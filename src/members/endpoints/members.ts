import { z } from 'zod'
import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import type { MemberDeps } from '../member-deps.ts'
import { changeMember, listMembers, removeMember } from '../memberships.ts'
import { Member, MemberPath, RemoveMember, UpdateMember } from '../schema.ts'
import { membersTag } from './tags.ts'

const manage = { ...membersTag, permission: 'members:manage', confirm: true, params: MemberPath } as const
const headers = z.object({ 'if-match': ifMatch })

/** The members of an org, and their roles. */
export const memberListEndpoints = (deps: MemberDeps): Endpoint[] => [
  endpoint({
    ...membersTag,
    method: 'GET',
    path: '/members',
    name: 'list_members',
    sdk: 'members.list',
    summary: 'List the members',
    permission: 'members:read',
    shape: 'data',
    response: z.array(Member),
    handle: ({ caller }) =>
      limitWholeLists(caller.payerId, () => deps.scope.read((tx) => listMembers(tx, caller.orgId))),
  }),
  endpoint({
    ...manage,
    method: 'PATCH',
    path: '/members/{member_id}',
    name: 'update_member',
    sdk: 'members.update',
    summary: 'Change the role of a member',
    headers,
    body: UpdateMember,
    shape: 'data',
    response: Member,
    handle: ({ caller, params: { member_id: memberId }, headers, body }) =>
      deps.scope.transact(async (tx) => {
        tx.afterCommit(() => deps.forgetMember(memberId))
        return withETag(await changeMember(tx, caller, memberId, body, headers['if-match']))
      }),
  }),
  endpoint({
    ...manage,
    // Each member can leave.
    permission: null,
    method: 'DELETE',
    path: '/members/{member_id}',
    name: 'remove_member',
    sdk: 'members.remove',
    summary: 'Remove a member, or leave the organization',
    description:
      'Tasks and records of the member go to `reassign_to`, or to nobody. A background job changes the records. Everybody can remove their own membership. To remove others, or to choose who gets the records, you need `members:manage`.',
    query: RemoveMember,
    shape: 'none',
    handle: ({ caller, params: { member_id: memberId }, query }) =>
      deps.scope.transact(async (tx) => {
        tx.afterCommit(() => deps.forgetMember(memberId))
        await removeMember(tx, caller, memberId, query.reassign_to ?? null, deps.jobs)
        return undefined
      }),
  }),
]
