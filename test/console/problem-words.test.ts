import { expect, test } from 'vitest'
import { problemAt, problemElsewhere, problemOf } from '../../console/src/api/problem.ts'
import { ApiError, ConnectionError } from '../../sdk/src/errors.ts'

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

test('only a form says that nothing typed is lost if there is no answer', () => {
  const lost = new ConnectionError('PATCH /deals/1')
  expect(problemOf(lost).text).not.toContain('typed')
  expect(problemElsewhere(lost, [])).toContain('No answer from Crosswalk. Nothing that you typed is lost.')
})
