import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { type Unsaved, useUnsaved } from './unsaved.tsx'

/**
 * Renders a form with the latest version of an object. While the form has unsaved changes, it keeps the version that the
 * person saw, so that neither a change elsewhere nor an earlier save discards what they typed.
 * @param children gives the form a key that differs between versions
 */
export function LatestForm<Thing extends object>({
  latest,
  children,
}: {
  latest: Thing
  children: (shown: Thing, unsaved: Pick<Unsaved, 'form' | 'noteSaved'>) => ReactNode
}) {
  const { form, isUnsaved, noteSaved, noteSubmitted, question } = useUnsaved()
  const [shown, setShown] = useState(latest)
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  const focused = useRef(-1)
  /** Was read before the last save, so it may lack what was saved. */
  const outdated = useRef<Thing>(null)
  useEffect(() => {
    if (latest === shown || latest === outdated.current || isUnsaved()) return
    const controls: (Element | null)[] = [...(form.current?.elements ?? [])]
    focused.current = controls.indexOf(document.activeElement)
    setShown(latest)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields of another version are nothing that a person typed
  useEffect(() => {
    noteSaved()
    // They are new elements, so the one at the same place gets the focus.
    const control = form.current?.elements[focused.current]
    if (control instanceof HTMLElement) control.focus()
  }, [shown])
  const saved = () => {
    noteSubmitted()
    outdated.current = latest
    lookAgain()
  }
  return (
    <>
      {children(shown, { form, noteSaved: saved })}
      {question}
    </>
  )
}
