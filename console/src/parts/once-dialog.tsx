import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Checkbox } from './field.tsx'
import { useGuard } from './guards.ts'

/** Shows a secret once. To close it, the person must tick that they have stored it. */
export function OnceDialog({
  title,
  tick = 'I have stored it',
  reminder,
  onClose,
  children,
}: {
  title: string
  /** The text beside the checkbox. */
  tick?: string
  /** The text for a person who closes without the tick. */
  reminder: string
  onClose: () => void
  children: ReactNode
}) {
  const [isStored, setStored] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isStored ? onClose() : setAsked(true))
  useGuard({
    isNeeded: () => !isStored,
    ask: async () => {
      setAsked(true)
      return false
    },
  })
  const foot = (
    <>
      <span className="grow">
        <Checkbox checked={isStored} onChange={setStored}>
          {tick}
        </Checkbox>
      </span>
      <Button onClick={close} aria-disabled={!isStored}>
        Close
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={close} foot={foot} wide>
      {children}
      {isAsked && !isStored && (
        <p className="warn" role="alert">
          {reminder}
        </p>
      )}
    </Dialog>
  )
}
