import { afterAll, expect, test } from 'vitest'
import { apiDocument } from '../../src/api-document.ts'
import type { CodeSample } from '../../src/platform/http/code-samples.ts'
import { pages } from '../support/markdown.ts'
import { cleanUp } from '../support/processes.ts'
import { everyEndpoint } from '../support/walk.ts'
import { programOf, typeErrors } from './programs.ts'

afterAll(cleanUp)

// Each code block of this page is a program of its own. All blocks of any other page form one program.
const severalPrograms = 'docs/guides/receive-webhooks.md'

test('TypeScript accepts every program of the docs, and the sample of every endpoint', async () => {
  const { paths } = apiDocument('http://127.0.0.1:8080')
  const samples = everyEndpoint.map(([, { method, path, sdk }]) => {
    const operation = paths[path]?.[method.toLowerCase()] as { 'x-codeSamples': CodeSample[] }
    const sample = operation['x-codeSamples'].find(({ lang }) => lang === 'typescript')
    return [sdk, sample?.source ?? ''] as const
  })
  expect(samples.filter(([, source]) => source === '')).toEqual([])

  const programs = pages.flatMap(({ file, blocks }) => {
    const own = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
    const name = file.replaceAll(/\W/g, '-')
    if (file === severalPrograms) return own.map((text, at) => [`${name}-${at}`, text] as const)
    return own.length > 0 ? [[name, programOf(file)] as const] : []
  })
  expect(programs.length).toBeGreaterThan(10)

  // Compile them all at once, because the compiler takes seconds to load.
  expect(await typeErrors(Object.fromEntries([...samples, ...programs]))).toBe('')
})
