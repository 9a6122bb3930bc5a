import { describe, expect, test } from 'vitest'
import { type AttemptedRequest, type Failure, isGone, mayRetry, waitBefore } from '../../sdk/src/retry.ts'

const lost: Failure = { status: null, code: null, retryAfter: null }
const refused = (status: number, code: string | null, retryAfter: number | null = null): Failure => ({
  status,
  code,
  retryAfter,
})

const read: AttemptedRequest = { method: 'GET', isConditional: false, isRepeatable: true }
const post = { ...read, method: 'POST' }
const patch = { ...read, method: 'PATCH' }
const guardedPost = { ...post, isConditional: true }
const guardedPatch = { ...patch, isConditional: true }
const guardedDelete = { ...guardedPatch, method: 'DELETE' }
const once = { ...post, isRepeatable: false }

const all = [read, post, patch, guardedPost, guardedPatch, guardedDelete]
const unguarded = [read, post, patch, guardedPost]

test.each<[string, Failure, AttemptedRequest[]]>([
  ['a lost connection', lost, unguarded],
  ['a broken connection', { ...lost, code: 'ECONNRESET' }, unguarded],
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].map(
    (code): [string, Failure, AttemptedRequest[]] => [`the ${code} of a connection`, { ...lost, code }, all],
  ),
  ['a 408', refused(408, 'request_timeout'), all],
  ['a 429', refused(429, 'rate_limit_exceeded', 1), all],
  ['a 500', refused(500, 'internal_error'), unguarded],
  ['a 503 that changed nothing', refused(503, 'server_busy', 2), all],
  ['a 503 whose outcome is unknown', refused(503, 'outcome_unknown', 2), unguarded],
  ['a 503 of a proxy', refused(503, null), unguarded],
  ['a 502 of a proxy', refused(502, null), unguarded],
  ['a 504 of a proxy', refused(504, null), unguarded],
  ['a 502 of Crosswalk', refused(502, 'call_refused'), []],
  ['a 409 with Retry-After', refused(409, 'idempotency_key_in_use', 1), all],
  ['a 409 without Retry-After', refused(409, 'version_conflict'), []],
  ...[400, 401, 402, 403, 404, 405, 413, 422, 431].map((status): [string, Failure, AttemptedRequest[]] => [
    `a ${status}`,
    refused(status, 'x'),
    [],
  ]),
])('after %s, exactly the requests of the table are retried', (_title, failure, expected) => {
  expect([...all, once].filter((request) => mayRetry(request, failure))).toEqual(expected)
})

describe('the wait before a retry', () => {
  test.each<[retries: number, failure: Failure, random: number, expected: number]>([
    [0, lost, 1, 500],
    [1, lost, 1, 1000],
    [2, lost, 0.5, 1000],
    [9, lost, 1, 8000],
    [9, lost, 0, 0],
    [0, refused(429, 'rate_limit_exceeded', 7), 0, 7000],
    [3, refused(503, 'server_busy', 2), 1, 2250],
  ])(
    'the wait after %i retries and %j with the random number %d is %d ms',
    (retries, failure, random, expected) => {
      expect(waitBefore(retries, failure, random)).toBe(expected)
    },
  )
})

test.each<[string, Failure, boolean]>([
  ['an object that does not exist', refused(404, 'object_not_found'), true],
  ['an unknown id in a path', refused(404, 'reference_not_found'), true],
  ['an unknown path', refused(404, 'path_not_found'), false],
  ['the 404 of a proxy', refused(404, null), false],
  ['a missing permission', refused(403, 'object_not_found'), false],
])('a retried DELETE is done after %s: %j → %j', (_, failure, isDone) => {
  expect(isGone(failure)).toBe(isDone)
})
