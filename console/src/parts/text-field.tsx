import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

export type Frame = {
  label: string
  /** Hides the label, except for screen readers. */
  isLabelHidden?: boolean
  hint?: ReactNode
  error?: string | null
}

/** Connects a control with its label, hint and error. */
export function useFrame({ label, isLabelHidden = false, hint, error }: Frame) {
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

export function TextField({ label, isLabelHidden = false, hint, error, onChange, ...props }: TextProps) {
  const { control, frame } = useFrame({ label, isLabelHidden, hint, error: error ?? null })
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
