import { rawSql } from '../platform/db/sql.ts'

/** The API key, person or program that made a change. */
export type EventActor = {
  readonly kind: 'api_key' | 'member' | 'operator' | 'system'
  /** Null for the operator and the system. */
  readonly id: string | null
  /** The current name. null: the API key or member was deleted, belongs to an agency, or has no name. */
  readonly name: string | null
}

/** The members of an actor, as SQL for a row `e` of `event`. */
export const actorColumns = {
  kind: `case when e.api_key_id is not null then 'api_key' when e.member_id is not null then 'member'
    when e.by_operator then 'operator' else 'system' end`,
  id: 'coalesce(e.api_key_id, e.member_id)',
  name: `case when e.member_id is not null then app.member_name(e.member_id) || coalesce(' via ' || (
      select a.client_name from connected_app a where a.org_id = e.org_id and a.connected_app_id = e.connected_app_id), '')
    else (select k.name from api_key k where k.org_id = e.org_id and k.api_key_id = e.api_key_id) end`,
} as const

const members = Object.entries(actorColumns).map(([name, column]) => `'${name}', ${column}`)

/** SQL of an `EventActor` as JSON, for a row `e` of `event`. */
export const actorJson = rawSql(`json_build_object(${members.join(', ')})`)
