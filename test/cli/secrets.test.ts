import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { type CommandOptions, runCrosswalk } from '../support/crosswalk-command.ts'
import { newDataDir } from '../support/processes.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
let org: TestOrg
beforeAll(async () => {
  org = await app.newOrg({ name: 'Acme' })
})

const newHome = () => {
  const home = newDataDir()
  const file = join(home, 'crosswalk', 'config.json')
  const run = (args: string[], { env, ...options }: CommandOptions = {}) =>
    runCrosswalk(args, { ...options, env: { XDG_CONFIG_HOME: home, ...env } })
  const write = (config: object) => {
    mkdirSync(join(home, 'crosswalk'), { recursive: true })
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  }
  return { file, run, write }
}

describe('crosswalk login', () => {
  test('login checks the API key, and stores it in a file that only its user can read', async () => {
    const { file, run } = newHome()
    const ended = await run(['login', '--stdin', '--base-url', app.address], { stdin: `${org.token}\n` })
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toBe(
      `This is a live key of Acme.\nStored as profile default in ${file}, which only you can read.\n`,
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(JSON.parse((await run(['whoami'])).stdout)).toMatchObject({
      ...{ organization: 'Acme', org_id: org.orgId, mode: 'live', base_url: app.address },
      ...{ permissions: ['all'], key_from: 'profile default' },
    })
  })

  test('login asks for the API key on a terminal, and does not show it', async () => {
    const { run } = newHome()
    const terminal = ['stdin', 'stderr'] as const
    const stdin = `${org.token?.slice(0, -1)}x\u007f${org.token?.slice(-1)}\r`
    const ended = await run(['login', '--base-url', app.address], { terminal, stdin })
    expect(ended.stderr).toMatch(/^API key \(not shown\): \nThis is a live key of Acme\.\n/)
    expect(ended.stderr).not.toContain(org.token!.slice(9, 14))
  })

  test('login asks for the address and then for the API key', async () => {
    const { run } = newHome()
    const terminal = ['stdin', 'stderr'] as const
    const ended = await run(['login'], { terminal, stdin: [`${app.address}\n`, `${org.token}\r`] })
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toMatch(
      /^Address of Crosswalk .*: API key \(not shown\): \nThis is a live key of Acme\.\n/,
    )
  })

  test('login stores nothing if the server does not know the key', async () => {
    const { run } = newHome()
    const stdin = `svc_live_${'k'.repeat(40)}`
    const refused = await run(['login', '--stdin', '--base-url', app.address], { stdin })
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(JSON.parse((await run(['profiles'])).stdout)).toEqual([])
    expect((await run(['login'])).code).toBe(2)
  })

  test('login --command stores a command instead of the key', async () => {
    const { file, run } = newHome()
    const secret = join(file, '..', '..', 'key.txt')
    mkdirSync(join(secret, '..'), { recursive: true })
    writeFileSync(secret, `${org.token}\n`)
    expect((await run(['login', '--command', `cat '${secret}'`, '--base-url', app.address])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain(org.token)
    expect((await run(['contacts', 'list'])).stdout).toBe('[]\n')
    writeFileSync(secret, '')
    const failed = await run(['contacts', 'list'])
    expect([failed.code, failed.stderr]).toEqual([
      4,
      'crosswalk: api_key_command gave no API key: it printed nothing.\n',
    ])
  })
})

describe('profiles', () => {
  test('profiles are listed without keys, chosen, and removed', async () => {
    const { run, write } = newHome()
    const other = await app.newOrg({ name: 'Umbrella' })
    write({
      default: 'acme',
      profiles: {
        acme: { base_url: app.address, api_key: org.token },
        umbrella: { base_url: app.address, api_key: other.token },
      },
    })
    const listed = await run(['profiles'])
    expect(listed.stdout + listed.stderr).not.toMatch(/svc_/)
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'acme', default: true }, { name: 'umbrella' }])
    const nameOf = async (...args: string[]) =>
      JSON.parse((await run(['whoami', ...args])).stdout).organization
    expect(await nameOf()).toBe('Acme')
    expect(await nameOf('--profile', 'umbrella')).toBe('Umbrella')
    await run(['profiles', 'use', 'umbrella'])
    expect(await nameOf()).toBe('Umbrella')
    const near = await run(['whoami', '--profile', 'umbrela'])
    expect([near.code, near.stderr]).toEqual([2, expect.stringMatching(/Did you mean umbrella\?/)])
    await run(['profiles', 'remove', 'umbrella'])
    expect((await run(['whoami'])).code).toBe(4)
  })

  test('CROSSWALK_API_KEY has priority over a profile', async () => {
    const { run, write } = newHome()
    write({ default: 'a', profiles: { a: { base_url: app.address, api_key: `svc_live_${'k'.repeat(40)}` } } })
    const env = { CROSSWALK_API_KEY: org.token! }
    const { stdout, stderr } = await run(['whoami'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ organization: 'Acme', key_from: 'CROSSWALK_API_KEY' })
    expect(stderr).toBe('')
    const named = await run(['whoami', '--profile', 'a'], { env })
    expect(named.stderr).toMatch(
      /CROSSWALK_API_KEY is set, so its key is used, and not the one of profile a\./,
    )
  })

  test('a profile can act on a client of the agency', async () => {
    const agency = await app.newAgency()
    const { data } = (await agency.post('/agency/clients', { name: 'Client' })).body
    const { run, write } = newHome()
    const profile = { base_url: app.address, api_key: agency.token, target_org: data.org_id }
    write({ default: 'a', profiles: { a: profile } })
    expect(JSON.parse((await run(['whoami'])).stdout)).toMatchObject({ acting_on: 'Client' })
  })

  test('profiles are refused if other users can read their file, or if the file is damaged', async () => {
    const { file, run, write } = newHome()
    write({ profiles: {} })
    chmodSync(file, 0o644)
    const open = await run(['whoami'])
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining(`Run: chmod 600 ${file}`)])
    writeFileSync(file, `{"profiles": {"a": {"api_key": "${org.token}"`)
    chmodSync(file, 0o600)
    const damaged = await run(['whoami'])
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('it is not JSON')])
    expect(damaged.stderr).not.toContain(org.token)
  })
})

