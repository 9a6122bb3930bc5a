import { useEffect, useState } from 'react'
import { ApiError } from '../../../sdk/src/errors.ts'

/** The seconds until the next try, according to Retry-After. Counts down to 0. */
export function useWait(error: unknown): number {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const wait = error instanceof ApiError ? error.retryAfter : null
    if (wait === null) return setUntil(0)
    setNow(Date.now())
    setUntil(Date.now() + wait * 1000)
  }, [error])
  useEffect(() => {
    if (until <= now) return
    const timer = setTimeout(() => setNow(Date.now()), 250)
    return () => clearTimeout(timer)
  }, [until, now])
  return Math.max(0, Math.ceil((until - now) / 1000))
}
