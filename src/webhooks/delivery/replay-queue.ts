import { type EventType, eventTypes } from '../../events/catalog.ts'
import type { WantedTypes } from '../../events/position.ts'
import { mayRead } from '../../events/readable.ts'
import { readEventsBetween, readEventsById } from '../../events/selected.ts'
import { typesOf } from '../../events/type-patterns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { firstIdAt, idBefore } from '../../platform/db/uuid-time.ts'
import type { ReadMembers } from '../../platform/objects.ts'
import type { DeliveryEndpoint } from './endpoint.ts'
import { sourcesOf } from './log-queue.ts'
import { completedPrefix, type DueBatch, type DueEvent, type DueResults, dueOf, type Queue } from './queue.ts'
import { addRetries } from './retries.ts'
import { eventsInSegment } from './segment-filter.ts'

type Row = Columns<
  'webhook_replay',
  'replay_id' | 'from_time' | 'to_time' | 'types' | 'failed_only' | 'last_event_id'
>

/** The turn ends after this many pages without an event in the segment. The poll starts the next turn. */
const emptyPagesMax = 20

/** The events of a period that an endpoint gets again. */
export class ReplayQueue implements Queue {
  readonly #org: Org
  readonly #endpoint: DeliveryEndpoint
  readonly #replayId: string
  readonly #readMembers: ReadMembers
  readonly #orgOf: (orgId: string) => Org

  /** @param orgOf returns the handle of an organization whose events the endpoint gets */
  constructor(
    org: Org,
    endpoint: DeliveryEndpoint,
    replayId: string,
    readMembers: ReadMembers,
    orgOf: (orgId: string) => Org,
  ) {
    this.#org = org
    this.#endpoint = endpoint
    this.#replayId = replayId
    this.#readMembers = readMembers
    this.#orgOf = orgOf
  }

  async next(limit: number): Promise<DueBatch | null> {
    for (let pages = 0; pages < emptyPagesMax; pages++) {
      const row = await this.#org.read((tx) => this.#readRow(tx))
      if (!row) return null
      const page = row.failed_only ? await this.#readFailed(row, limit) : await this.#readAll(row, limit)
      const last = page.at(-1)
      if (!last) {
        await this.#org.transact((tx) => this.#finish(tx))
        return null
      }
      const items = await this.#inSegment(page)
      if (items.length > 0) return { items, isLast: false, store: (tx, results) => this.#store(tx, results) }
      await this.#org.transact((tx) => this.#move(tx, last.eventId, 0))
    }
    return null
  }

  async #inSegment(page: readonly DueEvent[]): Promise<DueEvent[]> {
    const events = page.map(({ event }) => event)
    const wanted = new Set(await eventsInSegment(this.#org, this.#readMembers, this.#endpoint, events))
    return page.filter(({ event }) => wanted.has(event))
  }

  #readRow(tx: OrgTx): Promise<Row | undefined> {
    return tx.first(sql<Row>`
      select replay_id, from_time, to_time, types, failed_only, last_event_id from webhook_replay
      where org_id = ${tx.orgId} and replay_id = ${this.#replayId} and status = 'running'`)
  }

  /** The next events of all sources, in the order of their ids. */
  async #readAll(row: Row, limit: number): Promise<DueEvent[]> {
    const range = { ...this.#rangeOf(row), wanted: wantedBy(this.#endpoint, typesIn(row)), limit }
    const sources = await this.#org.read((tx) => sourcesOf(tx, this.#endpoint.endpointId))
    let first: DueEvent[] = []
    for (const sourceOrgId of sources) {
      const events = await this.#orgOf(sourceOrgId).read((tx) => readEventsBetween(tx, range))
      const due = events.map((event) => dueOf(event, sourceOrgId))
      first = inIdOrder([...first, ...due]).slice(0, limit)
      // Later events of the next sources are not needed. There can be thousands of sources.
      range.before = (first.length === limit && first.at(-1)?.eventId) || range.before
    }
    return first
  }

  /** The next events whose stored attempts all failed, in the order of their ids. */
  async #readFailed(row: Row, limit: number): Promise<DueEvent[]> {
    const { after, before } = this.#rangeOf(row)
    const named = typesIn(row)
    // The endpoint's permissions may have changed since the attempts.
    const types = (named ?? eventTypes).filter((type) => mayRead(this.#endpoint.permissions, type))
    const failed = await this.#org.read((tx) =>
      tx.rows(sql<Columns<'webhook_attempt', 'event_id' | 'source_org_id'>>`
        select a.event_id, a.source_org_id from webhook_attempt a
        join webhook_position p on p.org_id = a.org_id and p.endpoint_id = a.endpoint_id
          and p.source_org_id = a.source_org_id
        where a.org_id = ${tx.orgId} and a.endpoint_id = ${this.#endpoint.endpointId}
          and a.event_id > ${after}::uuid and a.event_id < ${before}::uuid
          and a.type = any (${types}::text[])
        group by a.event_id, a.source_org_id having not bool_or(a.outcome = 'delivered')
        order by a.event_id limit ${limit}`),
    )
    const due: DueEvent[] = []
    for (const [sourceOrgId, some] of Map.groupBy(failed, (each) => each.source_org_id)) {
      const ids = some.map((each) => each.event_id)
      const events = await this.#orgOf(sourceOrgId).read((tx) => readEventsById(tx, ids))
      due.push(...events.map((event) => dueOf(event, sourceOrgId)))
    }
    return inIdOrder(due)
  }

  #rangeOf({ last_event_id: last, from_time: from, to_time: to }: Row): { after: string; before: string } {
    const after = last ?? idBefore(firstIdAt(Math.floor(from.getTime() / 1000)))
    return { after, before: firstIdAt(Math.ceil(to.getTime() / 1000)) }
  }

  async #store(tx: OrgTx, results: DueResults): Promise<boolean> {
    const done = results.slice(0, completedPrefix(results))
    const last = done.at(-1)
    if (!last) return true
    const moved = await this.#move(tx, last.item.eventId, done.length)
    if (moved === 0) return false
    await addRetries(tx, this.#endpoint.endpointId, 'replay', done)
    return true
  }

  #move(tx: OrgTx, lastEventId: string, sent: number): Promise<number> {
    return tx.run(sql`
      update webhook_replay set last_event_id = ${lastEventId}, sent = sent + ${sent}
      where org_id = ${tx.orgId} and replay_id = ${this.#replayId} and status = 'running'`)
  }

  #finish(tx: OrgTx): Promise<number> {
    return tx.run(sql`
      update webhook_replay set status = 'finished', finished_at = now()
      where org_id = ${tx.orgId} and replay_id = ${this.#replayId} and status = 'running'`)
  }
}

const inIdOrder = (due: readonly DueEvent[]) => due.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))

/** The types that a replay names; null: all. */
const typesIn = ({ types }: Row): readonly EventType[] | null => types && typesOf(types)

/** Returns the types that both the endpoint and the replay want. */
function wantedBy({ wanted }: DeliveryEndpoint, types: readonly EventType[] | null): WantedTypes {
  if (types === null) return wanted
  const both = (some: readonly EventType[] | null) => some?.filter((type) => types.includes(type)) ?? types
  return { live: both(wanted.live), test: both(wanted.test) }
}
