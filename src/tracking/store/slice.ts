import type { DropReason, WebEvent } from '../wire/event.ts'

const hourMs = 3_600_000

/** The start of the UTC hour of a time, in Unix milliseconds. */
export const hourOf = (ms: number): number => Math.floor(ms / hourMs) * hourMs

/** The events of one key that one transaction stores for one hour, and how many other events were dropped. */
export type Slice = {
  orgId: string
  mode: 'live' | 'test'
  /** The write key, or `noWriteKey`. */
  keyId: string
  /** The receipt of one of the events, in Unix milliseconds. All were received in the same UTC hour. */
  receivedAt: number
  events: readonly WebEvent[]
  dropped: ReadonlyMap<DropReason, number>
}
