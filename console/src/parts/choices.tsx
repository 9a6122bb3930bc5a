import { useId } from 'react'
import styles from './choices.module.css'
import fieldStyles from './field.module.css'
import { FieldError } from './field.tsx'

/** A choice of one of a few values. A line explains each. */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
  error,
}: {
  label: string
  value: Value
  options: readonly { value: Value; name: string; about: string }[]
  onChange: (value: Value) => void
  error?: string | null
}) {
  const id = useId()
  return (
    <fieldset className={fieldStyles.field} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={fieldStyles.label}>{label}</legend>
      <div className={styles.choices}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              className={styles.dot}
              name={id}
              aria-label={option.name}
              aria-describedby={`${id}-${option.value}`}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className="stack g0">
              <span>{option.name}</span>
              <span className="t12 two" id={`${id}-${option.value}`}>
                {option.about}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
