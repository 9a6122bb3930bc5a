import { type ReactNode, Suspense, useEffect } from 'react'
import { showToast } from '../parts/toast.tsx'
import { typedControls } from './use-key.ts'

/** Most files of dialogs load within this time. */
const quietMs = 1_500

/**
 * Shows a dialog whose file may still load, and says so if that takes long. The letters that a person types until then are
 * no keys of the page.
 */
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
    let close = () => {}
    const timer = setTimeout(() => {
      close = showToast('This opens as soon as Crosswalk answers.', 'bad')
    }, quietMs)
    return () => {
      window.removeEventListener('keydown', hold, true)
      clearTimeout(timer)
      close()
    }
  }, [])
  return null
}
