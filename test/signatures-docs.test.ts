import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../src/platform/config.ts'
import { allowedTags } from '../src/signatures/compile/engine.ts'
import { allowedFilters } from '../src/signatures/compile/filters.ts'
import { startTestApp, type TestApp } from './app.ts'

const doc = readFileSync(join(projectRoot, 'docs/signatures.md'), 'utf8')
const run = promisify(execFile)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** The commands of a console block, each with what it is said to print. */
function stepsOf(block: string): { command: string; printed: string }[] {
  return block.split(/^\$ /m).flatMap((step) => {
    if (step.trim() === '') return []
    const at = step.search(/^\{/m)
    return at < 0
      ? [{ command: step, printed: '' }]
      : [{ command: step.slice(0, at), printed: step.slice(at).trim() }]
  })
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** What an example leaves out (…) may be anything; so may ids and times. */
function patternOf(printed: string): RegExp {
  const any = printed
    .replaceAll(new RegExp(uuid, 'g'), '…')
    .replaceAll(/[0-9a-f]{8}-…/g, '…')
    .replaceAll(/(?<=_at":)\d+/g, '…')
  return new RegExp(
    `^${any
      .split(/\s*…\s*/)
      .map(RegExp.escape)
      .join('.*')}$`,
    's',
  )
}

test('the first signature of the docs goes as they say, word for word', async () => {
  const org = await app.newOrg({ name: 'Demo' })
  const block = /## A first signature.*?```\n(.*?)```/s.exec(doc)![1]!
  const steps = stepsOf(block)
  expect(steps.length).toBeGreaterThan(4)
  // The example's template has an id of its own.
  let templateId: string | undefined
  for (const { command, printed } of steps.slice(1)) {
    const own = templateId ? command.replaceAll(new RegExp(uuid, 'g'), templateId) : command
    const script = `API=${app.address}/api/v1 KEY=${org.token}\n${own.replaceAll('curl ', 'curl -s ')}`
    const { stdout } = await run('bash', ['-c', script])
    expect(stdout).toMatch(patternOf(printed))
    templateId ??= JSON.parse(stdout).data.template_id
  }
})

const namesAfter = (title: string) =>
  new RegExp(`\\*\\*${title}\\*\\*: ([^.]*)\\.`).exec(doc)![1]!.split(/,\s/)

test('the docs name all filters and tags, and no other', () => {
  expect(namesAfter('Filters')).toEqual(allowedFilters)
  const tags = namesAfter('Tags').map((name) => name.replace(/ \(.*/s, ''))
  expect(tags.filter((name) => !allowedTags.includes(name))).toEqual([])
})
