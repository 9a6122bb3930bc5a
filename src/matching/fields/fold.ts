import anyAscii from 'any-ascii'

const nonAscii = /[^\0-\x7f]/
const nonWordCharacters = /[^a-z0-9]+/g
const lengthMax = 256

/**
 * Returns lower-case ASCII letters and digits, with one space between words. Only the first 256 characters are read.
 * Never throws.
 */
export function fold(value: string): string {
  const text = value.length > lengthMax ? value.slice(0, lengthMax) : value
  const ascii = nonAscii.test(text) ? anyAscii(text.normalize('NFKC')) : text
  return ascii.toLowerCase().replaceAll("'", '').replace(nonWordCharacters, ' ').trim()
}

/** Folds a text as `fold` does, and removes its spaces. */
export const foldWithoutSpaces = (value: string): string => fold(value).replaceAll(' ', '')

/** The text, or null if it is empty. */
export const nullIfEmpty = (text: string): string | null => (text === '' ? null : text)
