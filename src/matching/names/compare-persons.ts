import { type Alignment, align, type ComparedTokens } from './alignment.ts'
import type { NameComparison, NameLevel } from './comparison.ts'
import type { PersonName } from './person.ts'

const a: ComparedTokens = { tokens: [], count: 0, family: 0 }
const b: ComparedTokens = { tokens: [], count: 0, family: 0 }
const exact: NameComparison = { level: 'exact', similarity: 1 }

/**
 * Compares two names of people, in either order. Undefined if one has no words. `exact` with 1: the same words in the
 * same order. Below 0.8: contradicting words, such as siblings (Angelo and Angela), other family names, other middle
 * names or initials, or Jr and Sr.
 */
export function comparePersonNames(first: PersonName, second: PersonName): NameComparison | undefined {
  if (first.tokens.length === 0 || second.tokens.length === 0) return undefined
  const generations = first.generation !== second.generation
  if (first.text === second.text && first.particles === second.particles && !generations) return exact
  const [one, other] = shorterFirst(first, second)
  spanOf(a, one, one.tokens.length)
  spanOf(b, other, other.tokens.length)
  const found = align(a, b, true)
  const areCertain = first.isCertain && second.isCertain
  const minor =
    (first.particles === second.particles ? 0 : 0.005) +
    (generations ? 0.02 : 0) +
    (found.inOrder ? 0 : 0.005) +
    0.01 * Math.min(3, found.spareGiven) +
    0.02 * Math.min(2, found.spareFamily) +
    0.003 * found.spareInitials
  const contradicts =
    found.conflicts > 0 ||
    (generations && first.generation > 0 && second.generation > 0) ||
    isShuffled(found, areCertain, one, other)
  if (contradicts) return contradictingNames(found)
  return agreeingNames(found, minor, Math.max(a.count, b.count))
}

/**
 * Compares given names, with the levels of `comparePersonNames`. Undefined if one name has no given name. Use it for
 * names in two fields, because the result depends on which names are given names.
 */
export function compareGivenNames(first: PersonName, second: PersonName): NameComparison | undefined {
  const [one, other] = shorterFirst(first, second)
  spanOf(a, one, one.familyFrom)
  spanOf(b, other, other.familyFrom)
  if (a.count === 0 || b.count === 0) return undefined
  const found = align(a, b, true)
  const spares = found.spareGiven + found.spareFamily + found.spareInitials
  const minor = 0.01 * Math.min(4, spares) + (found.inOrder ? 0 : 0.005)
  if (found.conflicts > 0) return contradictingNames(found)
  // If one of two words matches, that is a large part of the name: Anna and Anna Maria.
  if (found.matched > 0 && spares === 0 && found.worst === 1 && found.inOrder && found.initials === 0)
    return exact
  if (found.matched > 0)
    return found.slips > 0 ? closeNames(found, minor) : { level: 'equivalent', similarity: 0.985 - minor }
  return { level: 'compatible', similarity: 0.82 - minor }
}

/** Sorts names of equal length, so that the order of arguments does not matter. */
function shorterFirst(first: PersonName, second: PersonName): [PersonName, PersonName] {
  const difference = first.tokens.length - second.tokens.length
  if (difference !== 0) return difference < 0 ? [first, second] : [second, first]
  if (first.text !== second.text) return first.text < second.text ? [first, second] : [second, first]
  return first.familyFrom <= second.familyFrom ? [first, second] : [second, first]
}

function spanOf(span: ComparedTokens, name: PersonName, count: number): void {
  span.tokens = name.tokens
  span.count = count
  span.family = name.familyFrom
}

/** Returns whether the common words are in different parts: James Martin, Martin James Cooper. */
function isShuffled(found: Alignment, areCertain: boolean, one: PersonName, other: PersonName): boolean {
  const spares = found.spareGiven + found.spareFamily
  // A particle can be a name if another word is in its place: Nguyen Van An, Nguyen Thi An.
  if (spares > 0 && one.particles !== '' && other.particles === '') return true
  if (spares > 0 && !found.inOrder && found.matched < 3) return true
  if (!areCertain || found.families > 0 || found.crossed === 0) return false
  const haveFamilies = one.familyFrom < one.tokens.length && other.familyFrom < other.tokens.length
  return haveFamilies && spares > 0
}

function contradictingNames(found: Alignment): NameComparison {
  if (found.matched === 0) return { level: 'distinct', similarity: Math.min(0.39, found.mean * 0.55) }
  return { level: 'partial', similarity: Math.min(0.78, 0.4 + 0.38 * found.mean) }
}

function agreeingNames(found: Alignment, minor: number, longest: number): NameComparison {
  const spares = found.spareGiven + found.spareFamily
  if (found.matched === 0) {
    return found.initials > 0
      ? { level: 'compatible', similarity: 0.6 - minor }
      : { level: 'distinct', similarity: 0 }
  }
  // One common name alone is weak evidence: Smith, Anna.
  if (found.matched === 1 && longest > 1 && found.initials === 0) {
    return { level: 'compatible', similarity: 0.7 - minor }
  }
  const saysLess = found.shortened > 0 || (found.initials > 0 && (found.slips > 0 || found.spareInitials > 0))
  if (saysLess && found.matched === 1) {
    return { level: 'compatible', similarity: (found.slips > 0 ? 0.8 : 0.85) - minor / 10 }
  }
  if (found.slips > 0) return closeNames(found, minor)
  const level: NameLevel = found.spareFamily > 0 || (found.sparesFirst && spares > 0) ? 'close' : 'equivalent'
  const best = level === 'close' ? 0.925 : 0.995
  const least = level === 'close' ? 0.81 : 0.935
  return { level, similarity: Math.max(least, best - minor - (1 - found.mean) / 2) }
}

function closeNames(found: Alignment, minor: number): NameComparison {
  const similarity = 0.8 + 0.13 * Math.min(1, Math.max(0, (found.mean - 0.8) / 0.2)) - minor / 10
  return { level: 'close', similarity: Math.max(0.8, similarity) }
}
