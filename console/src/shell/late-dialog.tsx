import { type ReactNode, Suspense, useEffect } from 'react'
import { typedControls } from './use-key.ts'

/** Shows a dialog whose file may still load. The letters that a person types until then are no keys of the page. */
export const LateDialog = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<LetterHold />}>{children}</Suspense>
)

/** Stops letters that would act on the page, such as the `e` of a tag, which archives the selected records. */
function LetterHold() {
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !(event.metaKey || event.ctrlKey || event.altKey)
      if (!isLetter || (event.target as HTMLElement).matches(`${typedControls}, button`)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', hold, true)
    return () => window.removeEventListener('keydown', hold, true)
  }, [])
  return null
}
