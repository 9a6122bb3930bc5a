import { type ReactNode, useState } from 'react'
import { TextField } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useSubmit } from './use-submit.ts'

/** Asks before an action that cannot be undone, and runs it. */
export function Confirmation<Result>({
  title,
  act,
  isSafe = false,
  typed,
  showsSecret = false,
  work,
  onClose,
  onDone,
  children,
}: {
  title: string
  /** The verb on the button. */
  act: string
  /** Whether the action destroys nothing. Its button is then not red. */
  isSafe?: boolean
  /** The text to type first, if the action destroys much. */
  typed?: string
  /** Whether the answer has a secret that nobody can read again. */
  showsSecret?: boolean
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
      isBlocked={typed !== undefined && seen(text) !== seen(typed)}
      isDangerous={!isSafe}
      startsAtCancel={typed === undefined}
      isDraft={false}
      showsSecret={showsSecret}
      onClose={onClose}
    >
      <div className="stack two">{children}</div>
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

/** A text as a person sees it: browsers show several spaces as one, and nothing for invisible characters. */
const seen = (text: string): string =>
  text
    .normalize()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
