import { namesOf, prefix, read, remove, write } from './storage.ts'

const eventsMax = 200
const ageMaxMs = 86_400_000
/** The limit of fetch for requests that outlive a page: 64 KiB together. */
const partBytesMax = 60_000

let start = ''
let count = 0
/** The names of this tab's events. All tabs of the origin share the queue. */
let own: string[] = []

/**
 * Sets the start of the names. It contains the write key, so that a page with another key does not send these events.
 */
export function openQueue(key: string): void {
  start = `${prefix}q.${key}.`
}

/**
 * Adds an event, and returns how many events of this tab wait. Each event has a name of its own, so that two tabs that
 * write at the same time do not overwrite each other. The oldest events above 200 are dropped.
 */
export function add(event: string, messageId: string): number {
  // The number after the milliseconds keeps the order of events of one millisecond.
  const time = (Date.now() * 1024 + (count++ % 1024)).toString(36)
  const name = `${start}${time}.${messageId.slice(0, 8)}`
  write(name, event)
  own.push(name)
  for (const old of waiting().slice(0, -eventsMax)) remove(old)
  return waitingOfThisTab().length
}

/** The names of all events that wait, oldest first. Events of the day before are dropped. */
export function waiting(): string[] {
  return namesOf(start).filter((name) => {
    const isOld = Date.now() - Number.parseInt(name.slice(start.length), 36) / 1024 > ageMaxMs
    if (isOld) remove(name)
    return !isOld
  })
}

/** The names of the events of this tab that no tab has sent yet. */
export function waitingOfThisTab(): string[] {
  own = waiting().filter((name) => own.includes(name))
  return own
}

/** The first of `names` that fit into one request, and their events as a JSON list. */
export function partOf(names: readonly string[]): { names: string[]; events: string } {
  const part: string[] = []
  const events: string[] = []
  let bytes = 0
  for (const name of names) {
    const event = read(name)
    if (event === null) continue
    bytes += new TextEncoder().encode(event).length + 1
    if (bytes > partBytesMax && part.length > 0) break
    part.push(name)
    events.push(event)
  }
  return { names: part, events: `[${events}]` }
}
