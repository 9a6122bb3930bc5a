import type { LogEvent } from '../../events/position.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { SettleItem, Settlement } from './settle.ts'

/** An event that an endpoint is to get. */
export type Due = SettleItem & {
  readonly event: LogEvent
  /** The organization of the event: the endpoint's own one, or a client of it. */
  readonly sourceOrgId: string
}

export type DueResults = Settlement<Due>['results']

/** Events that are sent next, and how their results are stored. */
export type DueBatch = {
  readonly items: readonly Due[]
  /** True if the queue had no further event when the batch was read. */
  readonly isLast: boolean
  /**
   * Stores the progress in the transaction of the results.
   * @returns false if somebody changed or removed the queue in the meantime, so that the turn must end
   */
  store(tx: OrgTx, results: DueResults): Promise<boolean>
}

/** Where events of an endpoint come from: the log, single retries, or a replay. */
export type Queue = {
  /** The next events, at most `limit`; null: there are none now. */
  next(limit: number): Promise<DueBatch | null>
}

/** The number of first results that need no further try from their queue. */
export function settledPrefix(results: DueResults): number {
  const index = results.findIndex(({ fate }) => fate.kind === 'waits')
  return index === -1 ? results.length : index
}

export const dueOf = (event: LogEvent, sourceOrgId: string, tries = 0): Due => {
  const { eventId, objectId } = event
  return { event, eventId, objectId, sourceOrgId, tries }
}
