import type { OrgTx } from '../platform/db/org-tx.ts'

type Listener = (orgId: string, count: number) => void
const listeners = new Set<Listener>()

/**
 * Calls `listener` after each commit of this process that wrote events, with their organization and number. Commits
 * of other processes are unknown here, so a reader must also poll.
 * @returns a function that removes the listener
 */
export function onEventsCommitted(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Announces `count` events of `tx` after its commit. */
export function announceEvents(tx: OrgTx, count: number): void {
  tx.afterCommit(() => {
    for (const listener of listeners) listener(tx.orgId, count)
  })
}
