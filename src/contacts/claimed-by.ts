import { id } from '../platform/http/shown.ts'
import type { RecordField } from '../records/record-type.ts'

/**
 * The visitor whose own statements made the contact. No request can set or clear the field. A merged contact shows it only
 * if all its records have it.
 */
export const claimedBy: RecordField = {
  columns: 'uuid',
  output: id(
    'The website visitor who made the contact, with a form or an `identify` call that nobody has verified. The engine never merges such a contact by itself. null: a person or a program of yours made it.',
  ).nullable(),
  policy: 'if_both',
  apply(state, _sent, { before }) {
    state.claimed_by = before?.claimed_by ?? null
  },
}
