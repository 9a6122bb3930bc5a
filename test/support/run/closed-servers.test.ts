import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesBelow } from '../imports.ts'

test('each test file closes the servers that it starts', () => {
  const starting = filesBelow('test')
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('closed-servers.test.ts'))
    .map((path) => ({ path, text: readFileSync(`test/${path}`, 'utf8') }))
    .filter(({ text }) => /(?:shared|start)TestApp\(/.test(text))
  expect(starting.length).toBeGreaterThan(100)
  // An open server works on beside the files that run later in its process.
  expect(starting.filter(({ text }) => !text.includes('.close(')).map(({ path }) => path)).toEqual([])
})
