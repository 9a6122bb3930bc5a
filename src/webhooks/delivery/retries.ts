import type { WantedTypes } from '../../events/position.ts'
import { readEventsById } from '../../events/selected.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { type DeliveryEndpoint, isWantedType } from './endpoint.ts'
import { type DueBatch, type DueEvent, type DueResults, dueOf, type Queue } from './queue.ts'

type Row = Columns<'webhook_retry', 'event_id' | 'source_org_id' | 'tries'> & {
  /** Whether the endpoint still reads the log of the event's organization. */
  is_followed: boolean
}

/** Single events that wait for their time: retries, and resends that somebody requested. */
export class RetryQueue implements Queue {
  readonly #org: Org
  readonly #endpointId: string
  readonly #allowed: WantedTypes
  readonly #orgOf: (orgId: string) => Org

  /** @param orgOf returns the handle of an organization whose events the endpoint gets */
  constructor(org: Org, { endpointId, allowed }: DeliveryEndpoint, orgOf: (orgId: string) => Org) {
    this.#org = org
    this.#endpointId = endpointId
    this.#allowed = allowed
    this.#orgOf = orgOf
  }

  async next(limit: number): Promise<DueBatch | null> {
    for (;;) {
      const rows = await this.#org.read((tx) => this.#readDue(tx, limit))
      if (rows.length === 0) return null
      const items = await this.#readEvents(rows)
      const found = new Set(items.map(({ eventId }) => eventId))
      const lost = rows.filter((row) => !found.has(row.event_id)).map((row) => row.event_id)
      // Remove events that cannot be sent any more: their organization is deleted or not followed, or the endpoint
      // may no longer get the type.
      if (lost.length > 0) await this.#org.transact((tx) => this.#remove(tx, lost))
      const isLast = rows.length < limit
      if (items.length > 0) return { items, isLast, store: (tx, results) => this.#store(tx, results) }
    }
  }

  #readDue(tx: OrgTx, limit: number): Promise<Row[]> {
    return tx.rows(sql<Row>`
      select r.event_id, r.source_org_id, r.tries,
        exists (select from webhook_position p where p.org_id = r.org_id and p.endpoint_id = r.endpoint_id
          and p.source_org_id = r.source_org_id) as is_followed
      from webhook_retry r
      where r.org_id = ${tx.orgId} and r.endpoint_id = ${this.#endpointId} and r.next_at <= now()
      order by r.next_at limit ${limit}`)
  }

  async #readEvents(rows: readonly Row[]): Promise<DueEvent[]> {
    const tries = new Map(rows.map((row) => [row.event_id, row.tries]))
    const followed = rows.filter((row) => row.is_followed)
    const bySource = Map.groupBy(followed, (row) => row.source_org_id)
    const items: DueEvent[] = []
    for (const [sourceOrgId, some] of bySource) {
      const ids = some.map((row) => row.event_id)
      const events = await this.#orgOf(sourceOrgId).read((tx) => readEventsById(tx, ids))
      const allowed = events.filter((event) => isWantedType(this.#allowed, event))
      items.push(...allowed.map((event) => dueOf(event, sourceOrgId, tries.get(event.eventId))))
    }
    return items
  }

  async #store(tx: OrgTx, results: DueResults): Promise<boolean> {
    const done = results.filter(
      ({ decision }) => decision.kind === 'delivered' || decision.kind === 'exhausted',
    )
    const ids = done.map(({ item }) => item.eventId)
    await Promise.all([this.#remove(tx, ids), this.#delay(tx, retriesOf(results))])
    return true
  }

  #delay(tx: OrgTx, retries: readonly Retry[]): Promise<number> {
    return tx.run(sql`
      update webhook_retry r set tries = r.tries + 1, next_at = to_timestamp(a.at_ms / 1000.0)
      from unnest(${retries.map(({ item }) => item.eventId)}::uuid[], ${retries.map(({ atMs }) => atMs)}::bigint[])
        as a (event_id, at_ms)
      where r.org_id = ${tx.orgId} and r.endpoint_id = ${this.#endpointId} and r.event_id = a.event_id`)
  }

  #remove(tx: OrgTx, eventIds: readonly string[]): Promise<number> {
    return tx.run(sql`
      delete from webhook_retry
      where org_id = ${tx.orgId} and endpoint_id = ${this.#endpointId} and event_id = any (${eventIds}::uuid[])`)
  }
}

type Retry = { item: DueEvent; atMs: number }

/** The events to retry, with the time of the next try in Unix milliseconds. */
const retriesOf = (results: DueResults): Retry[] =>
  results.flatMap(({ item, decision }) =>
    decision.kind === 'retry' ? [{ item, atMs: Math.round(decision.at) }] : [],
  )

/** Stores the events of `results` to retry. */
export async function addRetries(
  tx: OrgTx,
  endpointId: string,
  kind: 'retry' | 'replay',
  results: DueResults,
): Promise<void> {
  const retries = retriesOf(results)
  if (retries.length === 0) return
  await tx.run(sql`
    insert into webhook_retry (org_id, endpoint_id, event_id, source_org_id, kind, tries, next_at)
    select ${tx.orgId}, ${endpointId}, a.event_id, a.source_org_id, ${kind}, 1, to_timestamp(a.at_ms / 1000.0)
    from unnest(${retries.map(({ item }) => item.eventId)}::uuid[],
      ${retries.map(({ item }) => item.sourceOrgId)}::uuid[], ${retries.map(({ atMs }) => atMs)}::bigint[]) as a (event_id, source_org_id, at_ms)
    on conflict (org_id, endpoint_id, event_id) do nothing`)
}

/** Returns the number of events that wait for a retry. */
export async function countRetries(tx: OrgTx, endpointId: string): Promise<number> {
  const row = await tx.first(sql<{ waiting: number }>`
    select count(*)::integer as waiting from webhook_retry
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
  return row?.waiting ?? 0
}
