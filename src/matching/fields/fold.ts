import anyAscii from 'any-ascii'

const nonAscii = /[^\0-\x7f]/
const notWord = /[^a-z0-9]+/g
// Longer values are cut.
const longest = 256

/** Lower-case ASCII letters and digits, with one space between words; empty if there are none. Never throws. */
export function fold(value: string): string {
  const text = value.length > longest ? value.slice(0, longest) : value
  const ascii = nonAscii.test(text) ? anyAscii(text.normalize('NFKC')) : text
  return ascii.toLowerCase().replaceAll("'", '').replace(notWord, ' ').trim()
}

/** The same without the spaces. */
export const foldClosely = (value: string): string => fold(value).replaceAll(' ', '')

export const orNull = (text: string): string | null => (text === '' ? null : text)
