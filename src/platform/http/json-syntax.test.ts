import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSyntaxFault } from './json-syntax.ts'

test('syntax errors have the position that JSON.parse reports', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"a":',
    '1',
    '-',
    '0',
    '.5',
    'e1',
    'true',
    'nul',
    ' ',
  ]
  const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 2 })), { maxLength: 9 })
  fc.assert(
    fc.property(
      soup.map((parts) => parts.join('')),
      (text) => {
        expect(findSyntaxFault(text, 100) === null).toBe(isJson(text))
      },
    ),
    { numRuns: 5000 },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
