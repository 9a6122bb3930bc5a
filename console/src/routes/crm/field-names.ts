import type { RecordField } from '../../records/record-field.ts'

/** Fields that can be pushed, besides the fields that the pages of people show. */
const more: Readonly<Record<string, string>> = {
  contact_id: 'Crosswalk id',
  full_name: 'Full name',
  tags: 'Tags',
}

const notPushed = new Set([
  'company_id',
  'emails',
  'phones',
  'consent.phone',
  'consent.email',
  'created_at',
  'updated_at',
])

/** The name of a field of a person for people. */
export const fieldName = (fields: readonly RecordField[], name: string): string =>
  more[name] ?? fields.find((field) => field.name === name)?.label ?? name

/** The fields that a push can send, with their names. */
export const pushableFields = (fields: readonly RecordField[]): [name: string, label: string][] => [
  ...fields
    .filter(({ name, isReadOnly }) => !isReadOnly && !notPushed.has(name) && !(name in more))
    .map(({ name, label }): [string, string] => [name, label]),
  ...Object.entries(more),
]
