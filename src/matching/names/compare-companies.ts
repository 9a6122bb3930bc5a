import { type Alignment, align, type ComparedTokens } from './alignment.ts'
import type { CompanyName } from './company.ts'
import type { NameComparison } from './comparison.ts'
import { osaDistance } from './similarity.ts'

const a: ComparedTokens = { tokens: [], count: 0, family: 0 }
const b: ComparedTokens = { tokens: [], count: 0, family: 0 }
// Below this length, names that differ by one letter are usually two names.
const typoLengthMin = 7
const exact: NameComparison = { level: 'exact', similarity: 1 }

/** How two legal forms compare: equal, one missing or vague, of one kind, or of two kinds. */
type Forms = 'same' | 'missing' | 'likened' | 'conflicting'

/**
 * Compares two company names, in either order. Undefined if one has no words. `exact` with 1: the same words in the
 * same order, and the same legal form in any spelling. Below 0.8: contradicting numbers, words or kinds of legal
 * form, or Group and Holding (`compatible`, 0.78). An additional word gives `partial` if it distinguishes companies
 * (Banco Santander Chile), and `compatible` with 0.76 if it is generic (Deutsche Bank Trust).
 */
export function compareCompanyNames(first: CompanyName, second: CompanyName): NameComparison | undefined {
  if (first.tokens.length === 0 || second.tokens.length === 0) return undefined
  const forms = formsOf(first, second)
  const minor =
    (forms === 'likened' ? 0.02 : forms === 'missing' ? 0.01 : 0) +
    (first.additions === second.additions ? 0 : 0.03) +
    (first.text === second.text ? 0 : 0.005)
  const addDifferently =
    first.additions !== second.additions && first.additions !== '' && second.additions !== ''
  const isWeak = forms === 'conflicting' || addDifferently
  if (first.key === second.key || first.glued === second.glued) {
    if (isWeak) return { level: 'compatible', similarity: 0.78 }
    return minor === 0 ? exact : { level: 'equivalent', similarity: 0.995 - minor }
  }
  const [one, other] = shorterFirst(first, second)
  spanOf(a, one)
  spanOf(b, other)
  const compared = compareAligned(align(a, b, false), one, other, minor)
  if (!isWeak || compared.similarity < 0.78) return compared
  if (compared.level === 'equivalent') return { level: 'compatible', similarity: 0.77 }
  return { level: 'partial', similarity: 0.7 }
}

function formsOf(first: CompanyName, second: CompanyName): Forms {
  const [one, other] = [first.form, second.form]
  if (one?.name === other?.name) return 'same'
  if (one === undefined || other === undefined || one.kind === 'vague' || other.kind === 'vague')
    return 'missing'
  return one.kind === other.kind ? 'likened' : 'conflicting'
}

function compareAligned(
  found: Alignment,
  one: CompanyName,
  other: CompanyName,
  minor: number,
): NameComparison {
  const own = found.matched - found.families - found.crossed
  const spares = found.spareGiven + found.spareFamily
  if (isAcronym(one, other) || isAcronym(other, one)) return { level: 'compatible', similarity: 0.82 - minor }
  const covered = found.matched / Math.max(1, found.matched + found.conflicts + spares)
  if (found.conflicts > 0 || found.spareGiven > 0 || found.matched === 0) {
    if (isTypoOfWholeName(one, other)) return { level: 'close', similarity: 0.86 - minor }
    if (own <= 0) return { level: 'distinct', similarity: Math.min(0.39, 0.39 * found.mean) }
    return { level: 'partial', similarity: Math.min(0.75, 0.4 + 0.35 * found.mean * covered) }
  }
  if (found.spareFamily > 0)
    return { level: 'compatible', similarity: 0.78 - 0.02 * Math.min(5, found.spareFamily) }
  if (found.slips === 0) return { level: 'equivalent', similarity: 0.97 - minor }
  // Short names that differ by one letter are different companies: Visa and Vista, Shell and Snell.
  if (Math.max(one.glued.length, other.glued.length) < typoLengthMin)
    return { level: 'partial', similarity: 0.75 }
  const similarity = 0.8 + 0.13 * Math.min(1, Math.max(0, (found.mean - 0.8) / 0.2)) - minor / 10
  return { level: 'close', similarity: Math.max(0.8, similarity) }
}

/** Returns whether one name is a word of three or more letters that consists of the other's initials. */
function isAcronym(short: CompanyName, long: CompanyName): boolean {
  return short.tokens.length === 1 && short.text.length > 2 && short.text === long.acronym
}

/**
 * Whether the names differ by few letters without their spaces: one in eight if the words are split differently,
 * otherwise one in twelve. Digits must be equal.
 */
function isTypoOfWholeName(one: CompanyName, other: CompanyName): boolean {
  const longer = Math.max(one.glued.length, other.glued.length)
  const isSplitOtherwise = one.tokens.length !== other.tokens.length
  const allowed = isSplitOtherwise ? Math.min(2, Math.floor(longer / 8)) : longer < 12 ? 0 : 1
  if (Math.abs(one.glued.length - other.glued.length) > allowed || digitsOf(one) !== digitsOf(other))
    return false
  return osaDistance(one.glued, other.glued) <= allowed
}

function digitsOf({ glued }: CompanyName): string {
  return glued.replace(/\D+/g, '')
}

function shorterFirst(first: CompanyName, second: CompanyName): [CompanyName, CompanyName] {
  const difference = first.tokens.length - second.tokens.length
  if (difference !== 0) return difference < 0 ? [first, second] : [second, first]
  return first.text <= second.text ? [first, second] : [second, first]
}

function spanOf(span: ComparedTokens, name: CompanyName): void {
  span.tokens = name.tokens
  span.count = name.tokens.length
  span.family = name.genericFrom
}
