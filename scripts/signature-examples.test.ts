import { expect, test } from 'vitest'
import { canonicalHtml } from '../src/signatures/compile/canonical.ts'
import { checkTemplate, compileSignature } from '../src/signatures/compile/compile.ts'
import { signatureExamples } from './signature-examples.ts'

const examples = signatureExamples()

test('docs/signatures/examples has ten examples', () => {
  expect(examples).toHaveLength(10)
})

test.each(examples)('the example $name compiles without a warning', ({ template, data }) => {
  checkTemplate(template)
  const { html, text, size, warnings } = compileSignature(template, data)
  expect(warnings).toEqual([])
  expect(size).toBeLessThan(2000)
  expect(canonicalHtml(`<div dir="ltr">${html}</div>`)).toBe(canonicalHtml(html))
  for (const shown of [data.display_name, data.org.name]) expect(text.split(shown).length, text).toBe(2)
})
