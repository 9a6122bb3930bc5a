import { type ReactNode, useState } from 'react'
import { TextField } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useSubmit } from './use-submit.ts'

/** Asks before an act that cannot be taken back, and runs it. */
export function Confirmation<Result>({
  title,
  act,
  isSafe = false,
  typed,
  work,
  onClose,
  onDone,
  children,
}: {
  title: string
  /** The verb on the button. */
  act: string
  /** True if the act destroys nothing, so that its button is not red. */
  isSafe?: boolean
  /** The text that the person must type first, if the act destroys much. */
  typed?: string
  work: () => Promise<Result>
  onClose: () => void
  onDone: (result: Result) => void
  children: ReactNode
}) {
  const [text, setText] = useState('')
  const form = useSubmit(work, { onDone })
  return (
    <FormDialog
      title={title}
      act={act}
      form={form}
      isBlocked={typed !== undefined && text.trim() !== typed.trim()}
      isDangerous={!isSafe}
      startsAtCancel={typed === undefined}
      onClose={onClose}
    >
      <div className="two">{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to confirm`}
          value={text}
          onChange={setText}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
      )}
    </FormDialog>
  )
}
