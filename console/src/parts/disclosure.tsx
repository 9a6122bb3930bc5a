import { type ReactNode, useState } from 'react'
import styles from './disclosure.module.css'
import { Icon } from './icon.tsx'

/** Hides rare fields of a form behind a title. `isOpen` shows them, for example if one has an error. */
export function Disclosure({
  title,
  isOpen = false,
  children,
}: {
  title: string
  isOpen?: boolean
  children: ReactNode
}) {
  const [isPressed, setPressed] = useState(false)
  const isShown = isOpen || isPressed
  return (
    <div className="stack g12">
      <span>
        <DisclosureButton isOpen={isShown} onChange={setPressed}>
          {title}
        </DisclosureButton>
      </span>
      {isShown && children}
    </div>
  )
}

/** A button that shows or hides more about what it names. */
export const DisclosureButton = ({
  isOpen,
  onChange,
  controls,
  children,
}: {
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  /** The id of the element that the button shows. */
  controls?: string
  children: ReactNode
}) => (
  <button
    type="button"
    className={styles.title}
    aria-expanded={isOpen}
    aria-controls={isOpen ? controls : undefined}
    onClick={() => onChange(!isOpen)}
  >
    <Icon name="down" />
    {children}
  </button>
)
