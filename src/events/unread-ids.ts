import { firstIdAt, timeOf } from '../platform/db/uuid-time.ts'

// A statement with a range of ids reads only the months of the log that contain such ids. With few months, PostgreSQL also
// plans faster.

/** A transaction gets its ids before it commits, and the clocks of servers differ. This time covers both differences. */
const slackSeconds = 2 * 86_400

/**
 * Returns an id that is before all events that a reader has not read.
 * @param last the id of the reader's last event, or an id of the time when it last read the log
 */
export function beforeUnread(last: string, nowSeconds: number): string {
  const seconds = Math.floor(timeOf(last) / 1000)
  // A position that began in the future: earlier events may be unread.
  if (seconds > nowSeconds + slackSeconds) return firstIdAt(0)
  return firstIdAt(Math.max(0, seconds - slackSeconds))
}

/** An id after the ids of all events that are committed now. */
export const afterCommitted = (nowSeconds: number): string => firstIdAt(nowSeconds + slackSeconds)

// A reader of many positions reads the same months for all of them. A position that did not move for this long is old.
const oldSeconds = 3 * 86_400

/** All events that a position has not read are between `after` and `before`, if its `last` is between `oldest` and `before`. */
export type UnreadIds = { readonly oldest: string; readonly after: string; readonly before: string }

/** The range of ids for readers that read the log at `nowSeconds`, in Unix seconds. */
export function unreadIds(nowSeconds: number): UnreadIds {
  const oldest = firstIdAt(Math.max(0, nowSeconds - oldSeconds))
  return { oldest, after: beforeUnread(oldest, nowSeconds), before: afterCommitted(nowSeconds) }
}
