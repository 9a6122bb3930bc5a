/** Text that a spreadsheet would run as a formula. An apostrophe in front makes it plain text. */
const formulaStart = /^'*[=+\-@\t\r]/
/** Phone numbers with a plus sign, which a spreadsheet does not run as a formula. */
const phoneNumbers = /^\+\d+(?:;\+\d+)*$/

/**
 * A value as a CSV cell. An apostrophe precedes text that a spreadsheet would take for a formula. null gives an empty
 * cell.
 */
export function toCell(text: string | null): string {
  if (text === null) return ''
  const plain = formulaStart.test(text) && !phoneNumbers.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Reverses `toCell`: returns the value that was written into a cell. */
export const fromCell = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell
