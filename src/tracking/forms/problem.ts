import type { FieldDefinition } from '../../records/defined-fields/definition.ts'
import { unfit } from './check-definition.ts'
import type { FormField } from './schema.ts'

/**
 * Why the answers to a question of the form no longer reach the contact, and what to do; null: all of them fit.
 * @param defined the defined fields of contacts
 */
export function problemOf(fields: readonly FormField[], defined: readonly FieldDefinition[]): string | null {
  for (const field of fields) {
    const { label, maps_to: mapsTo } = field
    const why = mapsTo?.startsWith('custom.') ? unfit(field, mapsTo, defined) : null
    if (why)
      return `The answers to “${label}” stay in the submissions and do not fill ${mapsTo}: ${why}. Edit the form.`
  }
  return null
}
