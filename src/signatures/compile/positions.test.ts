import fc from 'fast-check'
import { Token, TokenKind } from 'liquidjs'
import { expect, test } from 'vitest'
import { cpuOf } from '../../../test/support/cpu.ts'
import { countedPosition, position } from './positions.ts'

class Part extends Token {
  constructor(input: string, begin: number) {
    super(TokenKind.Word, input, begin, input.length)
  }
}

const text = fc.array(fc.constantFrom('a', '\n', '\r\n', '{{ a }}', ' '), { maxLength: 30 })

test('computed positions equal the positions that the template engine reports', () => {
  expect(countedPosition).not.toBe(position)
  fc.assert(
    fc.property(text, fc.nat(), (parts, at) => {
      const input = parts.join('')
      const token = new Part(input, at % (input.length + 1))
      expect(position.call(token)).toEqual(countedPosition.call(token))
    }),
  )
})

test('the positions of 50,000 names are found within 1 s of CPU', () => {
  const input = '{{ a }}\n'.repeat(50_000)
  const findAll = () => {
    for (let at = 0; at < input.length; at += 8) position.call(new Part(input, at))
  }
  expect(cpuOf(findAll, 1_000_000)).toBeLessThan(1_000_000)
})
