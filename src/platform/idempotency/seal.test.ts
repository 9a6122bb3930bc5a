import { expect, test } from 'vitest'
import { AnswerSeal } from './seal.ts'

const scope = Buffer.alloc(32, 'scope')
const seal = new AnswerSeal('a token', scope)

test('a sealed answer can be decrypted only unchanged, with its own token and scope', () => {
  const sealed = seal.close('a secret, é')
  expect(new AnswerSeal('a token', scope).open(sealed)).toBe('a secret, é')
  expect(new AnswerSeal('another', scope).open(sealed)).toBeNull()
  expect(new AnswerSeal('a token', Buffer.alloc(32)).open(sealed)).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(seal.open(changed)).toBeNull()
  }
})

test('the same text is sealed differently each time', () => {
  expect(seal.close('a secret')).not.toEqual(seal.close('a secret'))
})
