import anyAscii from 'any-ascii'

const nonAscii = /[^\0-\x7f]/
const marks = /\p{M}+/gu
const umlauts = /[äöüåøæœ]/gi
const spelledOut: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  æ: 'ae',
  œ: 'oe',
}
// Scripts without case: each character is a syllable or a word.
const syllables = /[\p{Script=Han}\p{Script=Hangul}]/u
const latinCapital = /(?<=[A-Za-z])(?=[A-Z][a-z])/g
// Accents exist only in these three scripts. Marks of other scripts, such as Indic ones, are vowels.
const accented = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/**
 * Writes ASCII letters, and keeps case. Accents are removed (é becomes e, ü becomes u), other scripts are
 * transliterated, and Chinese and Korean syllables are separated. Never throws.
 */
export function toLatin(text: string): string {
  if (!nonAscii.test(text)) return text
  const plain = accented.test(text) ? text.normalize('NFKD').replace(marks, '').normalize('NFC') : text
  if (!nonAscii.test(plain)) return plain
  const latin = anyAscii(plain.normalize('NFKC'))
  return syllables.test(text) ? latin.replace(latinCapital, ' ') : latin
}

/** Like `toLatin`, but spells out umlauts (ü becomes ue, ø oe, å aa). Undefined for a text without an umlaut. */
export function toLatinSpelledOut(text: string): string | undefined {
  if (!nonAscii.test(text)) return undefined
  const composed = text.normalize('NFC')
  const spelled = composed.replace(umlauts, (letter) => spelledOut[letter.toLowerCase()] ?? letter)
  return spelled === composed ? undefined : toLatin(spelled)
}

/** Returns whether the text has Chinese characters or Korean syllables. */
export function writesSyllables(text: string): boolean {
  return nonAscii.test(text) && syllables.test(text)
}
