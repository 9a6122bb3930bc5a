import { z } from 'zod'
import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import type { MemberDeps } from '../member-deps.ts'
import { CreateTeam, Team, TeamPath, UpdateTeam } from '../team-schema.ts'
import { changeTeam, createTeam, deleteTeam, listTeams } from '../teams.ts'
import { membersTag } from './tags.ts'

const manage = { ...membersTag, permission: 'members:manage', confirm: true } as const
const headers = z.object({ 'if-match': ifMatch })
const one = { path: '/teams/{team_id}', params: TeamPath } as const

/** Teams, whose members may see the records of one another. */
export const teamEndpoints = (deps: MemberDeps): Endpoint[] => [
  endpoint({
    ...membersTag,
    method: 'GET',
    path: '/teams',
    name: 'list_teams',
    sdk: 'teams.list',
    summary: 'List the teams',
    permission: 'members:read',
    shape: 'data',
    response: z.array(Team),
    handle: ({ caller }) =>
      limitWholeLists(caller.payerId, () => deps.scope.read((tx) => listTeams(tx, caller.orgId))),
  }),
  endpoint({
    ...manage,
    method: 'POST',
    path: '/teams',
    name: 'create_team',
    sdk: 'teams.create',
    summary: 'Create a team',
    body: CreateTeam,
    status: 201,
    shape: 'data',
    response: Team,
    handle: ({ caller, body }) =>
      deps.scope.transact(async (tx) => withETag(await createTeam(tx, caller, body))),
  }),
  endpoint({
    ...manage,
    ...one,
    method: 'PATCH',
    name: 'update_team',
    sdk: 'teams.update',
    summary: 'Change the name or the members of a team',
    headers,
    body: UpdateTeam,
    shape: 'data',
    response: Team,
    handle: ({ caller, params, headers, body }) =>
      deps.scope.transact(async (tx) =>
        withETag(await changeTeam(tx, caller, params.team_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    ...manage,
    ...one,
    method: 'DELETE',
    name: 'delete_team',
    sdk: 'teams.delete',
    summary: 'Delete a team',
    description: 'Records stay with their owners.',
    shape: 'none',
    handle: ({ caller, params }) =>
      deps.scope.transact(async (tx) => {
        await deleteTeam(tx, caller, params.team_id)
        return undefined
      }),
  }),
]
