import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SessionEvent, sessionsOf } from './sessions.ts'

const minute = 60_000
const event = (at: number, session_id: string | null = null, campaign?: string): SessionEvent => ({
  ...{ at: at * minute, message_key: String(at), session_id, type: 'page', url_path: '/' },
  source: campaign === undefined ? null : { campaign },
})
const minutesOf = (events: SessionEvent[]) =>
  sessionsOf(events).map(({ events }) => events.map(({ at }) => at / minute))

test.each<[string, SessionEvent[], number[][]]>([
  ['without events, there is no session', [], []],
  ['a break of 30 minutes does not end a session', [event(0), event(30)], [[0, 30]]],
  ['a break of more than 30 minutes ends a session', [event(0), event(31)], [[0], [31]]],
  [
    'events with one session name are one session after any break',
    [event(0, 'a'), event(90, 'a')],
    [[0, 90]],
  ],
  ['another session name begins a session', [event(0, 'a'), event(1, 'b')], [[0], [1]]],
  [
    'an event without a session name joins the current session',
    [event(0, 'a'), event(1), event(2, 'a')],
    [[0, 1, 2]],
  ],
  [
    'an event with a session name joins earlier events without one',
    [event(0), event(1, 'a'), event(2, 'b')],
    [[0, 1], [2]],
  ],
  ['a new campaign begins a session', [event(0), event(1, null, 'May')], [[0], [1]]],
  [
    'the same campaign begins no session',
    [event(0, null, 'May'), event(1), event(2, null, 'May')],
    [[0, 1, 2]],
  ],
  ['another campaign begins a session', [event(0, null, 'May'), event(1, null, 'June')], [[0], [1]]],
  ['a session name has priority over a campaign', [event(0, 'a', 'May'), event(1, 'a', 'June')], [[0, 1]]],
])('%s', (_what, events, expected) => {
  expect(minutesOf(events)).toEqual(expected)
})

test('a session has the first session id of its events', () => {
  expect(sessionsOf([event(0), event(1, 'a')])[0]?.sessionId).toBe('a')
})

test('every event is in one session, in order', () => {
  const one = fc
    .tuple(fc.nat(300), fc.option(fc.constantFrom('a', 'b')), fc.option(fc.constantFrom('May', 'June')))
    .map(([at, session, campaign]) => event(at, session, campaign ?? undefined))
  fc.assert(
    fc.property(fc.array(one), (events) => {
      const ordered = events.toSorted((x, y) => x.at - y.at)
      expect(sessionsOf(ordered).flatMap((session) => session.events)).toEqual(ordered)
    }),
  )
})
