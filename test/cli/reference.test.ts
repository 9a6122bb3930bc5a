import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsBelow } from '../../cli/src/find-command.ts'
import { withCliReference } from '../../scripts/generate-cli-reference.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { runCrosswalk, shellWords } from '../support/crosswalk-command.ts'

test("docs/reference/cli.md lists every command ('npm run generate' writes it)", async () => {
  const page = readFileSync(join(projectRoot, 'docs/reference/cli.md'), 'utf8')
  expect(page === (await withCliReference(page))).toBe(true)
})

test('the help without a command fits a terminal of 80 columns', async () => {
  const { stdout } = await runCrosswalk(['help'], { terminal: ['stdout'], columns: 80 })
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
})

test('flags before the command do not change its help', async () => {
  const help = async (...args: string[]) => (await runCrosswalk(args)).stdout
  expect(await help('--profile', 'acme', '--help')).toBe(await help('help'))
  expect(await help('--profile', 'acme', 'contacts', 'list', '-h')).toBe(
    await help('help', 'contacts', 'list'),
  )
})

test('each command has a help page, whose examples are commands with known flags', async () => {
  for (const { name, examples = [] } of await commandsBelow([])) {
    if (name === 'admin') continue
    const { code, stdout } = await runCrosswalk([...name.split(' '), '--help'])
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: crosswalk ${name}`)])
    for (const example of examples) {
      const words = shellWords(example.replace(/ (<|>>) .*/, ''))
      const { stderr } = await runCrosswalk(words.concat('--help'))
      expect(stderr, example).toBe('')
    }
  }
})
