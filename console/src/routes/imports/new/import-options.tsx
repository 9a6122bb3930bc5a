import { countries } from '../../../parts/countries.ts'
import { Select } from '../../../parts/field.tsx'
import type { RecordField } from '../../../records/record-field.ts'
import { type Draft, hasPhones, hasType, matchesOf } from './draft.ts'
import { encodings } from './encodings.ts'
import styles from './new.module.css'

const decimalSigns = [
  ['', 'Choose'],
  ['comma', 'After a comma: 1.234,5'],
  ['point', 'After a point: 1,234.5'],
] as const
const dateOrders = [
  ['', 'Choose'],
  ['day_month', 'Day first: 31/01/2026'],
  ['month_day', 'Month first: 01/31/2026'],
] as const

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
  const { kind, inspection, matchOn, country, decimalSign, dateOrder, encoding } = draft
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
      {inspection.format === 'csv' && hasType(draft, fields, 'number') && (
        <Select
          label="Decimals of numbers"
          value={decimalSign}
          options={decimalSigns}
          onChange={(sign) => onChange({ ...draft, decimalSign: sign as Draft['decimalSign'] })}
          hint={
            decimalSign === '' ? 'If you do not choose, 1.234 is less than 2, and 1,5 is refused.' : undefined
          }
        />
      )}
      {hasType(draft, fields, 'date', 'datetime') && (
        <Select
          label="Days with slashes"
          value={dateOrder}
          options={dateOrders}
          onChange={(order) => onChange({ ...draft, dateOrder: order as Draft['dateOrder'] })}
          hint={dateOrder === '' ? 'If you do not choose, a row with such a day is refused.' : undefined}
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
