import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleText } from '../platform/visible-text.ts'
import { visibleJson } from './result-json.ts'

const unusual = fc.constantFrom(
  ...[
    '\b',
    '\f',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
  ],
  ...['\ud800', '\n', '"', '\\', '\\u0000', '\\b', 'a', 'é', '😀'],
)
const texts = fc.string({ unit: unusual, maxLength: 6 })

test('no text in the JSON has an invisible character, and other characters stay', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: texts, more: fc.anything() })), (value) => {
      const visible = (_name: string, each: unknown) => (typeof each === 'string' ? visibleText(each) : each)
      expect(visibleJson(value)).toBe(JSON.stringify(value, visible))
    }),
    { numRuns: 2_000 },
  )
})
