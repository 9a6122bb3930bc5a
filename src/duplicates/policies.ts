import { notOneOf } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { unitsOf } from '../records/clusters/facts.ts'
import { fieldOf } from '../records/field-names.ts'
import type { RecordType } from '../records/record-type.ts'
import type { MergeOrder } from './merge.ts'

/** The fields that a person may choose by record, each with its unit. Consent is never chosen: the stricter one holds. */
export function choosable(type: RecordType): Map<string, string> {
  const units = unitsOf(type).map(([unit]) => [fieldOf(type, unit), unit] as const)
  return new Map(units.filter(([, unit]) => type.merging.policies[unit] !== 'most_restrictive'))
}

/**
 * For each loser in turn, what decides between it and the survivor by unit, where that is not the type's own: the org's
 * settings, and above them what was chosen for this merge. null: nothing but the type's own.
 * @throws ValidationError for a field that cannot be chosen, or a record that is not among them
 */
export function policiesOf(
  type: RecordType,
  survivorship: Readonly<Record<string, string>>,
  { survivorId, loserIds, choices = {} }: Pick<MergeOrder, 'survivorId' | 'loserIds' | 'choices'>,
): (Record<string, string> | null)[] {
  const units = choosable(type)
  const recordIds = [survivorId, ...loserIds]
  const problems = Object.entries(choices).flatMap(([field, recordId]) => {
    if (!units.has(field)) return [detailAt(['body', 'field_choices', field], notOneOf([...units.keys()]))]
    if (!recordIds.includes(recordId))
      return [detailAt(['body', 'field_choices', field], notOneOf(recordIds))]
    return []
  })
  if (problems.length > 0) throw new ValidationError(problems)
  const settled = Object.entries(survivorship).map(([field, policy]) => [units.get(field)!, policy])
  return loserIds.map((loserId, index) => {
    const chosen = Object.entries(choices).flatMap(([field, recordId]) => {
      const turn = recordIds.indexOf(recordId) - 1
      // Until the chosen one comes, the rules hold; it takes the field, and keeps it against those after it.
      if (index < turn) return []
      return [[units.get(field)!, loserId === recordId ? 'loser' : 'survivor']]
    })
    const policies = Object.fromEntries([...settled, ...chosen])
    return Object.keys(policies).length > 0 ? policies : null
  })
}
