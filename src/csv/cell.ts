/**
 * Matches a text that a spreadsheet would read as a formula. It may begin with apostrophes. A leading apostrophe makes
 * it plain text.
 */
const formulaStart = /^'*[=+\-@\t\r]/
/** A plus sign and digits alone are no formula, nor is a list of such numbers. */
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
