/**
 * Matches a text that a spreadsheet would read as a formula. It may begin with apostrophes. A leading apostrophe makes
 * it plain text.
 */
const formulaStart = /^'*[=+\-@\t\r]/
/**
 * Matches phone numbers, alone or in a list. They begin with a plus sign, but a spreadsheet does not read them as a
 * formula.
 */
const phoneNumbers = /^\+\d+(?:;\+\d+)*$/

/** A text as a cell of a CSV file. */
export function toCell(text: string | null): string {
  if (text === null) return ''
  const plain = formulaStart.test(text) && !phoneNumbers.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Reverses `toCell`. */
export const fromCell = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell
