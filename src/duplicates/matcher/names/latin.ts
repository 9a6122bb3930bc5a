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
// Characters without a case, of which each is a syllable or a word.
const syllables = /[\p{Script=Han}\p{Script=Hangul}]/u
const latinCapital = /(?<=[A-Za-z])(?=[A-Z][a-z])/g
// Signs of Indic and other scripts are vowels, which transliteration must see; only these scripts' marks are accents.
const accented = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/**
 * A text in ASCII letters, case kept: marks come off (é is e, ü is u, Й is И's letter i), other scripts are
 * transliterated, and the syllables of Chinese and Korean stand apart. Never throws.
 */
export function toLatin(text: string): string {
  if (!nonAscii.test(text)) return text
  const plain = accented.test(text) ? text.normalize('NFKD').replace(marks, '').normalize('NFC') : text
  if (!nonAscii.test(plain)) return plain
  const latin = anyAscii(plain.normalize('NFKC'))
  return syllables.test(text) ? latin.replace(latinCapital, ' ') : latin
}

/**
 * The same with umlauts spelled out (ü is ue, ø is oe, å is aa), or undefined for a text without one.
 */
export function spelledWithE(text: string): string | undefined {
  if (!nonAscii.test(text)) return undefined
  const composed = text.normalize('NFC')
  const spelled = composed.replace(umlauts, (letter) => spelledOut[letter.toLowerCase()] ?? letter)
  return spelled === composed ? undefined : toLatin(spelled)
}

/** Whether a text is written, at least in part, in the characters of Chinese or the syllables of Korean. */
export function writesSyllables(text: string): boolean {
  return nonAscii.test(text) && syllables.test(text)
}
