import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../cli/src/generated/version.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'

const folder = fileNamed('cli-user')
const installed = join(folder, 'node_modules/@crosswalk/cli')
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

beforeAll(() => {
  mkdirSync(installed, { recursive: true })
  run('npm', 'pack', join(projectRoot, 'cli'), '--loglevel=error')
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  run('tar', '-xzf', tarball ?? '', '-C', installed, '--strip-components=1')
})
afterAll(cleanUp)

test('the packed command runs without other packages', () => {
  const program = join(installed, 'dist/cli/src/main.js')
  expect(run(process.execPath, program, '--version')).toBe(`crosswalk ${version}\n`)
  expect(run(process.execPath, program, 'contacts', 'list', '--help')).toMatch(/^List contacts/)
  const dry = run(process.execPath, program, 'contacts', 'create', '--first-name', 'Ada', '--dry-run')
  expect(dry).toMatch(/^POST http:\/\/127\.0\.0\.1:8080\/api\/v1\/contacts\n/)
})

test('the packed command has its license and its README, and no tests', () => {
  const files = readdirSync(installed, { recursive: true }).map(String)
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/sdk/src/main.js']))
  expect(files.filter((file) => /test|\.tsbuildinfo|\.ts$/.test(file))).toEqual([])
})
