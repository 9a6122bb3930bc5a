import { type GivenName, givenName, isNickname, shareRoot } from './nicknames.ts'
import { keyOfSpelling, soundSpelling } from './phonetics.ts'
import { jaroWinkler, osaDistance } from './similarity.ts'
import { variantGroup } from './variants.ts'

export type NameToken = {
  /** Lower-case ASCII letters and digits. A single letter is an initial. */
  readonly text: string
  /** `soundSpelling`, with umlauts spelled out (Müller is mueller). */
  readonly spelling: string
  readonly key: string
  readonly given: GivenName | undefined
  readonly variant: number
  readonly hasDigit: boolean
  /** Whether the word is written without vowels, as in Arabic and Hebrew. */
  readonly isBare: boolean
  /** `textLetters` has one bit for each letter in `text`. `spellingLetters` does the same for `spelling`. */
  readonly textLetters: number
  readonly spellingLetters: number
}

/** With this `tokenSimilarity` or more, two words are the same name. */
export const sameName = 0.94
/** Between `close` and `sameName`, a typo or a similar sound is plausible. */
export const close = 0.8
/**
 * The `tokenSimilarity` of an initial and a name that starts with it. Two words with a lower similarity contradict
 * each other.
 */
export const sameInitial = 0.75

const sameSound = 0.97
const sameVariant = 0.96
const sameNickname = 0.95
const sharedRoot = 0.85
const sameBare = 0.9
const differentMax = 0.7

// Most tokens of a file are repetitions of a few thousand words. A full cache is cleared.
const cachedTokensMax = 20_000
const cachedTokens = new Map<string, NameToken>()

/** @param spelledOut the text with two letters for each umlaut */
export function tokenOf(text: string, spelledOut?: string): NameToken {
  const id = spelledOut === undefined ? text : `${text} ${spelledOut}`
  const found = cachedTokens.get(id)
  if (found !== undefined) return found
  const spelling = soundSpelling(spelledOut ?? text)
  const token = {
    text,
    spelling,
    key: keyOfSpelling(spelling),
    given: givenName(text),
    variant: variantGroup(spelling),
    hasDigit: /\d/.test(text),
    isBare: !/[aeiouy]/.test(text),
    textLetters: lettersIn(text),
    spellingLetters: lettersIn(spelling),
  }
  if (cachedTokens.size >= cachedTokensMax) cachedTokens.clear()
  cachedTokens.set(id, token)
  return token
}

/**
 * Compares two words in either order: 1 for equal ones, 0 for different ones. With `sameName` or more, they are one
 * name (sound, variant, nickname). With `close` or more, a typo is plausible. An initial and a name give sameInitial.
 * With `asGiven`, nicknames count, and similar given names are different: Angelo and Angela, Mark and Mary.
 */
export function tokenSimilarity(a: NameToken, b: NameToken, asGiven: boolean): number {
  if (a.text === b.text) return 1
  if (a.text.length === 1 || b.text.length === 1) return a.text[0] === b.text[0] ? sameInitial : 0
  // Every digit of a number counts.
  if (a.hasDigit || b.hasDigit) return 0
  if (a.spelling === b.spelling && a.spelling !== '') return sameSound
  if (a.variant !== -1 && a.variant === b.variant) return sameVariant
  if (asGiven && areSiblings(a.text, b.text)) return 0
  if (asGiven && a.given !== undefined && b.given !== undefined) {
    if (isNickname(a.given, b.given)) return sameNickname
    return shareRoot(a.given, b.given) ? sharedRoot : 0
  }
  if (a.isBare !== b.isBare && a.key === b.key && a.key.length > 2) return sameBare
  const edits = countTypos(a, b)
  return edits === 0 ? 0 : 0.96 - 0.04 * Math.min(edits, 4)
}

/** Returns a similarity from 0 to 0.7. The order of the two words does not matter. */
export function differentNameSimilarity(a: NameToken, b: NameToken): number {
  return Math.min(differentMax, jaroWinkler(a.text, b.text) * differentMax)
}

/** Returns the number of typos, 1 to 4; 0 if there are too many. */
function countTypos(a: NameToken, b: NameToken): number {
  if (areLettersSwapped(a.text, b.text)) return 1
  const longer = Math.max(a.text.length, b.text.length)
  const allowed = typosMax(longer)
  // Words that sound alike may have one more typo.
  const max = allowed + (longer > 4 && a.key === b.key && a.key.length > 2 ? 1 : 0)
  if (max === 0 || Math.abs(a.text.length - b.text.length) > max) return 0
  // Require the same first letter: people rarely mistype it, and many names differ only there.
  if (longer < 8 && a.text[0] !== b.text[0] && a.key[0] !== b.key[0]) return 0
  // One edit changes the set of letters by at most two. This cheap check rules out most words.
  if (countBits(a.textLetters ^ b.textLetters) <= 2 * max) {
    const edits = osaDistance(a.text, b.text)
    if (edits <= max) return edits
  }
  const allowedSounds = typosMax(Math.max(a.spelling.length, b.spelling.length))
  if (countBits(a.spellingLetters ^ b.spellingLetters) > 2 * allowedSounds) return 0
  const sounds = osaDistance(a.spelling, b.spelling)
  return sounds <= allowedSounds ? sounds + 1 : 0
}

function lettersIn(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function countBits(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count++
  return count
}

function typosMax(length: number): number {
  if (length < 5) return 0
  if (length < 9) return 1
  return length < 13 ? 2 : 3
}

/** Returns whether two letters are swapped: neighbors or, in words of five or more letters, any two. */
function areLettersSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < 4) return false
  let i = 0
  while (a.charCodeAt(i) === b.charCodeAt(i)) i++
  let j = a.length - 1
  while (a.charCodeAt(j) === b.charCodeAt(j)) j--
  if (a.charCodeAt(i) !== b.charCodeAt(j) || a.charCodeAt(j) !== b.charCodeAt(i)) return false
  if (j - i > 1 && a.length < 5) return false
  for (let k = i + 1; k < j; k++) if (a.charCodeAt(k) !== b.charCodeAt(k)) return false
  return true
}

// Endings that separate a man's name from a woman's, or two siblings' names.
const siblingEndings = new Set(
  '-a -e -ina -ine -ette -le -ne -ia o-a o-e e-a us-a is-es er-ra as-a us-ia io-ia io-a o-ina o-ine as-ie an-ana ius-ia a-w'.split(
    ' ',
  ),
)
const stemsOfOneName = new Set('carolin christin katharin kathrin jasmin catherin'.split(' '))

/** Returns whether two given names differ only by `siblingEndings`: Angelo and Angela, Daniel and Danielle. */
function areSiblings(a: string, b: string): boolean {
  const [first, second] = a < b ? [a, b] : [b, a]
  let stem = 0
  while (stem < first.length && first.charCodeAt(stem) === second.charCodeAt(stem)) stem++
  if (stem < 3 || first.length - stem > 4 || second.length - stem > 4) return false
  const isLonger = stem === first.length
  if (isLonger && stem < 4) return false
  const ending = first.slice(stem)
  const other = second.slice(stem)
  // Andrea and Andreas are different names, as are Luca and Lucas.
  if (isLonger && other === 's' && first.endsWith('a')) return true
  if (!siblingEndings.has(`${ending}-${other}`) && !siblingEndings.has(`${other}-${ending}`)) return false
  // A final e is often another spelling (Georg and George), but not in Simone, Pascale or Louise.
  return !(isLonger && other === 'e' && (!/[^nsl][nsl]$/.test(first) || stemsOfOneName.has(first)))
}
