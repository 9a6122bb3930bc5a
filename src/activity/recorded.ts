import { actorJson, type EventActor } from '../events/actor.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { idBound, type PlacedItem, placeOfId, plain, type Range, seconds } from './place.ts'
import type { ActivityItem, ActivityKind } from './schema.ts'
import type { Subject } from './subject.ts'

const titleLength = 500
const changes = ['created', 'updated', 'archived', 'restored']
const merges = ['merged', 'unmerged']

/** Reads the latest items of one kind about a subject, in a single statement. */
export type ReadItems = (tx: OrgTx, subject: Subject, range: Range) => Promise<PlacedItem[]>

type Row = Pick<ActivityItem, 'object_id' | 'type' | 'title' | 'changed'> & {
  about: string
  actor: EventActor | null
}

const actorOf = (alias: string) => rawSql(actorJson(alias))

/** The newest rows about all ids or numbers. The subquery of one id reads an index in the right order, and stops at the limit. */
const newestOf = (values: Sql, rows: Sql, { limit }: Range): Sql<Row> => sql<Row>`
  select found.* from ${values} as a (about) cross join lateral (${rows} limit ${limit}) as found
  order by found.object_id desc limit ${limit}`

async function readRows(
  tx: OrgTx,
  kind: ActivityKind,
  { people }: Subject,
  statement: Sql<Row>,
): Promise<PlacedItem[]> {
  const rows = await tx.rows(statement)
  const personOf = new Map(
    people.flatMap(({ contactId, contactIds, phones }) =>
      [...contactIds, ...phones].map((each) => [each, contactId] as const),
    ),
  )
  return rows.map(({ about, ...row }) => {
    const place = placeOfId(row.object_id)
    const item = { ...plain, ...row, kind, contact_id: personOf.get(about) ?? null, at: seconds(place.at) }
    return { place, item }
  })
}

const idsOf = (ids: readonly string[]) => sql`unnest(${ids}::uuid[])`

/** Changes and merges of the record itself. */
const readEvents =
  (kind: 'change' | 'merge'): ReadItems =>
  (tx, subject, range) => {
    const types = (kind === 'change' ? changes : merges).map((verb) => `${subject.entity}.${verb}`)
    const rows = sql`
      select a.about, e.event_id as object_id, e.type, null::text as title, e.changed, ${actorOf('e')} as actor
      from event e
      where e.org_id = ${tx.orgId} and e.object_id = a.about and e.type = any(${types}::text[])
        and e.event_id < ${idBound(range)}::uuid
        -- A merge has an event for each of its records. If both are in the timeline, show the event of the survivor.
        and coalesce(e.data->>'survivor_id', '') <> all(${subject.ids}::text[])
      order by e.event_id desc`
    return readRows(tx, kind, subject, newestOf(idsOf(subject.ids), rows, range))
  }

/** The ids of the subject and its people: notes and tasks are written about each of them. */
const allIds = ({ ids, people }: Subject) => [
  ...new Set([...ids, ...people.flatMap((person) => person.contactIds)]),
]

const readNotes: ReadItems = (tx, subject, range) => {
  const rows = sql`
    select a.about, n.note_id as object_id, 'note' as type, left(n.text, ${titleLength}::int) as title,
      null::text[] as changed, ${actorOf('n')} as actor
    from note n
    where n.org_id = ${tx.orgId} and n.record_raw_id = a.about and n.note_id < ${idBound(range)}::uuid
    order by n.note_id desc`
  return readRows(tx, 'note', subject, newestOf(idsOf(allIds(subject)), rows, range))
}

const readTasks: ReadItems = (tx, subject, range) => {
  const rows = sql`
    select a.about, t.task_id as object_id, case when t.completed_at is null then 'open' else 'done' end as type, t.title,
      null::text[] as changed, ${actorOf('t')} as actor
    from task t
    where t.org_id = ${tx.orgId} and t.record_raw_id = a.about and t.task_id < ${idBound(range)}::uuid
    order by t.task_id desc`
  return readRows(tx, 'task', subject, newestOf(idsOf(allIds(subject)), rows, range))
}

/** Forms that visitors sent, and that made or changed the contact. */
const readSubmissions: ReadItems = (tx, subject, range) => {
  const ids = subject.people.flatMap((person) => person.contactIds)
  const rows = sql`
    select a.about, s.submission_id as object_id, s.status as type, f.name as title, null::text[] as changed,
      null::json as actor
    from form_submission s join form f on f.org_id = ${tx.orgId} and f.form_id = s.form_id
    where s.org_id = ${tx.orgId} and s.contact_id = a.about and s.mode = ${tx.actor.mode}
      and s.submission_id < ${idBound(range)}::uuid
    order by s.submission_id desc`
  return readRows(tx, 'submission', subject, newestOf(idsOf(ids), rows, range))
}

const readCalls: ReadItems = (tx, subject, range) => {
  const numbers = [...new Set(subject.people.flatMap(({ phones }) => phones))]
  const rows = sql`
    select a.about, c.call_id as object_id, c.status as type, c.to_number as title, null::text[] as changed,
      null::json as actor
    from call c
    where c.org_id = ${tx.orgId} and c.to_number = a.about and c.mode = ${tx.actor.mode}
      and c.call_id < ${idBound(range)}::uuid
    order by c.call_id desc`
  return readRows(tx, 'call', subject, newestOf(sql`unnest(${numbers}::text[])`, rows, range))
}

type Push = { contact_id: string; connection_id: string; kind: string; name: string; at: number; id: string }

/** The last push of each person to each connection. */
const readPushes: ReadItems = async (tx, { people }, { after, limit }) => {
  const ids = people.flatMap((person) => person.contactIds)
  const rows = await tx.rows(sql<Push>`
    select * from (
      select l.contact_id, l.connection_id, l.kind, c.name, floor(extract(epoch from l.pushed_at) * 1000)::bigint as at,
        md5(l.connection_id || l.kind || l.contact_id)::uuid as id
      from crm_connection c join crm_link l
        on l.org_id = ${tx.orgId} and l.connection_id = c.connection_id and l.mode = ${tx.actor.mode}
          and l.kind in ('lead', 'contact') and l.contact_id = any(${ids}::uuid[])
      where c.org_id = ${tx.orgId} and l.pushed_at is not null
    ) as pushed
    ${after === null ? sql`` : sql`where (at, id) < (${after.at}::bigint, ${after.id}::uuid)`}
    order by at desc, id desc limit ${limit}`)
  const personOf = new Map(
    people.flatMap(({ contactId, contactIds }) => contactIds.map((id) => [id, contactId] as const)),
  )
  return rows.map(({ at, id, ...push }) => ({
    place: { at, id },
    item: {
      ...{ ...plain, kind: 'push' as const, object_id: push.connection_id },
      ...{ type: push.kind, title: push.name },
      ...{ contact_id: personOf.get(push.contact_id) ?? null, at: seconds(at) },
    },
  }))
}

/** The kinds that Crosswalk itself records, with the permission that each needs. */
export const recordedKinds: Record<
  Exclude<ActivityKind, 'web_event'>,
  { permission: string; read: ReadItems }
> = {
  submission: { permission: 'forms:read', read: readSubmissions },
  call: { permission: 'voice:read', read: readCalls },
  note: { permission: 'notes:read', read: readNotes },
  task: { permission: 'tasks:read', read: readTasks },
  change: { permission: 'events:read', read: readEvents('change') },
  merge: { permission: 'events:read', read: readEvents('merge') },
  push: { permission: 'crm:read', read: readPushes },
}
