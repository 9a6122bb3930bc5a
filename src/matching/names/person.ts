import { itemAt } from '../element-at.ts'
import { toLatin, toLatinSpelledOut, writesSyllables } from './latin.ts'
import {
  generations,
  innerCapitals,
  particles,
  postNominals,
  servantPrefixes,
  titles,
  titlesThatAreNames,
} from './person-words.ts'
import { type NameToken, tokenOf } from './token.ts'

export type PersonName = {
  /** At most 10 words: given names, then family names, without titles, particles and suffixes. */
  readonly tokens: readonly NameToken[]
  /** The index of the first family name, or the number of tokens. */
  readonly familyFrom: number
  /** Whether given and family names are known: there were two fields, or a comma between them. */
  readonly isCertain: boolean
  /** Particles of the family name in one spelling (ibn and ben become bin). */
  readonly particles: string
  /** 0 none, 1 Sr, 2 Jr or II, 3 III, 4 IV. */
  readonly generation: number
  /**
   * The words of the tokens. Names have the same text if they differ only in case, accents, titles and punctuation.
   */
  readonly text: string
}

/** A name in two fields, of which one may be missing. */
export type NameFields = { given?: string | null | undefined; family?: string | null | undefined }

type Word = { text: string; spelledOut: string | undefined; raw: string }
type Part = { words: Word[]; particles: string[]; familyFrom: number }

const lengthReadMax = 300
const tokensMax = 10
const separators = /[\s\-‐-―_.·・•/&+;:|]+/
const commas = /[,،、，]/
const parenthesesAndQuotes = /\([^)]*\)|"[^"]*"|“[^”]*”/g
const dottedAbbreviation = /\b[A-Za-z]{1,4}(?:\.[A-Za-z]{1,4})+\b\.?/g
const patronymic = /(?:[oe]v[iy]t?ch|owitsch|[oe]vna|[iy]vna|ichna)$/
const slavicFamily = /(?:[oe]v|[iy]n|sk[iy]+|tsk[iy]+|[oe]va|[iy]na|aya|enko|[iy]?uk)$/
const noLetter = /[^a-z0-9]+/g
const digitsAsLetters: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/**
 * Parses two fields, or a full name: "Dr. Ada M. Lovelace, PhD", "van der Berg, Jan", "DUPONT Jean", 習近平. Removes
 * titles, degrees, accents, punctuation and case, and transliterates other scripts. Separates particles, initials and
 * generations. A name without letters has no tokens. Only the first 300 characters are read. Never throws.
 */
export function readPersonName(name: string | NameFields): PersonName {
  if (typeof name === 'string') return readFull(name)
  const given = name.given ?? ''
  const family = name.family ?? ''
  // If one field is empty, the other one has the full name.
  if (given.trim() === '' || family.trim() === '') return readFull(given.trim() === '' ? family : given)
  return join(given, family)
}

function readFull(full: string): PersonName {
  const text = withoutParentheses(full.slice(0, lengthReadMax))
  if (!commas.test(text)) return joinWords(wordsOf(text), text)
  const parts = text.split(commas).filter((part) => part.trim() !== '')
  const [first = '', ...others] = parts
  const names = others.filter((part) => !isSuffix(part))
  const suffixes = others.filter(isSuffix).join(' ')
  if (names.length === 0) return joinWords(wordsOf(`${first} ${suffixes}`), first)
  return join(`${names.join(' ')} ${suffixes}`, first)
}

/** Joins the names, given names first. */
function join(given: string, family: string): PersonName {
  const givenWords = wordsOf(withoutParentheses(given.slice(0, lengthReadMax)))
  const familyWords = wordsOf(withoutParentheses(family.slice(0, lengthReadMax)))
  const generation = dropSuffixes(familyWords, 1) || dropSuffixes(givenWords, 1)
  dropTitles(givenWords, 1)
  dropTitles(familyWords, 1)
  const before = withoutParticles(givenWords, true)
  const after = withoutParticles(familyWords, false)
  const part: Part = {
    words: [...before.words, ...after.words],
    particles: [...before.particles, ...after.particles],
    familyFrom: before.words.length,
  }
  return toPersonName(part, generation, true)
}

function joinWords(words: Word[], text: string): PersonName {
  const generation = dropSuffixes(words, 2)
  dropTitles(words, 1)
  const inSyllables = writesSyllables(text)
  const family = !inSyllables ? familyInFront(words) : text.includes('·') ? 0 : 1
  // Moves a family name to the end.
  if (family > 0 && family < words.length) words.push(...words.splice(0, family))
  const part = inSyllables
    ? { words, particles: [], familyFrom: words.length - 1 }
    : withoutParticles(words, true)
  const known = family > 0 ? part.words.length - family : part.familyFrom
  return toPersonName({ ...part, familyFrom: Math.max(0, known) }, generation, false)
}

function toPersonName(part: Part, generation: number, isCertain: boolean): PersonName {
  const words = part.words.length > tokensMax ? part.words.slice(0, tokensMax) : part.words
  const tokens = words.map((word) => tokenOf(word.text, word.spelledOut))
  let text = ''
  for (const token of tokens) text += text === '' ? token.text : ` ${token.text}`
  const familyFrom = Math.min(part.familyFrom, tokens.length)
  return { tokens, familyFrom, isCertain, particles: part.particles.join(' '), generation, text }
}

