/** Rows with a longer value are refused. A reader adds no more text to a value once it is longer. */
export const valueCharactersMax: number = 128 * 1024

const dayMs = 86_400_000
/** The serial number of the day after 9999-12-31, if the days start in 1900. */
const daysMax = 2_958_466
const daysUntil1904 = 1_462
/** The numbers of the built-in formats for dates and times. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Returns whether a number format has a date or time letter outside of quotes, brackets and escapes. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return isBuiltInDate(id)
  // Remove elapsed time such as [h]:mm, which is a duration.
  const plain = code.slice(0, 1_000).replace(/"[^"]*"?|\[[^\]]*\]?|[\\_*]./g, '')
  return !/^general/i.test(plain) && /[dmyhs]/i.test(plain)
}

/** Returns how many digits a format such as `00000` shows at least, as people see postcodes; 0: any other format. */
export const leastDigits = (code: string | undefined): number =>
  code !== undefined && /^0{2,20}$/.test(code) ? code.length : 0

/** Formats a number as people write it. A whole number, such as a phone number, gets no exponent. */
export function plainNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  return Number.isInteger(number) && Math.abs(number) < 1e21 ? BigInt(number).toString() : String(number)
}

/** Adds the zeros that a cell shows before a whole number. */
export const withZeros = (number: string, digits: number): string =>
  /^\d+$/.test(number) ? number.padStart(digits, '0') : number

/**
 * Formats the date of a cell as `2026-08-02`, `2026-08-02T09:30:00` or `09:30:00`. A number outside of the range of
 * dates stays a number.
 */
export function isoDate(text: string, startsIn1904: boolean): string {
  const serial = Number(text)
  const max = startsIn1904 ? daysMax - daysUntil1904 : daysMax
  if (text.trim() === '' || !(serial >= 0 && serial < max)) return plainNumber(text)
  // Spreadsheets count 1900-02-29, which did not exist.
  const first = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const iso = new Date(first + Math.round((serial * dayMs) / 1000) * 1000).toISOString()
  if (Number.isInteger(serial)) return iso.slice(0, 10)
  return serial < 1 ? iso.slice(11, 19) : iso.slice(0, 19)
}

/** Decodes characters that XML cannot contain, and that Excel writes as a code such as `_x000D_`. */
export function unescapeText(text: string): string {
  // A text that was cut off must stay too long.
  if (text.length > valueCharactersMax || !text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
