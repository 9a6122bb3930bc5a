import { blankLevel } from './compare.ts'
import { itemAt, numberAt, uint8At } from './element-at.ts'
import type { Group } from './fields/field-type.ts'
import type { ComparedField } from './fields/plan.ts'
import type { Decision, Evidence, Limits, Outcome } from './schema.ts'
import { probabilityOf } from './weigh.ts'

const defaultLimits: Limits = { auto: 0.999, review: 0.9 }

// In bits. A group of fields with at least this weight is strong: its odds are 100 to 1.
const strongBits = 6.6
const strongGroups = 2
const vetoBits = -2

/**
 * `auto` needs a probability of .999, no veto, and two strong and independent groups of fields. `review` needs a
 * probability of .9. Groups are names, date of birth, e-mail, phone, address, company and others.
 * @param bits the log2 odds of the pair
 * @param weights the weight of each field
 */
export function decidePair(
  fields: readonly ComparedField[],
  levels: Uint8Array,
  weights: readonly number[],
  bits: number,
  limits: Limits = defaultLimits,
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

function evidenceOf(
  fields: readonly ComparedField[],
  levels: Uint8Array,
  weights: readonly number[],
): Evidence[] {
  return fields.flatMap(({ name, type }, field) => {
    const level = uint8At(levels, field)
    return level === blankLevel
      ? []
      : [{ field: name, level: itemAt(type.levels, level), weight: numberAt(weights, field) }]
  })
}

/**
 * Why a pair must not be merged automatically; null without a veto. Only a field that is reliable evidence against a
 * match can veto.
 */
function vetoOf(
  fields: readonly ComparedField[],
  levels: Uint8Array,
  weights: readonly number[],
): string | null {
  const field = fields.findIndex(
    ({ type }, index) =>
      type.vetoes.includes(uint8At(levels, index)) &&
      (type.sharedAt.length > 0 || numberAt(weights, index) <= vetoBits),
  )
  return field < 0
    ? null
    : `${itemAt(fields, field).name}: ${itemAt(fields, field).type.levels[uint8At(levels, field)]}`
}

function isStrong(fields: readonly ComparedField[], levels: Uint8Array, weights: readonly number[]): boolean {
  const bits = new Map<Group, number>()
  for (const [field, { type }] of fields.entries()) {
    if (type.group === null || levels[field] === blankLevel) continue
    const isClose = uint8At(levels, field) <= type.strongTo
    if (isClose || numberAt(weights, field) < 0)
      bits.set(type.group, (bits.get(type.group) ?? 0) + numberAt(weights, field))
  }
  return [...bits.values()].filter((sum) => sum >= strongBits).length >= strongGroups
}
