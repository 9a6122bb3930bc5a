import { expect, test } from 'vitest'
import { templateMax } from './budget.ts'
import { readTemplate } from './template.ts'

const filled = (start: string, piece: string) =>
  start + piece.repeat(Math.floor((templateMax - start.length) / piece.length))

/** Returns whether a template is still cached after 20 others of the largest size. */
function survives(name: string, piece: string): boolean {
  const first = readTemplate('html', `first ${name}`)
  for (let at = 0; at < 20; at++) readTemplate('html', filled(`${name} ${at}`, piece))
  return readTemplate('html', `first ${name}`) === first
}

test('the cache of parsed templates is limited by memory: many templates of text fit, 20 of pure Liquid do not', () => {
  expect(survives('text', 'text ')).toBe(true)
  expect(survives('text in a condition', `{% if a %}${'much text '.repeat(50)}{% endif %}`)).toBe(true)
  expect(survives('Liquid', '{{a}}')).toBe(false)
})
