import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../cli/src/generated/operations.ts'
import { version } from '../../cli/src/generated/version.ts'
import { cliSources } from '../../scripts/generate-cli.ts'
import { endpoints } from '../../src/api.ts'
import { projectRoot } from '../../src/platform/config.ts'

test("the generated commands match the endpoints ('npm run generate' writes them)", () => {
  for (const [path, source] of Object.entries(cliSources()))
    expect(readFileSync(join(projectRoot, path), 'utf8') === source, path).toBe(true)
})

test('each endpoint has one command', () => {
  expect(operations.map(({ sdk }) => sdk).sort()).toEqual(endpoints.map(({ sdk }) => sdk).sort())
  expect(new Set(operations.map(({ command }) => command)).size).toBe(endpoints.length)
})

test('the package of the command has the version of Crosswalk', () => {
  expect(JSON.parse(readFileSync(join(projectRoot, 'cli/package.json'), 'utf8')).version).toBe(version)
})

test.each(['cli', 'sdk'])('the README of the package %s links to no file outside the package', (folder) => {
  const readme = readFileSync(join(projectRoot, folder, 'README.md'), 'utf8')
  expect(readme.match(/\]\((?!https:)[^)]*\)/g)).toBeNull()
})
