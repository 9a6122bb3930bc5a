import { Refusal } from '../../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { Fields, OrgDefaults } from '../record-type.ts'
import { readValue } from './read-value.ts'

/**
 * The fields of a request with the defined members of `custom` in the types of their definitions. Members without a
 * definition stay as they are.
 * @throws ValidationError at ["body", "custom", key] for each value that does not fit
 */
export function typedFields(
  fields: Fields,
  { definitions = [], defaultCountry }: Pick<OrgDefaults, 'definitions' | 'defaultCountry'>,
): Fields {
  const sent = fields.custom as Record<string, unknown> | null | undefined
  if (!sent || definitions.length === 0) return fields
  const custom = { ...sent }
  const problems: Detail[] = []
  for (const definition of definitions) {
    const { key } = definition
    if (!Object.hasOwn(sent, key)) continue
    const value = readValue(definition, sent[key], defaultCountry)
    if (value instanceof Refusal) problems.push(detailAt(['body', 'custom', key], value))
    else custom[key] = value
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return { ...fields, custom }
}
