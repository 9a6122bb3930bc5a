import { recordEvents } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import { newId } from '../platform/db/new-id.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { Json } from '../platform/json.ts'

/** Members with the record access `team` see the records of all members of their teams. */
export type Team = {
  team_id: string
  name: string
  member_ids: string[]
  version: number
  created_at: number
}

const teamsMax = 200

const selectTeams = (orgId: string) => sql<Team>`
  select t.team_id, t.name, t.version, floor(extract(epoch from t.created_at))::bigint as created_at,
    array(select m.member_id from team_member m where m.org_id = t.org_id and m.team_id = t.team_id order by 1) as member_ids
  from team t where t.org_id = ${orgId}`

/**
 * The JSON of all teams of an org, by name. They may have 100,000 members together, so PostgreSQL makes the JSON: reading the
 * rows would take this thread a quarter of a second.
 */
export async function listTeams(tx: Tx, orgId: string): Promise<Json> {
  const rows = await tx.rows(sql<{ team: string }>`
    select row_to_json(t)::text as team from (${selectTeams(orgId)}) as t order by lower(t.name)`)
  return Json.list(rows.map(({ team }) => team))
}

type Named = Pick<Team, 'team_id' | 'name'>

const readNames = (tx: Tx, orgId: string): Promise<Named[]> =>
  tx.rows(sql<Named>`select team_id, name from team where org_id = ${orgId}`)

/** @throws DomainError not_found */
async function findTeam(tx: Tx, orgId: string, teamId: string): Promise<Team> {
  const team = await tx.first(sql<Team>`${selectTeams(orgId)} and t.team_id = ${teamId}`)
  if (!team) throw notFound('object_not_found', 'No team of this organization has this id')
  return team
}

/** Locks the teams of an org for changes: names are unique, and each member who joins or leaves gets an event. */
const lockTeams = (tx: Tx, orgId: string) =>
  tx.run(sql`select from org where org_id = ${orgId} for no key update`)

type TeamChange = { name?: string | undefined; member_ids?: readonly string[] | undefined }

/** @throws ValidationError if another team has the name, or for an unknown member; DomainError conflict above the limit */
export async function createTeam(
  tx: Tx,
  actor: Actor,
  { name, member_ids: memberIds }: { name: string; member_ids: readonly string[] },
): Promise<Team> {
  await lockTeams(tx, actor.orgId)
  const teams = await readNames(tx, actor.orgId)
  if (teams.length >= teamsMax)
    throw conflict('limit_reached', `An organization can have at most ${teamsMax} teams.`)
  requireFreeName(teams, name)
  const teamId = newId()
  await tx.run(sql`insert into team (org_id, team_id, name) values (${actor.orgId}, ${teamId}, ${name})`)
  await setMembers(tx, actor, teamId, [], memberIds)
  return findTeam(tx, actor.orgId, teamId)
}

/**
 * `member_ids` replaces all members.
 * @throws ValidationError as `createTeam`; DomainError not_found, or conflict if the version is another one
 */
export async function changeTeam(
  tx: Tx,
  actor: Actor,
  teamId: string,
  { name, member_ids: memberIds }: TeamChange,
  version: number | undefined,
): Promise<Team> {
  await lockTeams(tx, actor.orgId)
  const teams = await readNames(tx, actor.orgId)
  const before = await findTeam(tx, actor.orgId, teamId)
  requireVersion('this team', version, before.version)
  const others = teams.filter(({ team_id: id }) => id !== teamId)
  if (name !== undefined) requireFreeName(others, name)
  await tx.run(sql`
    update team set name = ${name ?? before.name}, version = version + 1, updated_at = now()
    where org_id = ${actor.orgId} and team_id = ${teamId}`)
  if (memberIds) await setMembers(tx, actor, teamId, before.member_ids, memberIds)
  return findTeam(tx, actor.orgId, teamId)
}

/** @throws DomainError not_found */
export async function deleteTeam(tx: Tx, actor: Actor, teamId: string): Promise<void> {
  await lockTeams(tx, actor.orgId)
  const before = await findTeam(tx, actor.orgId, teamId)
  await setMembers(tx, actor, teamId, before.member_ids, [])
  await tx.run(sql`delete from team where org_id = ${actor.orgId} and team_id = ${teamId}`)
}

/** Each member who joins or leaves the team gets an event. */
async function setMembers(
  tx: Tx,
  actor: Actor,
  teamId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const { orgId } = actor
  const known = await tx.rows(sql<{ member_id: string }>`
    select member_id from membership where org_id = ${orgId} and member_id = any(${after}::uuid[]) for key share`)
  const members = new Set(known.map(({ member_id: id }) => id))
  const unknown = after.findIndex((id) => !members.has(id))
  if (unknown >= 0) {
    const why = refuse('no member of this organization has this id: GET /members lists them')
    throw new ValidationError([detailAt(['body', 'member_ids', unknown], why)])
  }
  await tx.run(sql`
    delete from team_member
    where org_id = ${orgId} and team_id = ${teamId} and not member_id = any(${after}::uuid[])`)
  await tx.run(sql`
    insert into team_member (org_id, team_id, member_id)
    select ${orgId}, ${teamId}, m.id from unnest(${[...members]}::uuid[]) as m (id) on conflict do nothing`)
  const moved = [
    ...before.filter((id) => !members.has(id)),
    ...[...members].filter((id) => !before.includes(id)),
  ]
  const events = moved.map((objectId) => ({ type: 'member.updated' as const, objectId, changed: ['teams'] }))
  if (events.length > 0) await recordEvents(new OrgTx(tx, actor), events)
}

function requireFreeName(teams: readonly Named[], name: string): void {
  if (teams.every((team) => team.name.toLowerCase() !== name.toLowerCase())) return
  const why = refuse('another team has this name: send another one')
  throw new ValidationError([detailAt(['body', 'name'], why)])
}
