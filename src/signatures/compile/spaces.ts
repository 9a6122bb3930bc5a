const tables: ReadonlySet<string> = new Set(['table', 'tbody', 'tfoot', 'thead', 'tr'])

/** Reduces spaces as mail programs do: several become one, and those between the cells of a table disappear. */
export function singleSpaced(text: string, parent: string | undefined): string {
  const single = /[\t\n\f\r]| {2}/.test(text) ? text.replaceAll(/[ \t\n\f\r]+/g, ' ') : text
  return single === ' ' && parent !== undefined && tables.has(parent) ? '' : single
}
