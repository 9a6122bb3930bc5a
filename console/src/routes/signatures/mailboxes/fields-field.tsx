import { Button } from '../../../parts/button.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import styles from './fields-field.module.css'

/** One text of a person, with a number that keeps its inputs when others are removed. */
export type FieldLine = { id: number; name: string; value: string }

/** The fields that most templates show. A new mailbox begins with them. */
const usual = ['title', 'phone']

export const linesOf = (fields: Readonly<Record<string, string>> | null): FieldLine[] =>
  Object.entries(fields ?? Object.fromEntries(usual.map((name) => [name, '']))).map(([name, value], id) => ({
    ...{ id, name, value },
  }))

/** Lines without a value are left out. */
export const fieldsOf = (lines: readonly FieldLine[]): Record<string, string> =>
  Object.fromEntries(
    lines.filter(({ value }) => value.trim()).map(({ name, value }) => [name.trim(), value.trim()]),
  )

/** The texts of a person for the template, such as title and phone. */
export function FieldsField({
  lines,
  known,
  onChange,
  error,
}: {
  lines: readonly FieldLine[]
  /** The names that other mailboxes have. */
  known: readonly string[]
  onChange: (lines: FieldLine[]) => void
  error: string | null
}) {
  const change = (id: number, part: Partial<FieldLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...part } : line)))
  const add = () =>
    onChange([...lines, { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, name: '', value: '' }])
  return (
    <fieldset className="stack">
      <legend className={`t12 two ${styles.legend}`}>
        Fields of the template. A template shows them by their name, such as {'{{ title }}'}.
      </legend>
      <datalist id="known-fields">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {lines.map(({ id, name, value }, index) => (
        <div key={id} className={styles.line}>
          <TextField
            label={`Field ${index + 1}`}
            value={name}
            onChange={(next) => change(id, { name: next })}
            list="known-fields"
            placeholder="photo_url"
            // A line that was just added: what a person types next belongs there.
            autoFocus={name === ''}
            spellCheck={false}
          />
          <TextField
            label={`Text ${index + 1}`}
            value={value}
            onChange={(next) => change(id, { value: next })}
          />
          <Button
            kind="quiet"
            icon="close"
            aria-label={`Remove field ${index + 1}`}
            onClick={() => onChange(lines.filter((line) => line.id !== id))}
          />
        </div>
      ))}
      <span>
        <Button icon="plus" onClick={add}>
          Add a field
        </Button>
      </span>
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}
