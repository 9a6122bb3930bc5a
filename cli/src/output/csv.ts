/** Text that a spreadsheet would run as a formula. An apostrophe in front makes it plain text. */
const formulaStart = /^'*[=+\-@\t\r]/
/** Phone numbers and other numbers: a spreadsheet does not run them as formulas. */
const harmless = /^[+-]?\d[\d.]*$/

/** A value as a cell of CSV (RFC 4180), which no spreadsheet runs as a formula. Objects are JSON. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const plain = formulaStart.test(text) && !harmless.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of a CSV file, with its line end. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\n`
