import { notOneOf } from '../../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { unitsOf } from '../../records/clusters/facts.ts'
import { fieldOf } from '../../records/field-names.ts'
import type { RecordType } from '../../records/record-type.ts'

/** The choices of a person for one merge: by field, the id of the record whose value wins. */
export type FieldChoices = Readonly<Record<string, string>>

type Chosen = {
  survivorId: string
  loserIds: readonly string[]
  choices?: FieldChoices | undefined
}

/**
 * The fields that a person may choose, each with its unit. Consent cannot be chosen, because the more restrictive
 * consent always wins.
 */
export function choosable(type: RecordType): Map<string, string> {
  const units = unitsOf(type).map(([unit]) => [fieldOf(type, unit), unit] as const)
  return new Map(units.filter(([, unit]) => type.merging.policies[unit] !== 'most_restrictive'))
}

/**
 * For each loser, by unit: the policy that chooses between the value of the loser and the value of the survivor. A
 * choice for this merge overrides the organization's settings. The settings override the policy of the record type.
 * null: only the policies of the type apply.
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
      // The chosen record's merge sets the field. Before this merge, the usual policies apply; after it, the survivor's
      // value wins.
      if (index < turn) return []
      return [[unitOf(field), loserId === recordId ? 'loser' : 'survivor']]
    })
    const policies = Object.fromEntries([...configured, ...chosen])
    return Object.keys(policies).length > 0 ? policies : null
  })
}
