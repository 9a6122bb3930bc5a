import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import styles from './field.module.css'
import { FieldError, type Frame, useFrame } from './text-field.tsx'

// The sign-in page loads only these two.
export { FieldError, TextField } from './text-field.tsx'

type AreaProps = Frame &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'onChange' | 'value'> & {
    value: string
    onChange: (value: string) => void
  }

/** A field for several lines. Enter begins a line, and Ctrl+Enter or ⌘Enter submits the form. */
export function TextArea({ label, hint, error, onChange, ...props }: AreaProps) {
  const { control, frame } = useFrame({ label, hint, error: error ?? null })
  return frame(
    <textarea
      rows={4}
      {...props}
      {...control}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />,
  )
}

type SelectProps<Value extends string> = Frame &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange' | 'value'> & {
    value: Value
    options: readonly (readonly [value: Value, text: string])[]
    onChange: (value: Value) => void
  }

export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  hint,
  error,
  options,
  onChange,
  ...props
}: SelectProps<Value>) {
  const { control, frame } = useFrame({ label, isLabelHidden, hint, error: error ?? null })
  return frame(
    <select {...props} {...control} onChange={(event) => onChange(event.target.value as Value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>,
  )
}

type TickProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'type'> & {
  onChange: (checked: boolean) => void
  children: ReactNode
}

export const Checkbox = ({ onChange, children, ...props }: TickProps) => (
  <label className={styles.choice}>
    <input
      type="checkbox"
      className={styles.tick}
      {...props}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{children}</span>
  </label>
)

/** A box whose label only screen readers say. */
export const Tick = ({ label, onChange, ...props }: Omit<TickProps, 'children'> & { label: string }) => (
  <input
    type="checkbox"
    className={styles.tick}
    aria-label={label}
    {...props}
    onChange={(event) => onChange(event.target.checked)}
  />
)

/** A choice of one of a few values. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
  error,
  isLabelHidden = false,
}: {
  label: string
  /** Hides the label, except for screen readers. */
  isLabelHidden?: boolean
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  onChange: (value: Value) => void
  error?: string | null
}) {
  const id = useId()
  return (
    <fieldset className={styles.field} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={isLabelHidden ? 'sr' : styles.label}>{label}</legend>
      <div className={styles.segments}>
        {options.map(([one, text]) => (
          <label key={one}>
            <input type="radio" name={id} checked={one === value} onChange={() => onChange(one)} />
            {text}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
