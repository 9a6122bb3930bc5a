import {
  BinaryArray,
  boolean,
  date,
  type ElementType,
  jsonb,
  smallint,
  text,
  timestamptz,
  uuid,
} from '../../platform/db/binary-array.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { WebEvent } from '../wire/event.ts'
import type { Slice } from './slice.ts'

/** A column of `web_event`. `begin` starts an array that gets the value of each event. */
type Column = {
  name: string
  begin: () => { push: (event: WebEvent, slice: Slice) => void; unnest: () => Sql }
}

function column<Value>(
  name: string,
  type: ElementType<Value>,
  read: (event: WebEvent, slice: Slice) => Value | null,
): Column {
  const arrayType = rawSql(`${type.name}[]`)
  const begin = () => {
    const array = new BinaryArray(type)
    return {
      push: (event: WebEvent, slice: Slice) => array.push(read(event, slice)),
      unnest: () => sql`unnest(${array.toParameter()}::${arrayType})`,
    }
  }
  return { name, begin }
}

const columns: readonly Column[] = [
  column('org_id', uuid, (_event, slice) => slice.orgId),
  column('mode', text, (_event, slice) => slice.mode),
  column('day', date, (event) => event.day),
  column('message_key', uuid, (event) => event.messageKey),
  column('occurred_at', timestamptz, (event) => event.occurredAt),
  column('received_at', timestamptz, (event) => event.receivedAt),
  column('is_late', boolean, (event) => event.isLate),
  column('visitor_id', uuid, (event) => event.visitorId),
  column('user_key', text, (event) => event.userKey),
  column('email', text, (event) => event.email),
  column('session_id', text, (event) => event.sessionId),
  column('type', text, (event) => event.type),
  column('name', text, (event) => event.name),
  column('url_path', text, (event) => event.urlPath),
  column('referrer_host', text, (event) => event.referrerHost),
  column('source', jsonb, (event) => event.source),
  column('trust', smallint, (event) => event.trust),
  column('denies_ads', boolean, (event) => event.deniesAds),
  column('is_bot', boolean, (event) => event.isBot),
  column('properties', jsonb, (event) => event.properties),
  column('context', jsonb, (event) => event.context),
]

/** The names of the columns of `makingRows`. */
export const eventColumns: Sql = rawSql(columns.map(({ name }) => name).join(', '))

/**
 * Makes a select list that gives a row for each event, one event in each step. In a select list, PostgreSQL unnests
 * arrays directly; in FROM, it would first store all rows.
 */
export function* makingRows(slices: readonly Slice[]): Generator<undefined, Sql> {
  const begun = columns.map(({ begin }) => begin())
  for (const slice of slices)
    for (const event of slice.events) {
      for (const { push } of begun) push(event, slice)
      yield
    }
  return joinSql(begun.map(({ unnest }) => unnest()))
}
