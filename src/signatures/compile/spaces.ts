const tables: ReadonlySet<string> = new Set(['table', 'tbody', 'tfoot', 'thead', 'tr'])

/** `text` as it is shown: no mail program shows more than one space, or any in a table outside its cells. */
export function singleSpaced(text: string, parent: string | undefined): string {
  const single = text.replaceAll(/[ \t\n\f\r]+/g, ' ')
  return single === ' ' && parent !== undefined && tables.has(parent) ? '' : single
}
