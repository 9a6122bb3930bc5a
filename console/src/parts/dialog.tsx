import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import styles from './dialog.module.css'
import { useModal } from './use-modal.ts'

type DialogProps = {
  title: string
  /** Called for Escape and for a click outside. A dialog that must not be lost does nothing. */
  onClose: () => void
  /** The buttons. With `onSubmit`, Enter presses the one of the type submit. */
  foot: ReactNode
  onSubmit?: (event: FormEvent) => void
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog with one decision: the dialog element of the browser, which holds the focus and gives it back.
 * Render it only while it is open.
 */
export function Dialog({ title, onClose, foot, onSubmit, wide = false, children }: DialogProps) {
  const ref = useModal()
  // Text that is selected beyond the side of the dialog must not close it.
  const isPressedOutside = useRef(false)
  const id = useId()
  const Frame = onSubmit ? 'form' : 'div'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as onCancel
    <dialog
      ref={ref}
      className={styles.dialog}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && isPressedOutside.current) onClose()
      }}
    >
      <Frame className="stack g0" noValidate={onSubmit ? true : undefined} onSubmit={onSubmit}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
        </header>
        <div className={styles.body}>{children}</div>
        <footer className={styles.foot}>{foot}</footer>
      </Frame>
    </dialog>
  )
}
