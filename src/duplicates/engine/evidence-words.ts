import type { Evidence } from '../../matching/schema.ts'
import type { Merge } from '../merge/schema.ts'

const words: Readonly<Record<string, string>> = {
  exact: 'the same',
  equivalent: 'the same, spelled differently',
  close: 'nearly the same',
  near: 'nearly the same',
  nickname: 'one is short for the other',
  initial: 'one is the initial of the other',
  compatible: 'one may be part of the other',
  similar: 'similar',
  related: 'slightly similar',
  partial: 'partly the same',
  swapped: 'first and last name swapped',
  'same local part': 'the same before the @',
  'same domain': 'another address at the same domain',
  'same end': 'the same last digits',
  conflict: 'another id in the same system',
  'another source': 'ids in different systems',
  distinct: 'different',
  different: 'different',
}

const bits = (weight: number) => Math.round(weight * 100) / 100

/** Describes the evidence in words, the strongest first. */
export function describeEvidence(evidence: readonly Evidence[]): Merge['evidence'] {
  return evidence
    .map(({ field, level, weight }) => ({ field, level: words[level] ?? level, weight: bits(weight) }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}
