import { type FormEvent, type ReactNode, type Ref, useRef } from 'react'
import styles from './dialog.module.css'
import { hasHalfTyped } from './half-typed.ts'
import { Toasts } from './toast.tsx'
import { useModal } from './use-modal.ts'

type DialogProps = {
  title: string
  /** Called for Escape and for a click outside. If the dialog must not be lost, it does nothing. */
  onClose: () => void
  /** The buttons. With `onSubmit`, Enter presses the submit button. */
  foot: ReactNode
  onSubmit?: (event: FormEvent) => void
  /** The form, if the dialog has `onSubmit`. */
  form?: Ref<HTMLFormElement>
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog for one decision. It is the browser's dialog element, which keeps the focus inside and returns it
 * afterwards. Render it only while it is open.
 */
export function Dialog({ title, onClose, foot, onSubmit, form, wide = false, children }: DialogProps) {
  const { ref, id } = useModal()
  // A selection of text that ends outside the dialog must not close it.
  const isPressedOutside = useRef(false)
  const parts = (
    <>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
      </header>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{foot}</footer>
    </>
  )
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
      // The browser closes a dialog at the second Escape, even if the page prevented the first one.
      onClose={() => {
        ref.current?.showModal()
        onClose()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        // The second click of a double click on a button is outside if the first one made the dialog smaller.
        const isFirst = event.detail <= 1
        if (event.target === event.currentTarget && isPressedOutside.current && isFirst) onClose()
      }}
    >
      {onSubmit ? (
        <form
          ref={form}
          className="stack g0"
          noValidate
          onSubmit={(event) => (hasHalfTyped(event) ? event.preventDefault() : onSubmit(event))}
        >
          {parts}
        </form>
      ) : (
        <div className="stack g0">{parts}</div>
      )}
      <Toasts over={id} />
    </dialog>
  )
}
