const tables: ReadonlySet<string> = new Set(['table', 'tbody', 'tfoot', 'thead', 'tr'])

/** Reduces spaces as mail programs do: several become one, and those between the cells of a table disappear. */
export function singleSpaced(text: string, parent: string | undefined): string {
  const single = text.replaceAll(/[ \t\n\f\r]+/g, ' ')
  return single === ' ' && parent !== undefined && tables.has(parent) ? '' : single
}
