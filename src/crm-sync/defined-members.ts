import type { OrgTx } from '../platform/db/org-tx.ts'
import { refuse } from '../platform/http/fields.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { nearestSpelling } from '../platform/nearest-name.ts'
import { mapInSlices } from '../platform/slices.ts'
import {
  type DefinedFieldType,
  type FieldOverview,
  readFieldOverviews,
} from '../records/defined-fields/definition.ts'

const prefix = 'custom.'

/** The types of the defined fields of contacts, by their names in a field map. */
export type MemberTypes = ReadonlyMap<string, DefinedFieldType>

/** The types of the defined fields of contacts, by `custom.<key>` as a field map names them. */
export async function readMemberTypes(tx: OrgTx): Promise<MemberTypes> {
  const defined = await readFieldOverviews(tx, 'contact')
  return new Map(defined.map(({ key, type }) => [`${prefix}${key}`, type]))
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Refuses members of `custom` in a field map that probably misspell a defined field of contacts: the CRM would get
 * nothing. Members that resemble no defined field are accepted, because `custom` may have any.
 * @throws ValidationError at ["body", "field_map", name]
 */
export async function checkDefinedMembers(
  tx: OrgTx,
  own: Readonly<Record<string, string | null>>,
): Promise<void> {
  const keys = Object.keys(own).flatMap((name) =>
    name.startsWith(prefix) && own[name] !== null ? [name.slice(prefix.length)] : [],
  )
  if (keys.length === 0) return
  const defined = await readFieldOverviews(tx, 'contact')
  const known = defined.map(({ key }) => key)
  const byLetters = keysByLetters(defined)
  // Comparing one key with the spelling of 200 fields takes up to 2 ms.
  const problems = await mapInSlices(tx.payerId, keys, (key): Detail[] => {
    if (known.includes(key)) return []
    const meant = byLetters.get(lettersOf(key)) ?? nearestSpelling(key, known)
    if (meant === undefined) return []
    const why = refuse(`contacts have no defined field "${key}": did you mean "${prefix}${meant}"?`)
    return [detailAt(['body', 'field_map', `${prefix}${key}`], why)]
  })
  if (problems.some((each) => each.length > 0)) throw new ValidationError(problems.flat())
}

/**
 * Maps the letters of each key and label to the key of its field. If two fields have the same letters, the first field
 * counts.
 */
function keysByLetters(fields: readonly FieldOverview[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const { key, label } of fields)
    for (const letters of [lettersOf(key), lettersOf(label)]) if (!keys.has(letters)) keys.set(letters, key)
  return keys
}
