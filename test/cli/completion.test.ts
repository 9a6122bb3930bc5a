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
  [
    ['--profile', 'acme', 'events', ''],
    ['feed', 'list', 'tail'],
  ],
  [['contacts', 'list', '--lifecycle-stage=l'], ['--lifecycle-stage=lead']],
  [['contacts', 'list', '--lifecycle-stage', '=', 'l'], ['lead']],
  [
    ['whoami', '--profile', '='],
    ['acme', 'umbrella'],
  ],
  [
    ['import', 'co'],
    ['contacts', 'companies'],
  ],
  [['import', '--map', 'a=b', 'contacts', ''], []],
  [['import', '-o', 'json', 'con'], ['contacts']],
])('after %j, the completion suggests %j', async (typed, words) => {
  const { code, stdout } = await runCrosswalk(['__complete', ...typed], { env: { XDG_CONFIG_HOME: home } })
  expect([code, stdout.trim().split('\n').filter(Boolean)]).toEqual([0, words])
})

test.each([
  ['bash', /^_crosswalk\(\) \{$[\s\S]+^\}$/m, /^complete -o default -F _crosswalk crosswalk$/m],
  ['zsh', /^_crosswalk\(\) \{$[\s\S]+; else _files; fi$[\s\S]+^\}$/m, /^compdef _crosswalk crosswalk$/m],
  [
    'fish',
    /^function __crosswalk_complete$[\s\S]+^ {4}__fish_complete_path [\s\S]+^end$/m,
    /^complete -c crosswalk -f -a '\(__crosswalk_complete\)'$/m,
  ],
])(
  'the script of %s registers a function that asks crosswalk, and that suggests files otherwise',
  async (shell, body, registration) => {
    const { stdout } = await runCrosswalk(['completion', shell])
    expect(stdout).toMatch(body)
    expect(stdout).toMatch(registration)
    expect(stdout.match(/crosswalk __complete .* 2>\/dev\/null/g)).toHaveLength(1)
    expect(stdout).not.toMatch(/undefined|\$\{?\}/)
  },
)

test('another shell has no completion script', async () => {
  expect((await runCrosswalk(['completion', 'tcsh'])).code).toBe(2)
})
