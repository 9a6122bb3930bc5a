import { problemOf } from '../api/problem.ts'
import { Note } from './note.tsx'

/**
 * Says that the data of a query may be old, because it could not be read again. The page keeps the data, and what the
 * person typed.
 */
export function OldData({
  query,
  name,
  seconds,
  seen,
}: {
  query: { data: unknown; error: unknown; isError: boolean; isPaused: boolean }
  /** For example “person”. */
  name: string
  /** After how many seconds the data is read again. */
  seconds: number
  /** What the person sees, if the data may be there for others. */
  seen?: string | undefined
}) {
  if (query.data === undefined || !(query.isError || query.isPaused)) return null
  const { kind } = problemOf(query.error)
  if (kind === 'missing')
    return (
      <Note kind="warn">
        This {name} does not exist any more{seen && ', or got another owner'}. What you see here is old.{' '}
        {seen}
      </Note>
    )
  if (kind === 'forbidden')
    return <Note kind="warn">You may not read this {name} any more. What you see here is old.</Note>
  return (
    <Note kind="warn">
      Crosswalk does not answer. The data of this {name} may be old. It is read again every {seconds} s.
    </Note>
  )
}
