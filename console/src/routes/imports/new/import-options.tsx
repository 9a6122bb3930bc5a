import { countries } from '../../../parts/countries.ts'
import { Select } from '../../../parts/field.tsx'
import type { RecordField } from '../../../records/record-field.ts'
import { type Draft, hasPhones, matchesOf } from './draft.ts'
import { encodings } from './encodings.ts'
import styles from './new.module.css'

/** The options of an import that apply to all rows. */
export function ImportOptions({
  draft,
  fields,
  onChange,
  onEncoding,
}: {
  draft: Draft
  fields: readonly RecordField[]
  onChange: (draft: Draft) => void
  onEncoding: (encoding: string) => void
}) {
  const { kind, inspection, matchOn, country, encoding } = draft
  const matches = matchesOf(draft, fields)
  return (
    <div className={styles.options}>
      <Select
        label={kind.entity === 'contact' ? 'People who are here already' : 'Companies that are here already'}
        value={matchOn}
        options={[
          ['', 'Create again, and propose duplicates'],
          ...matches.map(([key, words]) => [key, `Update by ${words}`] as const),
        ]}
        onChange={(key) => onChange({ ...draft, matchOn: key })}
        hint={
          matchOn === ''
            ? undefined
            : matchOn === kind.idField
              ? 'Rows without the id of a record are refused.'
              : 'Rows without this value are refused. Empty cells change nothing.'
        }
      />
      {hasPhones(draft) && (
        <Select
          label="Phone numbers without country code are from"
          value={country}
          options={[['', 'The country of the organization'], ...countries]}
          onChange={(code) => onChange({ ...draft, country: code })}
        />
      )}
      {inspection.format === 'csv' && (
        <Select
          label="Text encoding"
          value={encoding}
          options={[['', `Recognized: ${inspection.encoding ?? 'UTF-8'}`], ...encodings]}
          onChange={onEncoding}
          hint="Change it if letters in the samples are wrong."
        />
      )}
    </div>
  )
}
