import { notOneOf } from '../../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { unitsOf } from '../../records/clusters/facts.ts'
import { fieldOf } from '../../records/field-names.ts'
import type { RecordType } from '../../records/record-type.ts'

/** The id of the record whose value wins, by field. */
export type FieldChoices = Readonly<Record<string, string>>

type Chosen = {
  survivorId: string
  loserIds: readonly string[]
  choices?: FieldChoices | undefined
}

const isFixed = ({ merging }: RecordType, unit: string) =>
  ['most_restrictive', 'if_both'].includes(merging.policies[unit] ?? '')

/**
 * The fields that a person may choose, with their units. The policies of consent and of claimed contacts are
 * fixed: the more restrictive consent always wins, for example.
 */
export function choosable(type: RecordType): Map<string, string> {
  const units = unitsOf(type).map(([unit]) => [fieldOf(type, unit), unit] as const)
  return new Map(units.filter(([, unit]) => !isFixed(type, unit)))
}

/**
 * For each loser, the policies by unit. A choice for this merge overrides the organization's settings, which override
 * the policies of the type. null: only the policies of the type apply.
 * @throws ValidationError if a field cannot be chosen, or if a chosen record is not part of the merge
 */
export function policiesOf(
  type: RecordType,
  survivorship: Readonly<Record<string, string>>,
  { survivorId, loserIds, choices = {} }: Chosen,
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
  const unitOf = (field: string) => units.get(field) ?? field
  const configured = Object.entries(survivorship).map(([field, policy]) => [unitOf(field), policy])
  return loserIds.map((loserId, index) => {
    const chosen = Object.entries(choices).flatMap(([field, recordId]) => {
      const turn = recordIds.indexOf(recordId) - 1
      // The merge of the chosen record sets the field. Earlier merges use the usual policies; later merges keep the
      // survivor's value.
      if (index < turn) return []
      return [[unitOf(field), loserId === recordId ? 'loser' : 'survivor']]
    })
    const policies = Object.fromEntries([...configured, ...chosen])
    return Object.keys(policies).length > 0 ? policies : null
  })
}