describe('the file of the profiles', () => {
  test('logins at the same time each keep their profile', async () => {
    const { file, run } = newHome()
    const names = Array.from({ length: 8 }, (_, n) => `profile-${n}`)
    const login = (name: string) =>
      run(['login', '--stdin', '--name', name, '--base-url', app.address], { stdin: org.token! })
    const ended = await Promise.all(names.map(login))
    expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0))
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).sort()).toEqual(names)
    expect(readdirSync(join(file, '..'))).toEqual(['config.json'])
  })

  test('login waits for the lock of another process, and ignores one that a killed process left', async () => {
    const { file, run, write } = newHome()
    write({ profiles: { acme: { base_url: app.address, api_key: org.token } } })
    writeFileSync(`${file}.lock`, '')
    const waiting = run(['profiles', 'use', 'acme'])
    await expect(Promise.race([waiting.then(() => 'ended'), delay(100, 'waits')])).resolves.toBe('waits')
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(`${file}.lock`, hourAgo, hourAgo)
    expect(await waiting).toMatchObject({ code: 0, stderr: 'The default profile is acme.\n' })
  })

  test('a symbolic link to the file stays a link', async () => {
    const { file, run, write } = newHome()
    write({ profiles: {} })
    const real = join(file, '..', 'dotfile.json')
    renameSync(file, real)
    symlinkSync(real, file)
    const args = ['login', '--stdin', '--base-url', app.address]
    expect((await run(args, { stdin: org.token! })).code).toBe(0)
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o600)
    expect(readFileSync(real, 'utf8')).toContain(org.token)
  })
})

describe('crosswalk api', () => {
  test('crosswalk api sends any request, prints the whole answer, and ends with the code for its status', async () => {
    const env = { CROSSWALK_URL: app.address, CROSSWALK_API_KEY: org.token! }
    const listed = await runCrosswalk(['api', 'get', '/contacts?limit=1'], { env })
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [], pagination: { limit: 1 } })
    const made = await runCrosswalk(['api', 'POST', '/contacts', '--data', '-'], {
      env,
      stdin: '{"first_name":"Ada","city":"Rome"}',
    })
    const { data } = JSON.parse(made.stdout)
    expect(data.city).toBe('Rome')
    const missing = await runCrosswalk(['api', 'GET', '/nothing'], { env })
    expect([missing.code, JSON.parse(missing.stdout).code]).toEqual([5, 'path_not_found'])
    expect((await runCrosswalk(['api', 'DELETE', `/contacts/${data.contact_id}`], { env })).code).toBe(2)
    const call = await runCrosswalk(['api', 'POST', '/api/v1/voice/calls', '--data', '{}'], { env })
    expect([call.code, call.stderr]).toEqual([2, expect.stringMatching(/Add --yes/)])
    expect((await runCrosswalk(['api', 'FETCH', '/contacts'], { env })).code).toBe(2)
  })
})
