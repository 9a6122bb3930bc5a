import { blank } from './compare.ts'
import type { Group } from './fields/field-type.ts'
import type { Field } from './fields/plan.ts'
import type { Decision, Evidence, Limits, Outcome } from './schema.ts'
import { probabilityOf } from './weigh.ts'

const usualLimits: Limits = { auto: 0.999, review: 0.9 }

// Bits: what a group of fields must say to be strong, a hundred to one.
const strongBits = 6.6
const strongGroups = 2
const vetoBits = -2

/**
 * What to do with a pair: `auto` from a probability of .999, if at least two independent groups of fields (names,
 * date of birth, e-mail, phone, address, company, …) speak strongly for it and none is vetoed; `review` from .9; or
 * `none`. `bits` is the pair's posterior log2 odds, `weights` what each field adds to it.
 */
export function decide(
  fields: readonly Field[],
  levels: Uint8Array,
  weights: readonly number[],
  bits: number,
  limits: Limits = usualLimits,
): Decision {
  const probability = probabilityOf(bits)
  const veto = vetoOf(fields, levels, weights)
  return {
    weight: bits,
    probability,
    outcome: outcomeOf(probability, veto !== null || !isStrong(fields, levels, weights), limits),
    evidence: evidenceOf(fields, levels, weights),
    veto,
  }
}

function outcomeOf(probability: number, mayNotMerge: boolean, limits: Limits): Outcome {
  if (probability < limits.review) return 'none'
  return probability < limits.auto || mayNotMerge ? 'review' : 'auto'
}

/** How each field compares and what that says, in bits; fields that are blank in either record are left out. */
function evidenceOf(fields: readonly Field[], levels: Uint8Array, weights: readonly number[]): Evidence[] {
  return fields.flatMap(({ name, type }, field) => {
    const level = levels[field]!
    return level === blank ? [] : [{ field: name, level: type.levels[level]!, weight: weights[field]! }]
  })
}

/**
 * Why a pair must not be merged without asking, in words, or null. Where a field is so unreliable that its worst level
 * hardly speaks against a match, it forbids nothing.
 */
function vetoOf(fields: readonly Field[], levels: Uint8Array, weights: readonly number[]): string | null {
  const field = fields.findIndex(
    ({ type }, index) =>
      type.vetoes.includes(levels[index]!) && (type.sharedAt.length > 0 || weights[index]! <= vetoBits),
  )
  return field < 0 ? null : `${fields[field]!.name}: ${fields[field]!.type.levels[levels[field]!]}`
}

function isStrong(fields: readonly Field[], levels: Uint8Array, weights: readonly number[]): boolean {
  const bits = new Map<Group, number>()
  for (const [field, { type }] of fields.entries()) {
    if (type.group === null || levels[field] === blank) continue
    const isClose = levels[field]! <= type.strongTo
    if (isClose || weights[field]! < 0) bits.set(type.group, (bits.get(type.group) ?? 0) + weights[field]!)
  }
  return [...bits.values()].filter((sum) => sum >= strongBits).length >= strongGroups
}
