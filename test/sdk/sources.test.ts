import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'

const folder = join(projectRoot, 'sdk/src')
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

test('only one entry of the SDK uses Node.js, so that the others run in every runtime', () => {
  const isOfNode = /from '(?!\.)|\bprocess\.|\bBuffer\b|\brequire\(/
  expect(sources.filter(({ text }) => isOfNode.test(text)).map(({ name }) => name)).toEqual(['node.ts'])
})

test('no file of the SDK that people write has more than 300 lines', () => {
  expect(sources.length).toBeGreaterThan(10)
  expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ name }) => name)).toEqual([])
})
