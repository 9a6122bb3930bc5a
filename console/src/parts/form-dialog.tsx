import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { IconName } from './icon.tsx'
import { Note } from './note.tsx'
import { useUnsaved } from './unsaved.tsx'
import { useStillFields } from './use-still-fields.ts'
import type { Submit } from './use-submit.ts'
import { useWrongField } from './use-wrong-field.ts'

/**
 * A dialog with a form. Problems that belong to no field are shown below the fields; a field with a problem gets the
 * focus. Escape and a click outside ask before they discard typed text. While the form is sent, its fields cannot be
 * changed, and Cancel, Escape and a click outside ask, unless the dialog has its own word for the button that closes. With
 * `showsSecret`, Back and links ask, too.
 */
export function FormDialog({
  title,
  act,
  icon,
  form: { submit, isBusy, rest },
  cancel,
  isBlocked = false,
  isDangerous = false,
  startsAtCancel = false,
  isDraft = true,
  showsSecret = false,
  wide = false,
  onClose,
  children,
}: {
  title: string
  /** The verb on the button that submits. null: there is nothing left to submit. */
  act: string | null
  icon?: IconName
  form: Pick<Submit, 'submit' | 'isBusy' | 'rest'>
  /** The text on the button that closes; by default Cancel. */
  cancel?: string | undefined
  /** Whether the form cannot be submitted now. The dialog must say why. */
  isBlocked?: boolean
  /** Whether the action destroys something. Its button is then red. */
  isDangerous?: boolean
  /** Whether the focus starts at the cancel button, so that Enter does not run the action by accident. */
  startsAtCancel?: boolean
  /** False if the typed text may be lost without a question. */
  isDraft?: boolean
  /** Whether the answer has a secret that nobody can read again. A person who leaves before the answer loses it. */
  showsSecret?: boolean
  wide?: boolean
  onClose: () => void
  children: ReactNode
}) {
  // “Cancel” cannot take back what was sent.
  const asksWhileSent = isBusy && cancel === undefined
  const { form: ref, mayDiscard, question } = useUnsaved(isDraft, asksWhileSent, showsSecret && isBusy)
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  // If the answer arrives during the question, the next dialog may be open: it may show a secret, and must not close.
  const ask = () => void mayDiscard().then((mayClose) => mayClose && isOpen.current && onClose())
  useStillFields(ref, isBusy)
  useWrongField(ref, isBusy)
  const foot = (
    <>
      <Button
        kind="quiet"
        onClick={asksWhileSent ? ask : onClose}
        data-autofocus={startsAtCancel || undefined}
      >
        {cancel ?? 'Cancel'}
      </Button>
      {act !== null && (
        <Button
          kind="main"
          type="submit"
          {...(icon && { icon })}
          danger={isDangerous}
          isBusy={isBusy}
          disabled={isBlocked}
        >
          {act}
        </Button>
      )}
    </>
  )
  return (
    <>
      <Dialog
        title={title}
        onClose={ask}
        onSubmit={(event) => (isBlocked ? event.preventDefault() : submit(event))}
        form={ref}
        foot={foot}
        wide={wide}
      >
        {children}
        {rest && <Note kind="bad">{rest}</Note>}
      </Dialog>
      {question}
    </>
  )
}
