/** JSON as it is to be sent, which no value of JavaScript would become: `1e999`, a half surrogate, what is no JSON. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object whose members come in this order, also those of one name. */
export class Members {
  readonly entries: [string, unknown][]

  constructor(entries: [string, unknown][]) {
    this.entries = entries
  }
}

/** `value` as JSON, in which `Raw` stands as it is. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (value instanceof Members)
    return `{${value.entries.map(([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`).join(',')}}`
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null) return jsonText(new Members(Object.entries(value)))
  return JSON.stringify(value) ?? 'null'
}
