import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useGuard } from './guards.ts'

export type Unsaved = {
  /** For the form element. */
  form: RefObject<HTMLFormElement | null>
  /** Whether the form has text that is not saved. */
  isUnsaved: () => boolean
  /** Asks if something is unsaved, or is being sent. Returns true if the text may be discarded. */
  mayDiscard: () => Promise<boolean>
  /** Records that the current text is saved. */
  noteSaved: () => void
  /** Records that the text of the last submit is saved. The person may have typed more while it was being saved. */
  noteSubmitted: () => void
  /** The dialog that asks. Render it beside the form. */
  question: ReactNode
}

/**
 * Guards the text of a form: the person is asked before they leave the page, or close the dialog with `mayDiscard`.
 * @param isDraft false: the form has nothing that anyone would miss
 * @param isSent whether the text is being sent now
 * @param awaitsSecret whether an answer is under way that only this page can show
 */
export function useUnsaved(isDraft = true, isSent = false, awaitsSecret = false): Unsaved {
  const form = useRef<HTMLFormElement>(null)
  const saved = useRef('')
  const submitted = useRef<string | null>(null)
  const isTouched = useRef(false)
  const noteSaved = () => {
    saved.current = valuesOf(form.current)
    isTouched.current = false
  }
  const noteSubmitted = () => {
    const now = valuesOf(form.current)
    saved.current = submitted.current ?? now
    isTouched.current = saved.current !== now
  }
  useEffect(() => {
    saved.current = valuesOf(form.current)
    // Fields may load after the form opened. What they show before the first act of the person is nothing to lose.
    const onAct = ({ target }: Event) => {
      if (isTouched.current || !(target instanceof Node) || !form.current?.contains(target)) return
      saved.current = valuesOf(form.current)
    }
    const onChange = ({ target }: Event) => {
      if (target instanceof Node && form.current?.contains(target)) isTouched.current = true
    }
    const onSubmit = ({ target }: Event) => {
      if (target === form.current) submitted.current = valuesOf(form.current)
    }
    document.addEventListener('submit', onSubmit, true)
    for (const name of beforeChanges) document.addEventListener(name, onAct, true)
    for (const name of changes) document.addEventListener(name, onChange, true)
    return () => {
      document.removeEventListener('submit', onSubmit, true)
      for (const name of beforeChanges) document.removeEventListener(name, onAct, true)
      for (const name of changes) document.removeEventListener(name, onChange, true)
    }
  }, [])
  const isUnsaved = () =>
    isDraft && isTouched.current && form.current !== null && valuesOf(form.current) !== saved.current
  const { mayDiscard, question } = useDiscardQuestion(() => awaitsSecret || isUnsaved(), isSent)
  return { form, isUnsaved, mayDiscard, noteSaved, noteSubmitted, question }
}

const beforeChanges = ['keydown', 'pointerdown', 'beforeinput'] as const
const changes = ['input', 'change', 'click'] as const

/**
 * Guards something that a person typed: they are asked before they leave the page.
 * @param isNeeded whether something would be lost now
 * @param isSent whether the typed text is being sent: leaving does not take it back
 */
export function useDiscardQuestion(
  isNeeded: () => boolean,
  isSent = false,
): {
  /** Asks if something is unsaved, or is being sent. Returns true if it may be discarded. */
  mayDiscard: () => Promise<boolean>
  /** The dialog that asks. Render it where it can cover the page. */
  question: ReactNode
} {
  const answer = useRef<((mayDiscard: boolean) => void) | null>(null)
  const [isAsked, setAsked] = useState(false)
  const settle = (mayDiscard: boolean) => {
    setAsked(false)
    answer.current?.(mayDiscard)
    answer.current = null
  }
  // If the form closes during the question, it was submitted: nothing is lost.
  useEffect(() => () => answer.current?.(true), [])
  // If the answer arrives during the question, and the form stays without typed text, the person must see the answer.
  const wasSent = useRef(false)
  useEffect(() => {
    const isAnswered = wasSent.current && !isSent
    wasSent.current = isSent
    if (isAnswered && isAsked && !isNeeded()) settle(false)
  })
  const ask = () => {
    answer.current?.(false)
    setAsked(true)
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
    })
  }
  useGuard({ isNeeded, ask })
  return {
    mayDiscard: async () => !(isSent || isNeeded()) || (await ask()),
    question: isAsked && <Question isSent={isSent} onAnswer={settle} />,
  }
}

const Question = ({ isSent, onAnswer }: { isSent: boolean; onAnswer: (mayDiscard: boolean) => void }) => (
  <Dialog
    title={isSent ? 'Leave before the answer?' : 'Discard what you typed?'}
    onClose={() => onAnswer(false)}
    foot={
      <>
        <Button kind="quiet" danger={!isSent} onClick={() => onAnswer(true)}>
          {isSent ? 'Leave' : 'Discard'}
        </Button>
        <Button kind="main" onClick={() => onAnswer(false)} data-autofocus>
          {isSent ? 'Wait' : 'Keep editing'}
        </Button>
      </>
    }
  >
    <p className="two">
      {isSent
        ? 'This was sent, and the server has not answered yet. If you leave, it may still take effect, and you do not see whether it was refused.'
        : 'It is not saved yet.'}
    </p>
  </Dialog>
)

/**
 * The typed and chosen values of a form, as one text. Boxes that are not checked do not count: a search may bring and
 * remove them.
 */
function valuesOf(form: HTMLFormElement | null): string {
  const values = [...(form?.elements ?? [])].flatMap((element) => {
    if (element instanceof HTMLButtonElement || element instanceof HTMLFieldSetElement) return []
    const { type, value, checked, labels } = element as HTMLInputElement
    if (type !== 'checkbox' && type !== 'radio') return [value]
    return checked ? [element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? ''] : []
  })
  return JSON.stringify(values)
}
