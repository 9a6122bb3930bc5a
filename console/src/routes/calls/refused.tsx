import { ApiError } from '../../../../sdk/src/errors.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useCallees } from './call-queries.ts'

/** The text of the error, if it says what is wrong with the typed number; else null. */
export const wrongNumber = (error: unknown, text: string | null): string | null =>
  text !== null && error instanceof ApiError && error.code === 'phone_number_invalid'
    ? withoutPlace(text)
    : null

const withoutPlace = (text: string) =>
  text.replace(/^To_number: (.)/, (_, first: string) => first.toUpperCase())

/** Why a call must not be placed, with the page where a person can change that. */
export function Refused({ error, text, number }: { error: unknown; text: string; number: string }) {
  const { orgId } = useScope()
  const code = error instanceof ApiError ? error.code : null
  const callee = useCallees(code === 'consent_denied' ? [number.trim()] : []).get(number.trim())
  if (code === 'consent_denied')
    return (
      <>
        A contact with this number denied consent to phone calls. Nobody was called.{' '}
        {callee && (
          <Link className="link" to="/o/$orgId/people/$recordId" params={{ orgId, recordId: callee.id }}>
            Open {callee.name}
          </Link>
        )}
      </>
    )
  if (code === 'number_suppressed')
    return (
      <>
        This number is on your list of numbers that are never called. Nobody was called.{' '}
        <Link
          className="link"
          to="/o/$orgId/calls/suppressions"
          params={{ orgId }}
          search={{ number: number.trim() }}
        >
          Open the list
        </Link>
      </>
    )
  return <>{withoutPlace(text)}</>
}
