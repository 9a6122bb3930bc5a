import { Button } from '../../../parts/button.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import styles from './headers-field.module.css'

const headersMax = 10

/** One header, with a number that keeps its fields when others are removed. */
export type HeaderLine = { id: number; name: string; value: string }

export const linesOf = (headers: Readonly<Record<string, string>>): HeaderLine[] =>
  Object.entries(headers).map(([name, value], id) => ({ id, name, value }))

/** Lines without a name and a value are left out. */
export const headersOf = (lines: readonly HeaderLine[]): Record<string, string> =>
  Object.fromEntries(
    lines.filter(({ name, value }) => name || value).map(({ name, value }) => [name.trim(), value]),
  )

/** Headers that each request to an endpoint gets. */
export function HeadersField({
  lines,
  onChange,
  error,
}: {
  lines: readonly HeaderLine[]
  onChange: (lines: HeaderLine[]) => void
  error: string | null
}) {
  const change = (id: number, part: Partial<HeaderLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...part } : line)))
  const add = () =>
    onChange([...lines, { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, name: '', value: '' }])
  return (
    <fieldset className="stack">
      <legend className={`t12 two ${styles.legend}`}>
        Headers that each request gets, such as a key of your gateway
      </legend>
      {lines.map(({ id, name, value }, index) => (
        <div key={id} className={styles.line}>
          <TextField
            label={`Name ${index + 1}`}
            value={name}
            onChange={(name) => change(id, { name })}
            placeholder="X-Gateway-Key"
            // A line that was just added: what a person types next belongs there.
            autoFocus={name === ''}
          />
          <TextField label={`Value ${index + 1}`} value={value} onChange={(value) => change(id, { value })} />
          <Button
            kind="quiet"
            icon="close"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange(lines.filter((line) => line.id !== id))}
          />
        </div>
      ))}
      {lines.length < headersMax && (
        <span>
          <Button icon="plus" onClick={add}>
            Add a header
          </Button>
        </span>
      )}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}
