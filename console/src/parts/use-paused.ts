import { useEffect, useState } from 'react'

/**
 * A value, when it has not changed for a while: a person who types gets one answer for each pause.
 * @param pauseMs longer than the time between two letters
 */
export function usePaused<Value>(value: Value, pauseMs: number): Value {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    if (value === paused) return
    const timer = setTimeout(() => setPaused(() => value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, paused, pauseMs])
  return paused
}
