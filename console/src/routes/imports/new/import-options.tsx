import { countries } from '../../../parts/countries.ts'
import { Select } from '../../../parts/field.tsx'
import { type Draft, hasPhones, matchesOf } from './draft.ts'
import styles from './new.module.css'

const encodings: readonly (readonly [string, string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western European (Windows-1252)'],
  ['iso-8859-15', 'Western European (ISO 8859-15)'],
  ['macintosh', 'Western European (Mac)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['gb18030', 'Chinese (GB 18030)'],
  ['big5', 'Chinese (Big5)'],
  ['euc-kr', 'Korean (EUC-KR)'],
]

/** The options of an import that apply to all rows. */
export function ImportOptions({
  draft,
  onChange,
  onEncoding,
}: {
  draft: Draft
  onChange: (draft: Draft) => void
  onEncoding: (encoding: string) => void
}) {
  const { kind, inspection, matchOn, country, encoding } = draft
  const matches = matchesOf(draft)
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
          options={[['', 'The country of the workspace'], ...countries]}
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
