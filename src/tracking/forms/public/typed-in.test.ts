import { expect, test } from 'vitest'
import { DomainError } from '../../../platform/domain-error.ts'
import { typedIn } from './typed-in.ts'

const options = ['b', 'c', 'd']
const fields = [
  {
    key: 'a',
    label: 'A',
    type: 'multi_select' as const,
    required: false,
    options,
    maps_to: null,
    hint: null,
  },
]
const read = (text: string) => typedIn(Buffer.from(text), { fields })

test('each member has its values in order, and a body that is missing has none', () => {
  expect(read('a=b&k=%26&a=c+%C3%A9')).toEqual(
    new Map([
      ['a', ['b', 'c é']],
      ['k', ['&']],
    ]),
  )
  expect(typedIn(undefined, { fields })).toEqual(new Map())
})

test('a body with many more members than the form has fields and options is refused', () => {
  expect(read('a=b&'.repeat(1_002)).get('a')).toHaveLength(1_002)
  expect(() => read('a=b&'.repeat(1_003))).toThrow(DomainError)
})
