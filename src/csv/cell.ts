/**
 * Matches a text that a spreadsheet would read as a formula. A leading apostrophe makes the cell
 * plain text.
 */
const formulaStart = /^'*[=+\-@\t\r]/
/** Phone numbers begin with a plus sign, but a spreadsheet does not read them as a formula. */
const phoneNumbers = /^\+\d+(?:;\+\d+)*$/

export function toCell(text: string | null): string {
  if (text === null) return ''
  const plain = formulaStart.test(text) && !phoneNumbers.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The value that `toCell` wrote into a cell. */
export const fromCell = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell
