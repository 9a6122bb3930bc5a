import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commonFlags } from '../../cli/src/flag.ts'
import { operations } from '../../cli/src/generated/operations.ts'
import { flagsOf } from '../../cli/src/operations/flags.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { type CommandOptions, runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
let org: TestOrg
beforeAll(async () => {
  org = await app.newOrg()
  for (const first_name of ['Ada', 'Grace', '=1+1', '\u001b[31mred'])
    await org.post('/contacts', { first_name, phone: '+14155550123', tags: ['vip', 'new'] })
})

const run = (args: string[], options: CommandOptions = {}) =>
  runCrosswalk(args, { ...options, env: { ...settingsOf(org), ...options.env } })

describe('the result of a command', () => {
  test('a result is JSON in a pipe, and standard output has nothing else', async () => {
    const { code, stdout, stderr } = await run(['contacts', 'list', '--limit', '2'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject([{ tags: ['vip', 'new'] }, { contact_id: expect.any(String) }])
  })

  test('a result on a terminal is a table that fits the width and shows control characters as text', async () => {
    for (const columns of [80, 160]) {
      const { stdout } = await run(['contacts', 'list'], {
        terminal: ['stdout'],
        columns,
        env: { NO_COLOR: '1' },
      })
      const [head, ...rows] = stdout.trimEnd().split('\n')
      expect(head).toMatch(/^contact_id {28}phone {8}/)
      expect(rows).toHaveLength(4)
      for (const line of [head, ...rows]) expect(line!.length).toBeLessThanOrEqual(columns)
      expect(stdout).toContain('\\u001b[31mred')
      expect(stdout).not.toContain('\u001b')
    }
  })

  test('a result on a plain terminal has a line of text for each field', async () => {
    const options = { terminal: ['stdout'], env: { CROSSWALK_PLAIN: '1' } } as const
    const { stdout } = await run(['contacts', 'list', '--columns', 'first_name,tags'], options)
    expect(stdout).toBe(
      'first_name: \\u001b[31mred\ntags: vip, new\n\nfirst_name: =1+1\ntags: vip, new\n\n' +
        'first_name: Grace\ntags: vip, new\n\nfirst_name: Ada\ntags: vip, new\n\n',
    )
  })

  test('a result as CSV has no cell that a spreadsheet runs as a formula', async () => {
    const { stdout } = await run(['contacts', 'list', '-o', 'csv', '--columns', 'first_name,phone'])
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'first_name,phone',
      '\u001b[31mred,+14155550123',
      "'=1+1,+14155550123",
    ])
  })

  test('a result with --all has every item of all pages, in each format', async () => {
    const { body } = await org.get('/contacts')
    const ids = body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
    const listed = await run(['contacts', 'list', '--all', '-o', 'id'])
    expect(listed.stdout).toBe(`${ids.join('\n')}\n`)
    const lines = await run(['contacts', 'list', '--all', '-o', 'jsonl'])
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).contact_id),
    ).toEqual(ids)
    const searched = await run(['contacts', 'search', '--all', '-o', 'json'])
    expect(JSON.parse(searched.stdout)).toHaveLength(4)
  })

  test('the result of a search without matches is an empty list', async () => {
    expect((await run(['contacts', 'list', '--q', 'nobody'])).stdout).toBe('[]\n')
    expect((await run(['contacts', 'list', '--q', 'nobody', '-o', 'csv'])).stdout).toBe('')
  })

  test('a list command filters by a field with an operator, and by a custom field', async () => {
    const more = await run(['contacts', 'list', '--version[gt]', '1', '--custom.plan', 'gold'])
    expect(more.stdout).toBe('[]\n')
  })

  test.each<[flag: string, value: string, count: number]>([
    ['--created-at[gte]', '2h', 4],
    ['--created_at[gte]', '2h', 4],
    ['--created-at[lt]', '2h', 0],
    ['--created-at[gte]', '2026-01-01', 4],
    ['--created-at[gt]', '-30d', 4],
    ['--created-at', 'today', 4],
    ['--created-at[gt]', 'today', 0],
    ['--first-name[in]', 'Ada,Grace', 2],
    ['--created-at[is_null]', 'true', 0],
  ])('a list command reads the filter %s %s, with hyphens or underscores', async (flag, value, count) => {
    const { stdout, stderr } = await run(['contacts', 'list', '--tag', 'vip', flag, value])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toHaveLength(count)
  })

  test('the error for an invalid filter by a time names the flag and the accepted values', async () => {
    const { code, stderr } = await run(['contacts', 'list', '--created-at[gte]', 'soon'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--created-at\[gte\] must be a time: Unix seconds/),
    ])
  })
})

describe('what a command changes', () => {
  test('a command reads changes from flags, from --set, from a JSON body, or from all of them', async () => {
    const { stdout } = await run(
      [
        ...['contacts', 'create', '--first_name', 'Ada', '--tags', 'one', '--tags', 'two'],
        ...['--set', 'custom.plan=pro', '--set', 'consent.email=granted', '--data', '-'],
      ],
      { stdin: '{"last_name": "Lovelace", "custom": {"seats": 3}}' },
    )
    const created = JSON.parse(stdout)
    expect(created).toMatchObject({
      ...{ first_name: 'Ada', last_name: 'Lovelace', tags: ['one', 'two'] },
      custom: { plan: 'pro', seats: 3 },
    })
    const cleared = await run(['contacts', 'update', created.contact_id, '--set', 'last_name=null'])
    expect(JSON.parse(cleared.stdout)).toMatchObject({ first_name: 'Ada', last_name: null })
    const late = await run(['contacts', 'update', created.contact_id, '--city', 'Rome', '--if-match', '1'])
    expect([late.code, late.stdout]).toEqual([1, ''])
    expect(late.stderr).toMatch(/version/)
  })

  test('a flag for JSON reads a file or standard input, so that credentials need not be in the command line', async () => {
    const create = ['crm', 'connections', 'create', '--provider', 'hubspot', '--dry-run', '--credentials']
    const stdin = '{"access_token": "from standard input"}'
    const path = join(mkdtempSync(join(tmpdir(), 'crosswalk-flag-')), 'credentials.json')
    writeFileSync(path, '{"access_token": "from a file"}')
    expect((await run([...create, '-'], { stdin })).stdout).toContain('"access_token": "from standard input"')
    expect((await run([...create, `@${path}`])).stdout).toContain('"access_token": "from a file"')
    expect(await run([...create, '@/nowhere'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('--dry-run prints the request without the API key, and sends nothing', async () => {
    const { code, stdout } = await run(['contacts', 'create', '--first-name', 'Nobody', '--dry-run'])
    expect([code, stdout]).toEqual([
      0,
      `POST ${org.address}/api/v1/contacts\ncontent-type: application/json\n\n{\n  "first_name": "Nobody"\n}\n`,
    ])
    expect((await run(['contacts', 'list', '--q', 'Nobody'])).stdout).toBe('[]\n')
  })

  test('a command asks first if it erases, deletes, pushes or calls, and is refused without a terminal', async () => {
    const { body } = await org.post('/contacts', { first_name: 'Erased' })
    const erase = ['contacts', 'erase', body.data.contact_id]
    const refused = await run(erase)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/Add --yes/)
    const terminal = ['stdin', 'stderr'] as const
    const no = await run(erase, { terminal, stdin: 'n\n' })
    expect(no).toMatchObject({ code: 1, stdout: '' })
    expect(no.stderr).toContain(`${body.data.contact_id}\nContinue? [y/N] `)
    expect((await org.get(`/contacts/${body.data.contact_id}`)).status).toBe(200)
    expect((await run(erase, { terminal, stdin: 'y\n' })).code).toBe(0)
    expect((await run(erase.concat('--yes'))).code).toBe(5)
    const asking = operations.filter(({ asks }) => asks).map(({ command }) => command)
    expect(asking).toEqual(
      expect.arrayContaining(['voice calls place', 'crm leads push', 'imports revert', 'api-keys delete']),
    )
  })
})

describe('a command with --target-org', () => {
  const agencyWithClient = async () => {
    const agency = await app.newAgency()
    const { org_id: clientId } = (await agency.post('/agency/clients', { name: 'Client' })).body.data
    return { env: settingsOf(agency), target: ['--target-org', clientId] }
  }

  test('a command of an agency reads the organization of its key once, and acts on the client', async () => {
    const { env, target } = await agencyWithClient()
    const { code, stdout, stderr } = await run(['organization', 'get', '--verbose', ...target], { env })
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ acting_on: { org_id: target[1] } })
    const listed = await run(['contacts', 'list', '--verbose', ...target], { env })
    expect(listed.stderr.match(/GET \S+/g)).toEqual([
      expect.stringMatching(/\/organization$/),
      expect.stringContaining('/contacts'),
    ])
  })

  test('--dry-run prints the request itself, with the target', async () => {
    const { env, target } = await agencyWithClient()
    const create = ['contacts', 'create', '--first-name', 'Nobody', '--dry-run']
    const { stdout } = await run([...create, ...target], { env })
    expect(stdout).toMatch(/^POST \S+\/contacts\n/)
    expect(stdout).toContain(`x-target-org-id: ${target[1]}`)
  })

  test.each([
    ['--target-org', ['--target-org='], {}],
    ['CROSSWALK_TARGET_ORG', [], { CROSSWALK_TARGET_ORG: '' }],
    ['--target-org', ['--target-org', 'Acme'], {}],
  ])('an empty %s or a name is refused, and nothing is sent', async (_name, flags, set) => {
    const { env } = await agencyWithClient()
    const ended = await run(['contacts', 'create', '--first-name', 'Lost', ...flags], {
      env: { ...env, ...set },
    })
    expect(ended).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('--target-org must be the id of an organization, not'),
    })
  })
})

describe('a command that cannot run', () => {
  test('a command with --target-org and a key that is not an agency key changes nothing, and says why', async () => {
    const client = await app.newOrg()
    const create = ['contacts', 'create', '--first-name', 'Lost', '--target-org', client.orgId]
    const { code, stdout, stderr } = await run(create)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^crosswalk: The target organization needs an agency key\. This API key acts only on Acme\./,
    )
    expect((await org.get('/contacts?first_name=Lost')).body.data).toEqual([])
    const own = await run(['contacts', 'list', '--limit', '1'], { env: { CROSSWALK_TARGET_ORG: org.orgId } })
    expect([own.code, own.stderr]).toEqual([0, ''])
  })

  test.each<[typed: string, code: number, says: RegExp]>([
    ['contacts lst', 2, /Did you mean: crosswalk contacts list\n/],
    ['contact list', 2, /Did you mean: crosswalk contacts list\n/],
    ['calls list', 2, /Did you mean: crosswalk voice calls list\n/],
    ['keys list', 2, /Did you mean:\n {2}crosswalk api-keys list\n {2}crosswalk write-keys list\n/],
    ['contacts delete 1', 2, /Did you mean:\n {2}crosswalk contacts activity list\n/],
    ['agency clients delete 1', 2, /\n {2}crosswalk agency clients unlink\n/],
    ['fetch 1', 2, /^crosswalk: There is no command "fetch 1"\.\nAll commands: crosswalk help\n$/],
    ['contacts', 2, /only the beginning of a command:\n {2}crosswalk contacts activity list\n/],
    ['--profile', 2, /^crosswalk: The command is missing\./],
    ['contacts list --limt 3', 2, /has no flag --limt\. Did you mean --limit\?/],
    ['contacts list --limit three', 2, /--limit must be a whole number, not "three"/],
    ['contacts list --updated-since tuesday', 2, /--updated-since must be a time: Unix seconds/],
    ['contacts list -o yaml', 2, /--output must be table, json, jsonl, csv, id, not "yaml"/],
    ['contacts get', 2, /<contact_id> is missing/],
    ['contacts get a b', 2, /"b" is an unexpected argument/],
    ['contacts create --data @/nowhere', 2, /The file \/nowhere is unreadable/],
    ['contacts list --profile work', 2, /There is no profile "work"/],
    ['contacts list --base-url ftp://x', 2, /the base URL must be the address/],
    ['contacts get 00000000-0000-7000-8000-000000000000', 5, /\(404 /],
    ['contacts create --email nonsense', 1, /^ {2}--email: /m],
    ['contacts create --tags a --tags', 2, /--tags/],
    ['contacts list --lifecycle-stage leed', 1, /^ {2}--lifecycle-stage: .*lead/m],
    ['contacts create --set consent.emial=x', 1, /--consent \(at emial\)|--set consent\.emial/],
  ])('the command crosswalk %s ends with the exit code %i', async (typed, code, says) => {
    const ended = await run(typed.split(' '))
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(says)
    expect(ended.stderr).not.toContain(org.token)
  })

  test('the error without an API key names the three ways to give one, and never repeats a key from a flag', async () => {
    const { code, stderr } = await runCrosswalk(['contacts', 'list'])
    expect(code).toBe(4)
    expect(stderr).toMatch(/crosswalk login .*\n.*CROSSWALK_API_KEY.*\n.*--command/)
    const flagged = await runCrosswalk(['contacts', 'list', '--api-key', org.token!])
    expect(flagged.code).toBe(2)
    expect(flagged.stderr).not.toContain(org.token)
    const word = await runCrosswalk(['whoami', org.token!])
    expect([word.code, word.stderr.includes(org.token!)]).toEqual([2, false])
  })

  test('a command ends with the exit code 4 for an unknown key or a missing permission, and with 75 without a server', async () => {
    const unknown = await run(['whoami'], { env: { CROSSWALK_API_KEY: `svc_live_${'k'.repeat(40)}` } })
    expect(unknown.code).toBe(4)
    const limited = await app.newKey(org.orgId, { permissions: ['companies:read'] })
    expect((await runCrosswalk(['contacts', 'list'], { env: settingsOf(limited) })).code).toBe(4)
    const nowhere = await run(['whoami'], { env: { CROSSWALK_URL: 'http://127.0.0.1:9' } })
    expect(nowhere.code).toBe(75)
    expect(nowhere.stderr).toMatch(/no answer from .*: trying again in/)
  })

  test('a command ends with the exit code 130 after Ctrl-C', async () => {
    expect((await run(['contacts', 'list'], { signal: AbortSignal.abort() })).code).toBe(130)
  })
})

test('an operation has the flags of its parameters and body, and none of them hides a flag of all commands', () => {
  for (const operation of operations) {
    const { command, ifMatch = false, file = false } = operation
    const names = Object.keys(flagsOf(operation))
    const found = { ifMatch: names.includes('if-match'), file: names.includes('file') }
    expect([command, found]).toEqual([command, { ifMatch, file }])
    expect(
      names.filter((name) => name in commonFlags),
      command,
    ).toEqual([])
  }
})
