import { useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useGuard } from '../../../parts/guards.ts'

/** Asks before a person leaves a file that is not imported yet. */
export function LeaveQuestion({ isNeeded }: { isNeeded: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const answer = useRef<((leaves: boolean) => void) | null>(null)
  const settle = (leaves: boolean) => {
    setAsked(false)
    answer.current?.(leaves)
    answer.current = null
  }
  useGuard({
    isNeeded: () => isNeeded,
    ask: () => {
      answer.current?.(false)
      setAsked(true)
      return new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
    },
  })
  if (!isAsked) return null
  return (
    <Dialog
      title="Leave without importing?"
      onClose={() => settle(false)}
      foot={
        <>
          <Button kind="quiet" danger onClick={() => settle(true)}>
            Leave
          </Button>
          <Button kind="main" onClick={() => settle(false)} data-autofocus>
            Stay
          </Button>
        </>
      }
    >
      <p className="two">The file is not imported yet. Your choices for its columns would be lost.</p>
    </Dialog>
  )
}
