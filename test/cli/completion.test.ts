import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCrosswalk } from '../support/crosswalk-command.ts'
import { newDataDir } from '../support/processes.ts'

const home = newDataDir()
mkdirSync(join(home, 'crosswalk'), { recursive: true })
const profiles = { acme: { base_url: 'http://127.0.0.1:9' }, umbrella: { base_url: 'http://127.0.0.1:9' } }
writeFileSync(join(home, 'crosswalk', 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 })

test.each<[typed: string[], words: string[]]>([
  [['ev'], ['events']],
  [
    ['events', ''],
    ['feed', 'list', 'tail'],
  ],
  [
    ['profiles', 'use', ''],
    ['acme', 'umbrella'],
  ],
  [['whoami', '--profile', 'u'], ['umbrella']],
  [
    ['contacts', 'list', '--updated-'],
    ['--updated-at', '--updated-since'],
  ],
  [
    ['contacts', 'list', '-o', 'js'],
    ['json', 'jsonl'],
  ],
  [['contacts', 'create', '--lifecycle-stage', 'l'], ['lead']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['nothing', ''], []],
])('after %j, the completion suggests %j', async (typed, words) => {
  const { code, stdout } = await runCrosswalk(['__complete', ...typed], { env: { XDG_CONFIG_HOME: home } })
  expect([code, stdout.trim().split('\n').filter(Boolean)]).toEqual([0, words])
})

test('bash, zsh and fish each have a completion script', async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await runCrosswalk(['completion', shell])).stdout).toContain('crosswalk __complete')
  expect((await runCrosswalk(['completion', 'tcsh'])).code).toBe(2)
})
