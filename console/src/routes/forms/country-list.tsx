import { Button } from '../../parts/button.tsx'
import { countries } from '../../parts/countries.ts'
import { Select } from '../../parts/field.tsx'

const names = new Map(countries)

/** Chooses countries by their codes of ISO 3166-1. */
export function CountryList({
  codes,
  onChange,
  error,
}: {
  codes: readonly string[]
  onChange: (codes: readonly string[]) => void
  error: string | null
}) {
  return (
    <div className="stack">
      <Select
        label="Countries whose numbers may be called"
        value=""
        options={[['', 'Add a country'], ...countries.filter(([code]) => !codes.includes(code))]}
        onChange={(code) => code !== '' && onChange([...codes, code])}
        error={error && codes.length === 0 ? 'Choose at least one country.' : error}
      />
      {codes.length > 0 && (
        <ul className="rail wrap" aria-label="Chosen countries">
          {codes.map((code) => (
            <li key={code} className="rail">
              <span>{names.get(code) ?? code}</span>
              <Button
                kind="quiet"
                icon="close"
                aria-label={`Remove ${names.get(code) ?? code}`}
                onClick={() => onChange(codes.filter((one) => one !== code))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
