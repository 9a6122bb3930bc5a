import type { OrgTx } from '../../platform/db/org-tx.ts'
import { tooManyBytes } from '../../platform/http/collections.ts'
import { refuse } from '../../platform/http/fields.ts'
import type { Refusal } from '../../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { lockDefinitionsShared, type StoredDefinition } from '../../records/defined-fields/definition.ts'
import { problemsOfCallBack } from './call-back/check.ts'
import {
  asksForSecret,
  contactFields,
  fitsContactField,
  fitsDefinedField,
  hasOptions,
} from './fitting-fields.ts'
import type { FormDefinition, FormField } from './schema.ts'

/** A form is part of pages, so its size is limited. */
const definitionBytesMax = 32 * 1024

/** Names of inputs that the pages of forms add themselves. */
const reservedKeys: readonly string[] = ['challenge', 'proof', 'consent', 'company_website_confirm']

/** Requires that each field can be shown, and that its answers fit the fields of contacts. @throws ValidationError */
export async function requireValidDefinition(tx: OrgTx, definition: FormDefinition): Promise<void> {
  const { fields } = definition
  const defined = fields.some(({ maps_to }) => maps_to?.startsWith('custom.'))
    ? await lockDefinitionsShared(tx, 'contact')
    : []
  const problems = fields.flatMap((field, index) =>
    problemsOf(field, fields.slice(0, index), defined).map(([member, why]) =>
      detailAt(['body', 'fields', index, member], why),
    ),
  )
  problems.push(...(await problemsOfCallBack(tx, definition)))
  if (problems.length > 0) throw new ValidationError(problems)
  if (Buffer.byteLength(JSON.stringify(definition)) > definitionBytesMax)
    throw new ValidationError([detailAt(['body'], tooManyBytes(definitionBytesMax))])
}

function problemsOf(
  field: FormField,
  earlier: readonly FormField[],
  defined: readonly StoredDefinition[],
): [keyof FormField, Refusal][] {
  const { key, label, type, options, maps_to: mapsTo } = field
  const problems: [keyof FormField, Refusal][] = []
  if (earlier.some((other) => other.key === key))
    problems.push(['key', refuse('another field of the form has this key')])
  if (reservedKeys.includes(key)) problems.push(['key', refuse('the page of the form uses this key itself')])
  for (const [member, name] of [
    ['key', key],
    ['label', label],
  ] as const)
    if (asksForSecret(name))
      problems.push([member, refuse('a form must not ask for passwords, card numbers or other secrets')])
  if (hasOptions(type) && options.length === 0)
    problems.push(['options', refuse('a select needs at least one option')])
  if (!hasOptions(type) && options.length > 0)
    problems.push(['options', refuse('only select and multi_select have options')])
  if (new Set(options).size < options.length)
    problems.push(['options', refuse('each option must be different')])
  if (mapsTo !== null) {
    if (earlier.some((other) => other.maps_to === mapsTo))
      problems.push(['maps_to', refuse('another field of the form fills this field')])
    const why = unfit(field, mapsTo, defined)
    if (why) problems.push(['maps_to', refuse(`“${label}” cannot fill ${mapsTo}: ${why}`)])
  }
  return problems
}

/**
 * Why answers to this field cannot fill the field `mapsTo` of contacts; null: they can.
 * @param defined the defined fields of contacts
 */
export function unfit(
  { type, options }: FormField,
  mapsTo: string,
  defined: readonly StoredDefinition[],
): string | null {
  if (contactFields.includes(mapsTo))
    return fitsContactField(mapsTo, type) ? null : `answers of type ${type} do not fit ${mapsTo}`
  const definition = defined.find(({ key }) => `custom.${key}` === mapsTo)
  if (!definition) return 'contacts have no defined field with this key; define it first'
  // A refused value would tell everybody that a contact with it exists.
  if (definition.unique_index !== null) return 'a form never fills a unique field'
  if (!fitsDefinedField(definition.type, type))
    return `answers of type ${type} do not fit this field, whose type is ${definition.type}`
  const extra = options.filter(
    (option) => definition.options.length > 0 && !definition.options.includes(option),
  )
  return extra.length > 0 ? `the defined field has no option ${JSON.stringify(extra[0])}` : null
}
