/** JSON text that `JSON.stringify` cannot write: `1e999`, half of a surrogate pair, invalid JSON. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object with its members in this order. Names may repeat. */
export class Members {
  readonly entries: [string, unknown][]

  constructor(entries: [string, unknown][]) {
    this.entries = entries
  }
}

/** Writes `value` as JSON, and inserts each `Raw` unchanged. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (value instanceof Members)
    return `{${value.entries.map(([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`).join(',')}}`
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null) return jsonText(new Members(Object.entries(value)))
  return JSON.stringify(value) ?? 'null'
}
