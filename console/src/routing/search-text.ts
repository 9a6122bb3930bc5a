/** The values after the question mark of an address. */
export type Search = Readonly<Record<string, unknown>>

/**
 * Reads the values after the question mark. Numbers, `true`, `false` and JSON lose their quotes; every other value is a
 * text.
 */
export const readSearch = (text: string): Search =>
  Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, readValue(value)]))

/** Writes values so that `readSearch` gives them again, with a question mark before them. Leaves out `undefined`. */
export function searchText(search: Search): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined) params.set(name, textOf(value))
  const text = params.toString()
  return text && `?${text}`
}

/** A value as a trimmed text; undefined: none. `readSearch` reads a text of digits as a number. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

function readValue(text: string): unknown {
  if (!/^(["[{\d-]|false$|null$|true$)/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    // A number that is too long, or has zeros at its end, stays a text, so that no digit gets lost.
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}

/** Quotes a text that would be read as something else. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value)
