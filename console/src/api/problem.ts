import { ApiError, ConnectionError, TimeoutError } from '../../../sdk/src/errors.ts'
import { PasskeyError } from './passkeys.ts'

/** An error as a page shows it. */
export type Problem = {
  kind: 'forbidden' | 'missing' | 'offline' | 'failed' | 'refused'
  title: string
  text: string
  requestId: string | null
}

const canceledCodes: readonly unknown[] = ['confirmation_required', 'session_ended']

/** Returns whether the person closed the dialog that the request needed. Then no error is shown. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof ApiError && canceledCodes.includes(error.code)

export function problemOf(error: unknown): Problem {
  if (error instanceof ConnectionError || error instanceof TimeoutError || isTimeout(error))
    return {
      kind: 'offline',
      title: 'No answer from Crosswalk',
      text: 'The connection failed, or the server is down. Try again.',
      requestId: null,
    }
  if (error instanceof PasskeyError)
    return { kind: 'refused', title: 'No passkey', text: error.message, requestId: null }
  if (!(error instanceof ApiError))
    return {
      kind: 'failed',
      title: 'This page failed',
      text: `Reload the page. If it fails again, tell the operator: ${sentence(messageOf(error))}`,
      requestId: null,
    }
  const { status, requestId } = error
  if (status >= 500 && isOfProxy(error))
    return {
      kind: 'offline',
      title: 'No answer from Crosswalk',
      text: `The server may be starting: the proxy in front of it answered ${status}. Try again.`,
      requestId,
    }
  const text = isOfProxy(error)
    ? `The proxy in front of Crosswalk refused this with ${status}. Tell the operator.`
    : sentence(error.problems.length > 0 ? error.problems.map(wordsOf).join('. ') : error.detail)
  if (status === 403) return { kind: 'forbidden', title: 'You may not do this', text, requestId }
  if (status === 404) return { kind: 'missing', title: 'This does not exist', text, requestId }
  // The server answered, and another service did not: a provider of calls, or a CRM.
  if (status === 502) return { kind: 'refused', title: 'Another service did not do this', text, requestId }
  if (status >= 500)
    return {
      kind: 'failed',
      title: 'Crosswalk could not answer',
      text: `${text} Your data is safe. If it happens again, ${requestId ? 'give the operator the request id' : 'tell the operator'}.`,
      requestId,
    }
  return { kind: 'refused', title: 'This was refused', text, requestId }
}

/** The message for a place in a 422, such as `expires_in_days`; null if the place has no problem. */
export function problemAt(error: unknown, place: string): string | null {
  if (!(error instanceof ApiError)) return null
  const found = error.problems.filter(({ loc }) => `${loc.slice(1).join('.')}.`.startsWith(`${place}.`))
  return found.length > 0 ? sentence(found.map(wordsOf).join('. ')) : null
}

/** For a form: the problems at other places, or the whole error if it names no place. */
export function problemElsewhere(error: unknown, places: readonly string[]): string | null {
  if (error === null || error === undefined || isCanceled(error)) return null
  if (!(error instanceof ApiError) || error.problems.length === 0) {
    const { title, text, kind, requestId } = problemOf(error)
    if (kind === 'offline') return `${title}. Nothing that you typed is lost. ${text}`
    const id = requestId ? ` Request id: ${requestId}` : ''
    return kind === 'failed' ? `${title}. ${text}${id}` : text
  }
  const rest = error.problems.filter(({ loc }) => {
    const place = loc.slice(1).join('.')
    return !places.some((one) => `${place}.`.startsWith(`${one}.`))
  })
  return rest.length > 0 ? sentence(rest.map(wordsWithPlace).join('. ')) : null
}

/** A problem with its place. A problem of the whole body, such as a file, has none. */
function wordsWithPlace(problem: ApiError['problems'][number]): string {
  const place = problem.loc.slice(1).join('.')
  return place === '' ? wordsOf(problem) : `${place}: ${wordsOf(problem)}`
}

/** Rewords the texts of the API that are for programs. */
const wordsOf = ({ msg }: ApiError['problems'][number]) =>
  msg === 'String should have at least 1 character' || msg === 'Field required'
    ? 'this field is empty'
    : msg
        .replace(/^Input should be a valid UUID.*/, 'this is not an id')
        .replace('value is not a valid email address: ', '')
        .replace('be below review_threshold', 'be below the score to propose')
        .replace('List should have at least 1 item after validation, not 0', 'add at least one')
        .replace('less than or equal to', 'at most')
        .replace('greater than or equal to', 'at least')
        .replace(/^Input should be a valid integer, got a number.*/, 'this should be a whole number')
        .replace(/^Input should be a valid (integer|number).*/, 'type a number, such as 1200')
        .replace(/^(Input|String) should/, 'this should')

/** Whether an answer has no error of Crosswalk: something between the browser and the server sent it. */
const isOfProxy = ({ code, problems, body }: ApiError): boolean =>
  code === null && problems.length === 0 && !Object(body).detail

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Adds a period and a capital: the API's error texts have no period, and may begin in lower case. Their backticks become
 * quotation marks.
 */
const sentence = (text: string) => {
  const quoted = text.replace(/`([^`]*)`/g, '“$1”')
  const whole = quoted.charAt(0).toUpperCase() + quoted.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
