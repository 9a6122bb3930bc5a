import { Button } from '../../../parts/button.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import styles from './origins-field.module.css'

const originsMax = 50

/** One origin, with a number that keeps its field when others are removed. */
export type Line = { id: number; text: string }

export const linesOf = (texts: readonly string[]): Line[] => texts.map((text, id) => ({ id, text }))

/** The lines that have a text. */
export const filled = (lines: readonly Line[]): Line[] => lines.filter(({ text }) => text.trim())

/** The sites that may use a write key. Several lines that are pasted into one become several. */
export function OriginsField({
  lines,
  onChange,
  errorOf,
  error,
}: {
  lines: readonly Line[]
  onChange: (lines: Line[]) => void
  errorOf: (line: Line) => string | null
  /** The problem of the list. */
  error: string | null
}) {
  const add = (texts: readonly string[], before: readonly Line[]) => {
    const first = Math.max(-1, ...lines.map(({ id }) => id)) + 1
    onChange([...before, ...texts.map((text, nth) => ({ id: first + nth, text }))].slice(0, originsMax))
  }
  const change = (id: number, text: string) =>
    onChange(lines.map((line) => (line.id === id ? { id, text } : line)))
  return (
    <fieldset className="stack">
      <legend className={`t12 two ${styles.legend}`}>Sites that may use the key in a browser</legend>
      {lines.length === 0 && <p className="t12 three">Every site may use it.</p>}
      {lines.map((line, index) => (
        <div key={line.id} className={styles.line}>
          <TextField
            label={`Site ${index + 1}`}
            inputMode="url"
            spellCheck={false}
            value={line.text}
            onChange={(next) => change(line.id, next)}
            onPaste={(event) => {
              const pasted = event.clipboardData
                .getData('text')
                .split(/[\s,]+/)
                .filter(Boolean)
              if (pasted.length < 2) return
              event.preventDefault()
              add(pasted, filled(lines))
            }}
            placeholder="https://www.example.com"
            // A line that was just added: what a person types next belongs there.
            autoFocus={line.text === ''}
            error={errorOf(line)}
          />
          <Button
            kind="quiet"
            icon="close"
            aria-label={`Remove site ${index + 1}`}
            onClick={() => onChange(lines.filter(({ id }) => id !== line.id))}
          />
        </div>
      ))}
      {lines.length < originsMax && (
        <span>
          <Button icon="plus" onClick={() => add([''], lines)}>
            Add a site
          </Button>
        </span>
      )}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}
