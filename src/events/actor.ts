import type { JsonMembers } from '../platform/db/json-columns.ts'

/** The API key, person or program that made a change. */
export type EventActor = {
  readonly kind: 'api_key' | 'member' | 'operator' | 'system'
  /** Null for the operator and the system. */
  readonly id: string | null
  /**
   * The current name; for a key of an agency, or a deleted key that an agency made, the name of the agency. The name of a
   * person of an agency has the agency in brackets. null: another API key or member was deleted.
   */
  readonly name: string | null
}

/** SQL of the current name of the member with an id. The name of a person of an agency has the agency in brackets. */
export function memberName(memberId: string): string {
  return `(app.member_name(${memberId}) || coalesce(' (' || app.agency_of_member(${memberId}) || ')', ''))`
}

/** SQL of the current name of the API key of a row; for a key of an agency, also a deleted one, the name of the agency. */
export function keyName(row: string, keyId: string): string {
  return `coalesce((select k.name from api_key k where k.org_id = ${row}.org_id and k.api_key_id = ${keyId}),
    app.agency_of_key(${keyId}))`
}

/**
 * The members of an actor, as SQL for a row.
 * @param row the alias of the row
 * @param prefix the start of the names of the columns with the actor: `completed_` for `completed_member_id`
 * @param byOperator SQL of whether the operator made the change
 */
function actorColumns(
  row: string,
  prefix = '',
  byOperator = `${row}.${prefix}by_operator`,
): Record<keyof EventActor, string> {
  const column = (name: string) => `${row}.${prefix}${name}`
  const [keyId, memberId, appId] = [column('api_key_id'), column('member_id'), column('connected_app_id')]
  return {
    kind: `case when ${keyId} is not null then 'api_key' when ${memberId} is not null then 'member'
    when ${byOperator} then 'operator' else 'system' end`,
    id: `coalesce(${keyId}, ${memberId})`,
    name: `case when ${memberId} is not null then ${memberName(memberId)} || coalesce(' via ' || (
      select a.client_name from connected_app a where a.org_id = ${row}.org_id and a.connected_app_id = ${appId}), '')
    else ${keyName(row, keyId)} end`,
  }
}

/** SQL of an `EventActor` as JSON, with the parameters of `actorColumns`. */
export function actorJson(row: string, prefix = ''): string {
  const members = Object.entries(actorColumns(row, prefix)).map(([name, column]) => `'${name}', ${column}`)
  return `json_build_object(${members.join(', ')})`
}

/** How answers show the actor of a row, with the parameters of `actorColumns`. */
export function actorMembers(row: string, byOperator?: string): JsonMembers {
  const { kind, id, name } = actorColumns(row, '', byOperator)
  return {
    kind: { sql: kind, kind: 'text' },
    id: { sql: id, kind: 'uuid' },
    name: { sql: name, kind: 'text' },
  }
}
