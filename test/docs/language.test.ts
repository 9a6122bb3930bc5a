import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { allPages } from '../support/markdown.ts'
import {
  archaic,
  british,
  hiddenSubject,
  maxWords,
  type Sentence,
  sentencesOf,
  wordsOf,
} from './sentences.ts'

function descriptions(value: unknown, where = 'openapi.json'): Sentence[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'summary' || name === 'description') && typeof inner === 'string'
      ? sentencesOf({ text: inner, file: where })
      : descriptions(inner, name.startsWith('/') ? name : where),
  )
}

const openapi = JSON.parse(readFileSync(join(projectRoot, 'openapi.json'), 'utf8'))
const sentences = [...allPages.flatMap(sentencesOf), ...descriptions(openapi)]
const faults = (isFault: (sentence: string) => boolean) => [
  ...new Set(sentences.filter(({ text }) => isFault(text)).map(({ where, text }) => `${where}: ${text}`)),
]

test(`no sentence of the documentation has more than ${maxWords} words`, () => {
  expect(sentences.length).toBeGreaterThan(1000)
  expect(faults((text) => wordsOf(text).length > maxWords)).toEqual([])
})

test('each sentence of the documentation names its subject', () => {
  expect(faults((text) => hiddenSubject.test(text))).toEqual([])
})

test('the documentation has no archaic words', () => {
  expect(faults((text) => archaic.test(text))).toEqual([])
})

test('the documentation has US spelling', () => {
  expect(faults((text) => british.test(text))).toEqual([])
})

test.each([
  ['Who merges records locks them.', true],
  ['What is hot is small.', true],
  ['What is a merge?', false],
  ['Whose numbers are these?', false],
  ['The owner locks the records.', false],
])('%s hides its subject: %s', (sentence, isHidden) => {
  expect(hiddenSubject.test(sentence)).toBe(isHidden)
})

test('a sentence ends at a full stop, a list item, a heading and the border of a table cell', () => {
  const text =
    '# A title\n\nOne `a. B` is here. Two\nis here (`x.y`).\n\n- An item\n- Another\n\n| cell | Cell. Two |\n|---|---|\n'
  expect(sentencesOf({ text, file: 'page.md' }).map(({ text }) => text)).toEqual([
    'A title',
    'One Code is here.',
    'Two is here (Code).',
    'An item',
    'Another',
    'cell',
    'Cell.',
    'Two',
    '---',
    '---',
  ])
})
