import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

type Look = { kind?: 'main' | 'plain' | 'quiet'; danger?: boolean; wide?: boolean; tall?: boolean }

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
    icon?: IconName
    /** The key that presses the button, in the form that is shown: C */
    shortcut?: string
    /** Whether the button's work is running. It keeps its place and focus. */
    isBusy?: boolean
    children?: ReactNode
  }

/** Attributes that make an element look like a button, such as a link to another page of the console. */
export const buttonLook = ({ kind = 'plain', danger, wide, tall }: Look) => ({
  className: styles.button,
  'data-kind': kind,
  'data-danger': danger || undefined,
  'data-wide': wide || undefined,
  'data-tall': tall || undefined,
})

/** A button. A view has at most one `main` button. Without children, `aria-label` names it. */
export function Button({ icon, shortcut, isBusy = false, children, onClick, ...props }: ButtonProps) {
  const { kind, danger, wide, tall, ...rest } = props
  return (
    <button
      type="button"
      {...buttonLook({
        ...(kind && { kind }),
        ...(danger && { danger }),
        ...(wide && { wide }),
        ...(tall && { tall }),
      })}
      data-icon={children === undefined || undefined}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
      {shortcut && <kbd className={`${styles.key} opt`}>{shortcut}</kbd>}
    </button>
  )
}

/** A link that looks like a button, to a page outside the console. */
export const ButtonLink = ({
  href,
  icon,
  onClick,
  children,
  ...props
}: Look & {
  href: string
  icon?: IconName
  onClick?: (() => void) | undefined
  children: ReactNode
}) => (
  <a href={href} onClick={onClick} {...buttonLook(props)}>
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </a>
)

export const KeyboardKey = ({ children }: { children: ReactNode }) => (
  <kbd className={styles.key}>{children}</kbd>
)
