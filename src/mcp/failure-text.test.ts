import { expect, test } from 'vitest'
import { DomainError } from '../platform/domain-error.ts'
import { failureText } from './failure-text.ts'

const textOf = (error: unknown) =>
  failureText(error, { log: {} as never, requestId: 'r1', refusalOf: () => null })

test('the error for a call that still runs speaks of calls, not of requests', () => {
  const error = new DomainError('idempotency_key_in_use', 'A request runs', { retryAfterSeconds: 1 })
  expect(textOf(error)).toBe(
    'The same call is still running. Send it again in 1 s, with the same arguments, to get its answer. (idempotency_key_in_use)',
  )
})

test.each([
  ['Too many calls are under way', 'Too many calls are under way. Try again in 5 s. (call_cap_reached)'],
  ['Too many calls.', 'Too many calls. Try again in 5 s. (call_cap_reached)'],
])('the wait after %j is a sentence of its own', (message, says) => {
  const error = new DomainError('call_cap_reached', message, { retryAfterSeconds: 5 })
  expect(textOf(error)).toBe(says)
})
