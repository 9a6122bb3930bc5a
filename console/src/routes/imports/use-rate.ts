import { useEffect, useState } from 'react'

type Sample = { at: number; rows: number }

const windowMs = 6_000

/**
 * Rows per second over the last few polls; null until two polls differ.
 * @param readAt when `rows` was read, in milliseconds
 */
export function useRate(rows: number, readAt: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    setSamples((before) => [...before.filter(({ at }) => at > readAt - windowMs), { at: readAt, rows }])
  }, [rows, readAt])
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at === first.at || last.rows <= first.rows) return null
  return ((last.rows - first.rows) * 1000) / (last.at - first.at)
}