function withoutParentheses(text: string): string {
  if (!/[("“]/.test(text)) return text
  const without = text.replace(parenthesesAndQuotes, ' ')
  return /\p{L}/u.test(without) ? without : text
}

function wordsOf(text: string): Word[] {
  const plain = text.includes('.') ? text.replace(dottedAbbreviation, withoutDots) : text
  const words: Word[] = []
  for (const piece of plain.split(separators)) {
    if (piece === '') continue
    const latin = toLatin(piece)
    const spelled = toLatinSpelledOut(piece)
    for (const raw of splitGluedNames(latin)) {
      const word = lettersOf(raw)
      if (word === '') continue
      const spelledOut = spelled === undefined ? undefined : lettersOf(spelled)
      addWord(words, { text: word, spelledOut, raw })
    }
  }
  return words
}

/** Removes the dots of an abbreviation: Ph.D. becomes one word, and J.R.R. three. */
function withoutDots(abbreviation: string): string {
  const word = abbreviation.replaceAll('.', '')
  const lower = word.toLowerCase()
  return titles.has(lower) || postNominals.has(lower) || generations.has(lower) ? word : abbreviation
}

/** Splits names without a space (VladimirPutin), and the syllables of `toLatin`. */
function splitGluedNames(latin: string): string[] {
  if (latin.includes(' ')) return latin.split(' ')
  const [, first, second] = /^([A-Z][a-z]{2,})([A-Z][a-z]{2,})$/.exec(latin) ?? []
  if (first === undefined || second === undefined || innerCapitals.has(first.toLowerCase())) return [latin]
  return [first, second]
}

function lettersOf(raw: string): string {
  const word = raw.toLowerCase().replace(noLetter, '')
  if (!/\d/.test(word) || generations.has(word)) return word
  return /[a-z]{2}/.test(word) ? word.replace(/\d/g, (digit) => digitsAsLetters[digit] ?? '') : ''
}

function addWord(words: Word[], word: Word): void {
  const before = words.at(-1)
  if (before !== undefined && servantPrefixes.has(before.text)) {
    // Abd al-Aziz, Abdul Aziz and Abdelaziz are the same name.
    if (particles.get(word.text) === 'al') return
    words[words.length - 1] = { ...before, text: `abdul${word.text}`, spelledOut: undefined }
    return
  }
  const servant = /^abd[aeou]{1,2}l(.{3,})$/.exec(word.text)
  if (servant !== null) words.push({ ...word, text: `abdul${servant[1]}`, spelledOut: undefined })
  else if (isInitials(word.raw) && words.length === 0)
    for (const letter of word.text) words.push({ text: letter, spelledOut: undefined, raw: letter })
  else words.push(word)
}

/** Returns whether a word before a name is several initials: JC, JP. */
function isInitials(raw: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{2,3}$/.test(raw) && !titles.has(raw.toLowerCase())
}

function isSuffix(part: string): boolean {
  const words = wordsOf(part)
  return words.length > 0 && words.every(({ text }) => postNominals.has(text) || generations.has(text))
}

/**
 * Removes degrees and suffixes from the end, but keeps at least `wordsMin` words.
 * @returns the generation
 */
function dropSuffixes(words: Word[], wordsMin: number): number {
  let generation = 0
  while (words.length > wordsMin) {
    const { text, raw } = itemAt(words, words.length - 1)
    const known = generations.get(text)
    if (known !== undefined) generation = known
    else if (!postNominals.has(text) || (titlesThatAreNames.has(text) && !isShouted(words, raw))) break
    words.pop()
  }
  return generation
}

function dropTitles(words: Word[], wordsMin: number): void {
  let count = 0
  while (words.length - count > wordsMin && titles.has(itemAt(words, count).text)) {
    if (titlesThatAreNames.has(itemAt(words, count).text) && words.length - count < 3) break
    count++
  }
  if (count > 0) words.splice(0, count)
}

function isShouted(words: Word[], raw: string): boolean {
  return raw === raw.toUpperCase() && words.some((word) => word.raw !== word.raw.toUpperCase())
}

/** How many words at the start are the family name. It is in capitals, or comes first as in Russian registers. */
function familyInFront(words: Word[]): number {
  const [first, , third] = words
  const isRegister =
    words.length === 3 && patronymic.test(third?.text ?? '') && slavicFamily.test(first?.text ?? '')
  return isRegister ? 1 : familyInCapitals(words)
}

/** Returns how many words at the start are in capitals, if later ones are not: DUPONT Jean. */
function familyInCapitals(words: Word[]): number {
  let count = 0
  while (count < words.length && isInCapitals(itemAt(words, count).raw)) count++
  const rest = words.slice(count)
  return count > 0 && rest.length > 0 && !rest.some(({ raw }) => isInCapitals(raw) || raw.length < 2)
    ? count
    : 0
}

function isInCapitals(raw: string): boolean {
  return raw.length > 2 && raw === raw.toUpperCase()
}

/** Separates the particles. The first word of a full name or of given names is never a particle: Al, Ben, Van. */
function withoutParticles(all: Word[], firstIsName: boolean): Part {
  const words: Word[] = []
  const found: string[] = []
  let familyFrom = -1
  for (const [index, word] of all.entries()) {
    const particle = particles.get(word.text)
    const next = all[index + 1]
    const isName = particle === undefined || (index === 0 && firstIsName)
    // A single word is always a name: Le, Ben, Di.
    if (isName || (all.length === 1 && particle !== undefined)) words.push(word)
    else {
      found.push(particle)
      if (next !== undefined && !isParticle(next) && isLastName(all, index + 1)) familyFrom = words.length
    }
  }
  if (words.length === 0) return { words: all, particles: [], familyFrom: Math.max(0, all.length - 1) }
  return { words, particles: found, familyFrom: familyFrom === -1 ? words.length - 1 : familyFrom }
}

function isParticle(word: Word | undefined): boolean {
  return word !== undefined && particles.has(word.text)
}

function isLastName(all: Word[], index: number): boolean {
  return all.length - index <= 2
}
