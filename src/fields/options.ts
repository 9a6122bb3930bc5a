import { refuse } from '../platform/http/fields.ts'
import { missing } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { DefinedFieldType } from '../records/defined-fields/definition.ts'
import { type Renames, renamed as renamedIn } from './converted-value.ts'
import type { Field, UpdateField } from './schema.ts'

/** Returns whether fields of this type have options. */
export const hasOptions = (type: DefinedFieldType) => type === 'select' || type === 'multi_select'

/** @throws ValidationError if a type with options has none, if another type has options, or if an option is repeated */
export function optionsFor(type: DefinedFieldType, options: readonly string[] | undefined): string[] {
  const at = (problem: Parameters<typeof detailAt>[1]) =>
    new ValidationError([detailAt(['body', 'options'], problem)])
  if (hasOptions(type) && options === undefined) throw at(missing)
  if (!hasOptions(type) && options !== undefined)
    throw at(refuse(`only a select or multi_select has options, not a ${type}`))
  const names = options?.map((option) => option.toLowerCase()) ?? []
  const twice = options?.find((_, index) => names.indexOf(names[index] ?? '') !== index)
  if (twice !== undefined)
    throw at(refuse(`the option "${twice}" is listed twice; letter case does not count`))
  return [...(options ?? [])]
}

/**
 * Returns the new name of each renamed option; null if the request renames none.
 * @throws ValidationError if the field does not have an option, or if two names would be exchanged
 */
export function renamesIn({ type, options }: Field, input: UpdateField): Renames | null {
  const { rename_options: renamed } = input
  if (renamed === undefined) return null
  const at = (index: number | null, name: string, why: string) => {
    const place = index === null ? [] : [index, name]
    return new ValidationError([detailAt(['body', 'rename_options', ...place], refuse(why))])
  }
  if (!hasOptions(type)) throw at(null, '', `only a select or multi_select has options, not a ${type}`)
  if (input.type !== undefined || input.options !== undefined)
    throw at(null, '', 'rename options in a request without `type` and `options`')
  const from = renamed.map((each) => each.from)
  for (const [index, { from: old, to }] of renamed.entries()) {
    if (!options.includes(old)) throw at(index, 'from', `the field has no option "${old}"`)
    if (from.indexOf(old) !== index) throw at(index, 'from', `the option "${old}" is renamed twice`)
    if (old === to) throw at(index, 'to', `the option has the name "${to}" already`)
    if (from.includes(to)) throw at(index, 'to', `the option "${to}" is renamed, too: send a second request`)
  }
  return Object.fromEntries(renamed.map(({ from, to }) => [from, to]))
}

/** The options with their new names, in their order. Options that get the same name become one. */
export const renamedOptions = (options: readonly string[], renames: Renames): string[] => [
  ...new Set(options.map((option) => renamedIn(renames, option) as string)),
]
