import type { StoredDefinition } from '../../records/defined-fields/definition.ts'
import { unfit } from './check-definition.ts'
import type { FormField } from './schema.ts'

/**
 * For each question whose answers do not reach the contact: why, and what to do. null: all of them fit.
 * @param defined the defined fields of contacts
 */
export function problemOf(fields: readonly FormField[], defined: readonly StoredDefinition[]): string | null {
  const problems = fields.flatMap((field) => {
    const { label, maps_to: mapsTo } = field
    const why = mapsTo?.startsWith('custom.') ? unfit(field, mapsTo, defined) : null
    return why ? [`The answers to “${label}” stay in the submissions and do not fill ${mapsTo}: ${why}.`] : []
  })
  return problems.length > 0 ? `${problems.join(' ')} Edit the form.` : null
}
