import type { WebEvent } from '../wire/event.ts'

const jsonFields = ['properties', 'context'] as const
const textFields = ['userKey', 'sessionId', 'name', 'urlPath', 'referrerHost'] as const

/** For each field whose text clients choose, the texts of all events as one array literal of PostgreSQL. */
export type ArrayTexts = Record<(typeof jsonFields)[number] | (typeof textFields)[number], string>

/**
 * Makes the array literals, one event in each step. pg would do it in one turn of the thread: 0.4 s for 4 MiB of quotes.
 * Source: PostgreSQL, Array Input and Output Syntax.
 */
export function* makingArrayTexts(events: readonly WebEvent[]): Generator<undefined, ArrayTexts> {
  const elements = Object.fromEntries(
    [...jsonFields, ...textFields].map((field) => [field, [] as string[]]),
  ) as Record<keyof ArrayTexts, string[]>
  for (const event of events) {
    // JSON has no control characters, so JSON.stringify escapes only quotes and backslashes: 10 times faster.
    for (const field of jsonFields) elements[field].push(JSON.stringify(event[field]))
    for (const field of textFields) elements[field].push(elementOf(event[field]))
    yield
  }
  return Object.fromEntries(
    Object.entries(elements).map(([field, list]) => [field, `{${list.join(',')}}`]),
  ) as ArrayTexts
}

const escaped = /["\\]/g

const elementOf = (text: string | null) => (text === null ? 'NULL' : `"${text.replace(escaped, '\\$&')}"`)
