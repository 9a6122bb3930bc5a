const tables: ReadonlySet<string> = new Set(['table', 'tbody', 'tfoot', 'thead', 'tr'])

/** `text` as mail programs show it: runs of spaces as one, and no spaces between the cells of a table. */
export function singleSpaced(text: string, parent: string | undefined): string {
  const single = text.replaceAll(/[ \t\n\f\r]+/g, ' ')
  return single === ' ' && parent !== undefined && tables.has(parent) ? '' : single
}
