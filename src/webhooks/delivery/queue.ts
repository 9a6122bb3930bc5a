import type { LogEvent } from '../../events/position.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { BatchEvaluation, TriedItem } from './evaluate-batch.ts'

/** An event to send to an endpoint. */
export type DueEvent = TriedItem & {
  readonly event: LogEvent
  /** The organization of the event: the organization of the endpoint, or its client. */
  readonly sourceOrgId: string
}

export type DueResults = BatchEvaluation<DueEvent>['results']

/** The next events to send, and how their results are stored. */
export type DueBatch = {
  readonly items: readonly DueEvent[]
  /** Whether the queue had no more events when the batch was read. */
  readonly isLast: boolean
  /**
   * Stores the progress in the transaction of the results.
   * @returns false if somebody changed or removed the queue meanwhile. The turn must then end
   */
  store(tx: OrgTx, results: DueResults): Promise<boolean>
}

/** Where an endpoint's events come from: the log, single retries, or a replay. */
export type Queue = {
  /** The next events, at most `limit`; null: there are none now. */
  next(limit: number): Promise<DueBatch | null>
}

/** Returns how many results, from the first on, need no more tries in their queue. */
export function completedPrefix(results: DueResults): number {
  const index = results.findIndex(({ decision }) => decision.kind === 'waits')
  return index === -1 ? results.length : index
}

/** An event of the log as a due event with this number of earlier tries. */
export const dueOf = (event: LogEvent, sourceOrgId: string, tries = 0): DueEvent => {
  const { eventId, objectId } = event
  return { event, eventId, objectId, sourceOrgId, tries }
}
