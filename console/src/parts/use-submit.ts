import { type FormEvent, useRef, useState } from 'react'
import { isCanceled, problemAt, problemElsewhere } from '../api/problem.ts'

export type Submit = {
  /** For `onSubmit` of a form, or for a click. */
  submit: (event?: FormEvent) => void
  isBusy: boolean
  /** The message for a field, such as `expires_in_days`; null if the field has no problem. */
  errorAt: (place: string) => string | null
  /** The problems that no field shows; null if there are none. */
  rest: string | null
  /** The error of the last try; null after a success, or before the first try. */
  error: unknown
}

/**
 * Runs the work of a form, never twice at the same time, and assigns the problems to the fields. The fields keep their
 * values.
 * @param places the members of the body that have a field
 */
export function useSubmit<Result>(
  work: () => Promise<Result>,
  { places = [], onDone }: { places?: readonly string[]; onDone?: (result: Result) => void } = {},
): Submit {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const runs = useRef(false)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (runs.current) return
    runs.current = true
    setBusy(true)
    setError(null)
    try {
      const result = await work()
      onDone?.(result)
    } catch (failure) {
      if (!isCanceled(failure)) setError(failure)
    } finally {
      runs.current = false
      setBusy(false)
    }
  }
  return {
    submit: (event) => void submit(event),
    isBusy,
    errorAt: (place) => problemAt(error, place),
    rest: problemElsewhere(error, places),
    error,
  }
}
