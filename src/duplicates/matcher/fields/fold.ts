import anyAscii from 'any-ascii'

const nonAscii = /[^\0-\x7f]/
const notWord = /[^a-z0-9]+/g
// What is read of one value: more than an address or a title needs.
const longest = 256

/** Lower case in ASCII letters and digits, words parted by one space; '' when there are none. Never throws. */
export function fold(value: string): string {
  const text = value.length > longest ? value.slice(0, longest) : value
  const ascii = nonAscii.test(text) ? anyAscii(text.normalize('NFKC')) : text
  return ascii.toLowerCase().replaceAll("'", '').replace(notWord, ' ').trim()
}

/** The same without the spaces. */
export const foldClosely = (value: string): string => fold(value).replaceAll(' ', '')

export const orNull = (text: string): string | null => (text === '' ? null : text)
