import { expect, test } from 'vitest'
import { problemAt, problemElsewhere, problemOf } from '../../console/src/api/problem.ts'
import { ApiError, ConnectionError, errorOf } from '../../sdk/src/errors.ts'

const refused = (msg: string) =>
  new ApiError('PATCH /deals/1', {
    ...{ status: 422, code: 'validation_failed', detail: msg, headers: new Headers(), body: null },
    problems: [{ loc: ['body', 'amount_cents'], msg, type: 'value_error' }],
  })

test.each([
  ['Input should be a valid integer, unable to parse string as an integer', 'Type a number, such as 1200.'],
  ['Input should be a valid number, unable to parse string as a number', 'Type a number, such as 1200.'],
  ['Input should be a valid integer, got a number with a fractional part', 'This should be a whole number.'],
  ['String should have at most 200 characters', 'This should have at most 200 characters.'],
  ['Input should be greater than or equal to 0', 'This should be at least 0.'],
])('the console says “%s” in words for people', (msg, words) =>
  expect(problemAt(refused(msg), 'amount_cents')).toBe(words),
)

test.each([
  [
    502,
    'No answer from Crosswalk. Nothing that you typed is lost. The server may be starting: the proxy in front of it answered 502. Try again.',
  ],
  [413, 'The proxy in front of Crosswalk refused this with 413. Tell the operator.'],
])('the page of a proxy that answers %i is not shown as an error of a program', (status, words) => {
  const answer = new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
  expect(problemElsewhere(errorOf('GET /contacts', answer, '<html>'), [])).toBe(words)
})

test('only a form says that nothing typed is lost if there is no answer', () => {
  const lost = new ConnectionError('PATCH /deals/1')
  expect(problemOf(lost).text).not.toContain('typed')
  expect(problemElsewhere(lost, [])).toContain('No answer from Crosswalk. Nothing that you typed is lost.')
})

test('a refusal by a provider of calls is not shown as a failure of Crosswalk', () => {
  const detail =
    'livekit did not accept the call (not_found): requested sip trunk does not exist. No phone rang.'
  const body = { detail, code: 'call_refused' }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req-1' }
  const refusal = errorOf(
    'POST /voice/calls',
    new Response('', { status: 502, headers }),
    JSON.stringify(body),
  )
  const words =
    'Livekit did not accept the call (not_found): requested sip trunk does not exist. No phone rang.'
  expect(problemElsewhere(refusal, [])).toBe(words)
  expect(problemOf(refusal)).toMatchObject({ kind: 'refused', text: words })
})

test('a form that asks for the request id shows it', () => {
  const body = { detail: 'Something broke', code: 'internal_error' }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req-1' }
  const failure = errorOf('PATCH /deals/1', new Response('', { status: 500, headers }), JSON.stringify(body))
  expect(problemElsewhere(failure, [])).toMatch(/give the operator the request id\. Request id: req-1$/)
})
