import { expect, test } from 'vitest'
import { makeRedactor } from '../../src/crm-sync/adapters/salesforce-access.ts'
import { cpuOf } from '../support/cpu.ts'

const hide = makeRedactor({ credentials: { client_secret: 'the-secret-of-the-app' } })

test.each([
  ['an assertion', 'refused eyJhbGciOi.eyJpc3Mi-O.c2ln_bm for it', 'refused … for it'],
  ['an access token', 'token 00D5e000000abcd!AQ4AQ.x_1 ended', 'token … ended'],
  ['the secret', 'the-secret-of-the-app is wrong', '… is wrong'],
  ['a word that begins like an assertion', 'eyJafjallajökull.', 'eyJafjallajökull.'],
])('a message with %s shows no secret', (_, message, shown) => {
  expect(hide(message)).toBe(shown)
})

test.each(['eyJ', 'eyJ.', 'eyJ-', '00D', 'eyJ.a.b '])(
  'a message of a trigger that repeats %s 200,000 times does not block the thread',
  (part) => {
    // With a regular expression of quadratic cost, it would be minutes.
    const limitUs = 5_000_000
    expect(cpuOf(() => hide(part.repeat(200_000)), limitUs)).toBeLessThan(limitUs)
  },
)
