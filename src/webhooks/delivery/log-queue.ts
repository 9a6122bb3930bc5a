import { type EventPage, type LogEvent, type LogPosition, readAfter } from '../../events/position.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { ReadMembers } from '../../platform/objects.ts'
import type { DeliveryEndpoint } from './endpoint.ts'
import { completedPrefix, type DueBatch, type DueEvent, type DueResults, dueOf, type Queue } from './queue.ts'
import { addRetries } from './retries.ts'
import { eventsInSegment } from './segment-filter.ts'

/** How many pages without a wanted event one call of `next` reads. */
const emptyPagesMax = 20

/** The events in one organization's log that an endpoint has not received yet. */
export class LogQueue implements Queue {
  readonly #org: Org
  readonly #source: Org
  readonly #endpoint: DeliveryEndpoint
  readonly #readMembers: ReadMembers
  /** The position, if it has just been read. The first call of `next` uses it. */
  #known: string | null

  /**
   * @param source the organization of the events: `org`, or a client of it
   * @param known the stored position, if it has just been read; null: `next` reads it
   */
  constructor(
    org: Org,
    source: Org,
    endpoint: DeliveryEndpoint,
    readMembers: ReadMembers,
    known: string | null,
  ) {
    this.#org = org
    this.#source = source
    this.#endpoint = endpoint
    this.#readMembers = readMembers
    this.#known = known
  }

  async next(limit: number): Promise<DueBatch | null> {
    let stored = this.#known ?? (await this.#org.read((tx) => this.#readPosition(tx)))
    this.#known = null
    for (let pages = 0; stored !== null && pages < emptyPagesMax; pages++) {
      const position: LogPosition = JSON.parse(stored)
      const { wanted } = this.#endpoint
      const page: EventPage = await this.#source.read((tx) => readAfter(tx, position, { limit, wanted }))
      const others = page.events.filter((event) => !this.#isOwn(event))
      const events = await eventsInSegment(this.#source, this.#readMembers, this.#endpoint, others)
      const items = events.map((event) => dueOf(event, this.#source.orgId))
      if (items.length > 0) return this.#batch(stored, page, items)
      const next = JSON.stringify(page.position)
      const before = stored
      if (next !== before && !(await this.#org.transact((tx) => this.#move(tx, before, next)))) return null
      if (!page.more) return null
      stored = next
    }
    return null
  }

  /** An endpoint gets no events about itself: a failing endpoint would cause more of them. */
  #isOwn({ type, objectId }: LogEvent): boolean {
    return objectId === this.#endpoint.endpointId && type.startsWith('webhook_endpoint.')
  }

  #batch(stored: string, page: EventPage, items: readonly DueEvent[]): DueBatch {
    const store = async (tx: OrgTx, results: DueResults) => {
      const count = completedPrefix(results)
      const last = results[count - 1]
      if (!last) return true
      const position = count === results.length ? page.position : { ...page.window, last: last.item.eventId }
      // If somebody moved or removed the position, these events get no retry either.
      const isMoved = await this.#move(tx, stored, JSON.stringify(position))
      if (isMoved) await addRetries(tx, this.#endpoint.endpointId, 'retry', results.slice(0, count))
      return isMoved
    }
    return { items, isLast: !page.more, store }
  }

  async #readPosition(tx: OrgTx): Promise<string | null> {
    const row = await tx.first(sql<{ position: string }>`
      select position::text from webhook_position
      where org_id = ${tx.orgId} and endpoint_id = ${this.#endpoint.endpointId}
        and source_org_id = ${this.#source.orgId}`)
    return row?.position ?? null
  }

  /**
   * Moves the position, unless a request or another process has moved it meanwhile. The commit does not wait for the disk:
   * if the database crashes, the events of the last second are read again.
   */
  async #move(tx: OrgTx, before: string, after: string): Promise<boolean> {
    const moved = await tx.run(sql`
      update webhook_position set position = ${after}::json
      from (select set_config('synchronous_commit', 'off', true)) as commits
      where org_id = ${tx.orgId} and endpoint_id = ${this.#endpoint.endpointId}
        and source_org_id = ${this.#source.orgId} and position::text = ${before}`)
    return moved === 1
  }
}

/** Returns the organizations whose logs an endpoint reads. */
export async function sourcesOf(tx: OrgTx, endpointId: string): Promise<string[]> {
  const rows = await tx.rows(sql<Columns<'webhook_position', 'source_org_id'>>`
    select source_org_id from webhook_position
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId} order by source_org_id`)
  return rows.map((row) => row.source_org_id)
}

/** An endpoint's stored positions in the logs of these organizations, by organization id. */
export async function readPositions(
  tx: OrgTx,
  endpointId: string,
  sourceOrgIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows(sql<{ source_org_id: string; position: string }>`
    select source_org_id, position::text from webhook_position
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId} and source_org_id = any (${sourceOrgIds}::uuid[])`)
  return new Map(rows.map((row) => [row.source_org_id, row.position]))
}
