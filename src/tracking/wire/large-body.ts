import { invalid } from '../../platform/domain-error.ts'

/** `JSON.parse` of a text of this length takes at most about 2 ms, whatever it contains. */
export const smallLength: number = 64 * 1024
/** The maximum number of values: 100 for each of 2,500 events. */
const valuesMax = 250_000
/**
 * An event with more than 100 levels is dropped alone. A whole body is refused only if the excess levels are outside of
 * its events.
 */
const levelsMax = 1_000
/** The maximum number of events in a batch. */
export const batchMax = 2_500
const shortLength = 1_024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The JSON of one event of a large body, which is not parsed yet. */
export class EventText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The text of an event above 64 KiB, which is not parsed. */
export const tooLargeEvent: unique symbol = Symbol('an event that is too large')

/**
 * The members of a body above 64 KiB that ingest needs. `JSON.parse` of the whole body would block the thread for 0.2
 * s.
 */
export class LargeBody {
  writeKey?: unknown
  sentAt?: unknown
  batch?: EventText[]
}

/**
 * Finds the events of a large body, in steps of about a millisecond. Only its brackets and strings are checked.
 * @throws DomainError invalid, even if the body has more values, levels or events than a batch may have
 */
export function* findingEvents(text: string): Generator<undefined, LargeBody> {
  const body = new LargeBody()
  let [values, levels, pause, end] = [0, 0, smallLength, -1]
  let [last, name] = ['', '']
  /** The position where the value of a member, or an event of the batch, begins. */
  let from = 0
  let inBatch = false
  /** The position where the current string begins; -1 outside of strings. */
  let string = -1
  const endValue = (at: number) => {
    if (inBatch) addEvent(body, text.slice(from, at))
    else if ((name === 'writeKey' || name === 'sentAt') && at - from <= shortLength)
      body[name] = parseJson(text.slice(from, at))
    from = at + 1
  }
  for (let at = 0; at < text.length && end < 0; at++) {
    const char = text.charCodeAt(at)
    if (string >= 0) {
      if (char === backslash) at++
      else if (char === quote) {
        if (levels === 1) last = at - string <= shortLength ? text.slice(string, at + 1) : ''
        string = -1
      }
    } else if (char === quote) string = at
    else if (char === colon && levels === 1) {
      name = last === '' ? '' : String(parseJson(last))
      from = at + 1
    } else if (char === comma) {
      values++
      if (levels === (inBatch ? 2 : 1)) endValue(at)
    } else if (char === openList || char === openObject) {
      values++
      if (++levels === 2 && char === openList && name === 'batch') {
        body.batch = []
        inBatch = true
        from = at + 1
      }
    } else if (char === closeList || char === closeObject) {
      if (inBatch && levels === 2) {
        if (body.batch?.length !== 0 || text.slice(from, at).trim() !== '') endValue(at)
        inBatch = false
        name = ''
      }
      if (--levels === 0) {
        endValue(at)
        end = at
      }
    }
    if (values > valuesMax || levels > levelsMax) throw tooCostly()
    if (at < pause) continue
    pause = at + smallLength
    yield
  }
  if (end < 0 || text.slice(end + 1).trim() !== '' || text.trimStart()[0] !== '{') throw unreadable()
  return body
}

/** @throws DomainError invalid */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

function addEvent({ batch }: LargeBody, text: string): void {
  batch?.push(new EventText(text))
  if (batch && batch.length > batchMax) throw tooManyEvents()
}

const unreadable = () =>
  invalid('events_unreadable', 'The body is not valid JSON: send one event, or {"batch": [events]}')

/** The error for a batch with too many events. */
export const tooManyEvents = () =>
  invalid('events_too_large', `The batch has more than ${batchMax} events: send fewer at a time`)

const tooCostly = () =>
  invalid(
    'events_too_large',
    `The body has more than ${valuesMax} values or ${levelsMax} levels: send fewer events at a time`,
  )
