import { useRef, useState } from 'react'
import type { Steps } from './batches.ts'

/** How far a change of many records is, and the way to stop it. After an error, `handled` is what was done before it. */
export function useSteps(): {
  /** null: no change has begun. */
  handled: number | null
  isStopping: boolean
  /** Begins a change. */
  begin: () => Steps
  stop: () => void
} {
  const [handled, setHandled] = useState<number | null>(null)
  const [isStopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  return {
    handled,
    isStopping,
    begin: () => {
      isStopped.current = false
      setStopping(false)
      setHandled(0)
      return { isStopped: () => isStopped.current, onProgress: setHandled }
    },
    stop: () => {
      isStopped.current = true
      setStopping(true)
    },
  }
}
