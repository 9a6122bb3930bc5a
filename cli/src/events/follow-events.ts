import type { Crosswalk, FollowedEvent } from '../../../sdk/src/main.ts'
import type { Flag, Values } from '../flag.ts'
import { secondsOf } from '../operations/values.ts'

export const followFlags: Readonly<Record<string, Flag>> = {
  types: { value: 'types', text: 'Only these types, with commas between them: `contact.*,deal.closed`.' },
  from: {
    value: 'time|cursor',
    sets: 'cursor',
    text: 'Begins at a time, such as 2h ago, or at a cursor. By default with the next change.',
  },
}

/** The events that the flags ask for, without end. Ends when `signal` is aborted. */
export async function* followEvents(
  client: Crosswalk,
  values: Values,
  include: 'object' | undefined,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent, void, undefined> {
  const query = { types: values.types as string | undefined, include }
  const from = values.from as string | undefined
  const isTime = from !== undefined && /^(\d{4}-\d\d|\d+[smhdw]?$)/.test(from)
  if (!isTime) return yield* client.events.follow({ ...query, cursor: from, signal })
  // A start time is not a cursor, and a page has only the cursor after its last event. So request a first page of one
  // event.
  const { events, cursor } = await client.events.feed(
    { ...query, since: secondsOf('--from', from), limit: 1 },
    { signal },
  )
  for (const event of events) yield { ...event, cursor } as FollowedEvent
  yield* client.events.follow({ ...query, cursor, signal })
}
