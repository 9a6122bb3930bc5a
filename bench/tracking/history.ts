import type { Client } from 'pg'
import type { Bench } from '../support/installation.ts'
import { connected } from '../support/installation.ts'

export type History = {
  orgIds: readonly string[]
  /** The number of events, of the last `days` days including today. */
  events: number
  days: number
  visitors: number
}

/** The days from `days` - 1 days ago until today: `2026-11-24`. */
const daysUntilToday = (days: number) =>
  Array.from({ length: days }, (_, at) =>
    new Date(Date.now() - at * 86_400_000).toISOString().slice(0, 10),
  ).reverse()

/** SQL for the id of a visitor. Each has events on every day, and belongs to one organization. */
const visitorOf = (n: string) => `md5('visitor ' || ${n})::uuid`
const orgOf = (n: string, orgIds: readonly string[]) => `('{${orgIds}}'::uuid[])[1 + ${n} % ${orgIds.length}]`

/**
 * Stores the events of a history, without the server: the content is that of events that the server stored before. The tables
 * get their indexes when they are full.
 * @returns the size of an event with its indexes, in bytes
 */
export function fillWithHistory(bench: Bench, history: History): Promise<number> {
  const { orgIds, events, days, visitors } = history
  const perDay = Math.floor(events / days)
  return connected(bench.url, async (owner) => {
    await owner.query('create table sample as select * from web_event limit 1000')
    await owner.query('delete from web_event')
    const columns = await columnsOf(owner)
    const all = daysUntilToday(days)
    for (const day of all) {
      const name = `d${day.replaceAll('-', '_')}`
      await owner.query(`drop table if exists web_event_day.${name}`)
      await owner.query(
        `create table web_event_day.${name} (like web_event including defaults) with (autovacuum_enabled = off)`,
      )
      const made: Record<string, string> = {
        org_id: orgOf(`(i % ${visitors})`, orgIds),
        day: `'${day}'::date`,
        message_key: 'gen_random_uuid()',
        occurred_at: `least('${day}Z'::timestamptz + i * interval '1 day' / ${perDay}, now())`,
        received_at: `least('${day}Z'::timestamptz + i * interval '1 day' / ${perDay}, now())`,
        visitor_id: visitorOf(`(i % ${visitors})`),
      }
      const picked = columns.map((column) => made[column] ?? `s.${column}`)
      await owner.query(`
        with s as (select *, row_number() over () - 1 as n from sample)
        insert into web_event_day.${name} (${columns})
        select ${picked} from generate_series(0, ${perDay - 1}) as i join s on s.n = i % 1000`)
      const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
      await owner.query(
        `alter table web_event attach partition web_event_day.${name} for values from ('${day}') to ('${next}')`,
      )
      console.log(`${perDay} events of ${day} are stored`)
    }
    await owner.query(`
      insert into visitor (org_id, visitor_id, mode, first_seen_at, last_seen_at, days, last_day, events, views)
      select ${orgOf('n', orgIds)}, ${visitorOf('n')}, 'live', '${all[0]}', now(), '{${all}}', '${all.at(-1)}',
        ${Math.floor(events / visitors)}, 0
      from generate_series(0, ${visitors - 1}) as n`)
    await owner.query('analyze web_event')
    await owner.query('analyze visitor')
    await owner.query('checkpoint')
    const { rows } = await owner.query<{ bytes: number }>(`
      select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'web_event'::regclass`)
    return Number(rows[0]!.bytes) / (perDay * days)
  })
}

async function columnsOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select quote_ident(attname) as name from pg_attribute
    where attrelid = 'web_event'::regclass and attnum > 0 and not attisdropped order by attnum`)
  return rows.map(({ name }) => name)
}

/** The ids of random visitors of the organization `orgIds[at]`. */
export function someVisitors(
  bench: Bench,
  { orgIds, visitors }: History,
  at: number,
  count: number,
): Promise<string[]> {
  return connected(bench.url, async (owner) => {
    const { rows } = await owner.query<{ id: string }>(`
      select ${visitorOf('n')} as id from (
        select ${at} + ${orgIds.length} * floor(random() * ${Math.floor(visitors / orgIds.length)})::int as n
        from generate_series(1, ${count})
      ) as picked`)
    return rows.map(({ id }) => id)
  })
}
