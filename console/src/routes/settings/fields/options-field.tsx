import { Button } from '../../../parts/button.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import styles from './options-field.module.css'

/** The options with the one that is typed but not added yet, so that a form that is submitted does not lose it. */
export function withTyped(options: readonly string[], typed: string): string[] {
  const text = typed.trim()
  return text === '' || options.includes(text) ? [...options] : [...options, text]
}

/** The options of a select, in the order in which people see them. */
export function OptionsField({
  options,
  typed,
  error,
  onChange,
  onType,
}: {
  options: readonly string[]
  /** The text of an option that is not added yet. */
  typed: string
  error: string | null
  onChange: (options: readonly string[]) => void
  onType: (typed: string) => void
}) {
  const text = typed.trim()
  const add = () => {
    if (text === '' || options.includes(text)) return
    onChange(withTyped(options, typed))
    onType('')
  }
  const move = (index: number, to: number) =>
    onChange(options.toSpliced(index, 1).toSpliced(to, 0, options[index] ?? ''))
  return (
    <fieldset className={styles.options}>
      <legend>Options</legend>
      <ul>
        {options.map((option, index) => (
          <li key={option}>
            <span className="cut grow">{option}</span>
            <Button
              kind="quiet"
              icon="up"
              aria-label={`Move ${option} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <Button
              kind="quiet"
              icon="down"
              aria-label={`Move ${option} down`}
              disabled={index === options.length - 1}
              onClick={() => move(index, index + 1)}
            />
            <Button
              kind="quiet"
              icon="close"
              aria-label={`Remove ${option}`}
              onClick={() => onChange(options.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      <div className={styles.add}>
        <TextField
          label="New option"
          value={typed}
          error={options.includes(text) ? 'There is this option already.' : null}
          onChange={onType}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text === '') return
            // Enter adds the option. The form is submitted with its button.
            event.preventDefault()
            add()
          }}
        />
        <Button onClick={add}>Add</Button>
      </div>
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}
