import { expect, test } from 'vitest'
import { idempotencyKey } from './idempotency-key.ts'

const read = (value: string) => idempotencyKey.safeParse(value)

test.each([
  ['a UUID', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['any printable ASCII', 'a, b; c="d" \\ ~'],
  ['one character', '!'],
  ['255 characters', 'x'.repeat(255)],
])('an Idempotency-Key of %s is accepted, and equals the same key in quotes', (_what, key) => {
  expect(read(key).data).toBe(key)
  expect(read(`"${key.replaceAll(/["\\]/g, '\\$&')}"`).data).toBe(key)
})

test.each([
  ['an empty text', ''],
  ['an empty text in quotes', '""'],
  ['256 characters', 'x'.repeat(256)],
  ['a letter outside ASCII', 'clé'],
  ['a control character', 'a\tb'],
  ['a quote that does not end', '"abc'],
  ['text after the quotes', '"abc";v=1'],
  ['an invalid escape', '"a\\b"'],
])('an Idempotency-Key of %s is refused', (_what, value) => {
  expect(read(value).success).toBe(false)
})
