import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

type Frame = {
  label: string
  /** Hides the label, except for screen readers. */
  isLabelHidden?: boolean
  hint?: ReactNode
  error?: string | null
}

/** Connects a control with its label, hint and error. */
function useFrame({ label, isLabelHidden = false, hint, error }: Frame) {
  const id = useId()
  const about = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const control = {
    id,
    className: styles.input,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': about || undefined,
  }
  const frame = (children: ReactNode) => (
    <div className={styles.field}>
      <label className={isLabelHidden ? 'sr' : styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
  return { control, frame }
}

export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) => (
  <span className={styles.error} id={id}>
    <Icon name="alert" size={14} />
    <span>{children}</span>
  </span>
)

type TextProps = Frame &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'value'> & {
    value: string
    onChange: (value: string) => void
  }

export function TextField({ label, hint, error, onChange, ...props }: TextProps) {
  const { control, frame } = useFrame({ label, hint, error: error ?? null })
  return frame(
    <input
      {...props}
      {...control}
      // When a dialog opens, it gives this field the focus.
      data-autofocus={props.autoFocus || undefined}
      onChange={(event) => onChange(event.target.value)}
    />,
  )
}

type AreaProps = Frame &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'onChange' | 'value'> & {
    value: string
    onChange: (value: string) => void
  }

/** A field for several lines. */
export function TextArea({ label, hint, error, onChange, ...props }: AreaProps) {
  const { control, frame } = useFrame({ label, hint, error: error ?? null })
  return frame(
    <textarea rows={4} {...props} {...control} onChange={(event) => onChange(event.target.value)} />,
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
