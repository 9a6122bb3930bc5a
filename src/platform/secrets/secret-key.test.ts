import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SecretKey } from './secret-key.ts'

const [key, other] = [new SecretKey(randomBytes(32)), new SecretKey(randomBytes(32))]
const orgId = randomUUID()
const sealWith = (by: SecretKey, value: string, name = 'voice.twilio') => ({
  ...{ org_id: orgId, name, key_id: by.id },
  sealed: by.seal(orgId, name, value),
})

test('any text can be sealed and opened, and its sealed form does not contain it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), (value) => {
      const secret = sealWith(key, value)
      expect(key.open(secret)).toBe(value)
      expect(secret.sealed.includes(value)).toBe(false)
      expect(key.seal(orgId, 'voice.twilio', value).equals(secret.sealed)).toBe(false)
    }),
  )
  expect(key.open(sealWith(key, ''))).toBe('')
})

test('a sealed text cannot be decrypted with another key, org or name', () => {
  const secret = sealWith(key, 'sesame')
  expect(other.open(secret)).toBeNull()
  expect(other.open({ ...secret, key_id: other.id })).toBeNull()
  expect(key.open({ ...secret, key_id: other.id })).toBeNull()
  expect(key.open({ ...secret, org_id: randomUUID() })).toBeNull()
  expect(key.open({ ...secret, name: 'voice.vapi' })).toBeNull()
  // The seal covers the org and the name as two values, not as one joined text.
  expect(key.open({ ...secret, org_id: `${orgId}","voice`, name: 'twilio' })).toBeNull()
})

test('a sealed text that was changed or shortened cannot be decrypted', () => {
  const secret = sealWith(key, 'sesame')
  for (let at = 0; at < secret.sealed.length; at++) {
    const sealed = Buffer.from(secret.sealed)
    sealed[at]! ^= 1
    expect(key.open({ ...secret, sealed })).toBeNull()
    expect(key.open({ ...secret, sealed: secret.sealed.subarray(0, at) })).toBeNull()
  }
})

test('the id of a secret key is the same in each process, without a part of the key', () => {
  const root = Buffer.alloc(32, 'root')
  expect(new SecretKey(root).id).toBe(new SecretKey(Buffer.from(root)).id)
  expect(new SecretKey(root).id).toMatch(/^[0-9a-f]{16}$/)
  expect(new SecretKey(root).id).not.toBe(key.id)
})
