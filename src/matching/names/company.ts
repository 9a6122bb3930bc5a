import { itemAt } from '../element-at.ts'
import {
  abbreviations,
  additions,
  genericWords,
  numberWords,
  romanNumerals,
  stopWords,
} from './company-words.ts'
import { toLatin, toLatinSpelledOut } from './latin.ts'
import { canLeadName, type LegalForm, longFormWords, spellings, unspacedForms } from './legal-forms.ts'
import { osaDistance } from './similarity.ts'
import { type NameToken, tokenOf } from './token.ts'

export type CompanyName = {
  /**
   * The distinguishing words, then generic words (bank, international). At most 12, without stop words and legal
   * form.
   */
  readonly tokens: readonly NameToken[]
  /** The index of the first generic word in `tokens`. */
  readonly genericFrom: number
  /** Additions such as group and holding, sorted, separated by spaces. */
  readonly additions: string
  readonly form: LegalForm | undefined
  /**
   * The words in order. Names have the same text if they differ only in case, accents, punctuation, stop words and
   * form.
   */
  readonly text: string
  /** The sorted words: the order of words in the name does not matter. */
  readonly key: string
  readonly glued: string
  /** The initials of the words and additions; empty for fewer than three words. */
  readonly acronym: string
}

const lengthReadMax = 300
const wordsMax = 12
const formWordsMax = 8
const nonAscii = /[^\0-\x7f]/
const spacedLetters = /(?<![A-Za-z0-9])(?:[A-Za-z]\.)+[A-Za-z]?(?![A-Za-z0-9])\.?/g
const apostrophes = /['’ʼ`´]/g
const gluedForm = /^(\w{2,}[a-z])(AG|SE|SA|AB|NV|BV|KG|OY|Oy|SRL|Srl|SpA|GmbH|Inc|LLC|Ltd|PLC|LTD|GMBH)$/
// Forms that are also removed from the middle of a name: Siemens AG Österreich.
const formsAnywhere = new Set(
  'gmbh inc llc ltd limited plc ag bv srl sarl incorporated aktiengesellschaft'.split(' '),
)

type Forms = { byWords: Map<string, LegalForm>; ends: Set<string>; starts: Set<string> }
let cachedForms: Forms | undefined

/**
 * Parses "The Goldman Sachs Group, Inc.", "ООО «Ромашка»", "SiemensAG" or "株式会社日立". Separates the legal form. Removes
 * stop words, accents, punctuation and case, and transliterates other scripts. Numbers in words and Roman numbers
 * from II on become digits. A name that consists of a form or stop words keeps them. A name without letters and
 * digits has no tokens. Only the first 300 characters are read. Never throws.
 */
export function readCompanyName(name: string): CompanyName {
  cachedForms ??= knownForms()
  const words = wordsOf(name.slice(0, lengthReadMax))
  const form = takeForms(words, cachedForms)
  const spoken = words.filter((word) => !stopWords.has(word))
  const core = withNumbers(spoken.length > 0 ? spoken : words).map((word) => abbreviations.get(word) ?? word)
  const spelledOut = umlautsOf(name)
  const isAddition = (word: string) => additions.has(word)
  const rest = core.filter((word) => !isAddition(word))
  const own = (rest.length > 0 ? rest : core).slice(0, wordsMax)
  const distinctive = own.filter((word) => !genericWords.has(word))
  const tokens = [...distinctive, ...own.filter((word) => genericWords.has(word))].map((word) =>
    tokenOf(word, spelledOut?.get(word)),
  )
  return {
    tokens,
    genericFrom: distinctive.length,
    additions: rest.length > 0 ? core.filter(isAddition).sort().join(' ') : '',
    form,
    text: own.join(' '),
    key: [...own].sort().join(' '),
    glued: own.join(''),
    acronym: core.length > 2 ? core.map((word) => word[0]).join('') : '',
  }
}

/** Words with an umlaut, each with its long spelling (Müller: muller, mueller). */
function umlautsOf(name: string): Map<string, string> | undefined {
  const spelled = toLatinSpelledOut(name.slice(0, lengthReadMax))
  if (spelled === undefined) return undefined
  const [words, others] = [wordsOf(name.slice(0, lengthReadMax)), wordsOf(spelled)]
  if (words.length !== others.length) return undefined
  return new Map(words.flatMap((word, i) => (word === others[i] ? [] : [[word, itemAt(others, i)]])))
}

function knownForms(): Forms {
  const byWords = spellings((words) => wordsOf(words).join(' '))
  const written = [...byWords.keys()].map((words) => words.split(' '))
  const ends = new Set(written.flatMap((words) => words.slice(-1)))
  return { byWords, ends, starts: new Set(written.flatMap((words) => words.slice(0, 1))) }
}

/** Divides a text into lower-case ASCII words. Single letters in a row become one word (S. p. A.). */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let plain = text
  if (nonAscii.test(plain)) {
    for (const [sign, form] of unspacedForms) plain = plain.replace(sign, form)
    plain = toLatin(plain)
  }
  if (plain.includes('.'))
    plain = plain.replace(spacedLetters, (letters) => `${letters.replaceAll('.', '')} `)
  plain = plain.replace(apostrophes, '').replace(/[&+]/g, ' and ')
  let letters = 0
  for (const piece of plain.split(/[\s\-‐-―_./,;:|()[\]{}"«»“”„·・!?*#@]+/)) {
    const [, name = '', form = ''] = gluedForm.exec(piece) ?? ['', piece]
    for (const part of [name, form]) {
      const word = part.toLowerCase().replace(/[^a-z0-9]+/g, '')
      if (word === '') continue
      const isLetter = word.length === 1 && word >= 'a'
      if (isLetter && letters > 0) words[words.length - 1] += word
      else words.push(word)
      letters = isLetter ? letters + 1 : 0
    }
  }
  return words
}

/** Removes the legal forms. @returns the first form that is not vague, otherwise the first one */
function takeForms(words: string[], forms: Forms): LegalForm | undefined {
  let found: LegalForm | undefined
  const keep = (form: LegalForm) => {
    if (found === undefined || found.kind === 'vague') found = form
  }
  for (;;) {
    const length = formAtEnd(words, forms, keep)
    if (length === 0) break
    words.length -= length
  }
  for (;;) {
    const length = formAtStart(words, forms, keep)
    if (length === 0) break
    words.splice(0, length)
  }
  for (let i = 1; i < words.length - 1; i++) {
    const form = formsAnywhere.has(itemAt(words, i)) ? forms.byWords.get(itemAt(words, i)) : undefined
    if (form === undefined) continue
    keep(form)
    words.splice(i, 1)
  }
  return found
}

type Keep = (form: LegalForm) => void

function formAtEnd(words: string[], forms: Forms, keep: Keep): number {
  const last = words.at(-1) ?? ''
  const longest = forms.ends.has(last) ? Math.min(formWordsMax, words.length - 1) : 0
  for (let length = longest; length > 0; length--) {
    const form = forms.byWords.get(words.slice(-length).join(' '))
    if (form === undefined || !hasDistinctiveWord(words.slice(0, -length))) continue
    keep(form)
    return length
  }
  const meant = words.length > 1 ? longFormWords.find((word) => isMisspelled(last, word)) : undefined
  const form = meant === undefined ? undefined : forms.byWords.get(meant)
  if (form === undefined) return 0
  keep(form)
  return 1
}

function formAtStart(words: string[], forms: Forms, keep: Keep): number {
  const longest = forms.starts.has(words[0] ?? '') ? Math.min(formWordsMax, words.length - 1) : 0
  for (let length = longest; length > 0; length--) {
    const written = words.slice(0, length).join(' ')
    const form = forms.byWords.get(written)
    if (form === undefined || !canLeadName(written) || !hasDistinctiveWord(words.slice(length))) continue
    keep(form)
    return length
  }
  return 0
}

function hasDistinctiveWord(words: string[]): boolean {
  return words.some((word) => !stopWords.has(word))
}

function isMisspelled(word: string, meant: string): boolean {
  if (word.length < 6 || word[0] !== meant[0] || Math.abs(word.length - meant.length) > 2) return false
  return osaDistance(word, meant) <= (meant.length < 9 ? 1 : 2)
}

/** Writes numbers as digits: forty four becomes 44, and II becomes 2. */
function withNumbers(words: string[]): string[] {
  const figures: string[] = []
  let tens = 0
  for (const [index, word] of words.entries()) {
    const inWords = numberWords.get(word)
    const value = inWords ?? (index > 0 ? romanNumerals.get(word) : undefined)
    // `one` is a number only after another number: in One Bank it is not.
    const unit = word === 'one' ? 1 : (inWords ?? (/^[1-9]$/.test(word) ? Number(word) : undefined))
    if (tens > 0 && unit !== undefined && unit < 10) figures[figures.length - 1] = String(tens + unit)
    else figures.push(value === undefined ? word : String(value))
    tens = inWords !== undefined && inWords >= 20 ? inWords : 0
  }
  return figures
}
