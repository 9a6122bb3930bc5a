import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClient } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { Browser } from '../support/members.ts'
import { type Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'
import { expectWithin } from '../support/within.ts'

afterAll(cleanUp)

const env = { DATA_DIR: newDataDir(), DEMO: '0' }
let server: Child
let address: string

async function run(args: string) {
  const { code, stdout, stderr } = await command(`${args} --json`, env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}

const statusOf = async (token: string, path = '/contacts') =>
  (await new TestClient(address, token).get(path)).status

let acme: { org_id: string; api_key_id: string; api_key_token: string }
let url: string

describe('commands without a running server', () => {
  test.each([
    'orgs list',
    'import contacts - --org 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a',
    'jobs list',
    'database-url',
    'doctor --check-merges',
  ])(
    'without a running server, `%s` creates no database, and its error names the folder and how to choose another',
    async (args) => {
      const { code, stderr } = await command(args, env)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^There is no database in ${env.DATA_DIR}: .*DATA_DIR=.* npm run`)),
      ])
      expect(existsSync(env.DATA_DIR)).toBe(false)
    },
  )

  test('without a running server, `doctor` succeeds, and creates no database', async () => {
    const { code, stdout } = await command('doctor', env)
    expect([code, stdout]).toEqual([0, expect.stringContaining('not created yet')])
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })

  test('without a running server, `doctor` warns about a misspelled setting, in lines of at most 80 characters', async () => {
    const { code, stdout } = await command('doctor', { ...env, TRUST_PROXI: '1' })
    expect(code).toBe(0)
    const warnings = stdout.slice(stdout.indexOf('Warning:'))
    expect(warnings.replaceAll('\n', ' ')).toContain(
      'Warning: TRUST_PROXI is not a setting and is not read. Did you mean TRUST_PROXY?',
    )
    expect(Math.max(...warnings.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('without a running server, `orgs create` creates the database', async () => {
    acme = await run('orgs create Acme --country us')
    expect(acme).toEqual({
      org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key_token: expect.stringMatching(/^svc_live_\w{30,}$/),
    })
  })

  test('without a running server, `database-url` says that no server runs', async () => {
    const { code, stdout, stderr } = await command('database-url --json', env)
    expect([code, stderr]).toEqual([0, expect.stringContaining('No server runs')])
    url = JSON.parse(stdout).database_url
    await expect(runAsOwner(url, 'select')).rejects.toThrow()
  })
})

describe('commands with a running server', () => {
  beforeAll(async () => {
    server = startServer(env)
    address = (await server.says(/is ready at (http\S+)/))[1]!
  })

  test('while a server runs, the commands use the database of that server', async () => {
    expect(await statusOf(acme.api_key_token)).toBe(200)
    expect(await run('database-url')).toEqual({ database_url: url })
    expect(await runAsOwner(url, 'select name, default_country as country from org')).toEqual([
      { name: 'Acme', country: 'US' },
    ])
    expect(await run('migrate')).toEqual({ applied: [] })
  })

  test('`orgs` creates, lists, links and unlinks organizations in a running server', async () => {
    const agency = await run('orgs create Agency --agency')
    const { orgs } = await run('orgs list')
    expect(orgs).toMatchObject([
      { org_id: acme.org_id, name: 'Acme', is_agency: false, default_country: 'US', contacts: 0 },
      { org_id: agency.org_id, name: 'Agency', is_agency: true, requests_per_second: 50 },
    ])
    const key = new TestClient(address, agency.token)
    const headers = { 'x-target-org-id': acme.org_id }
    const status = async () => (await key.get('/contacts', { headers })).status
    expect(await status()).toBe(403)
    const both = `${agency.org_id} ${acme.org_id}`
    expect(await run(`orgs link ${both}`)).toMatchObject({ linked: true })
    await expectWithin(2_000, status, 200)
    expect((await command(`orgs link ${both}`, env)).stdout).toBe(
      'They were linked already: Agency is an agency of Acme, and may do everything there.\n',
    )
    const made = (await key.post('/api-keys', { name: 'Left behind' }, { headers })).body
    const unlinked = await command(`orgs unlink ${both}`, env)
    expect(unlinked.stdout).toMatch(
      new RegExp(`^Unlinked\\.\n.*still work:\n +${made.api_key_id}  Left behind`),
    )
    await expectWithin(2_000, status, 403)
    expect(await statusOf(made.api_key_token)).toBe(200)
    expect(await run(`orgs unlink ${both} --revoke`)).toMatchObject({
      ...{ unlinked: false, revoked: true, keys: [{ api_key_id: made.api_key_id, name: 'Left behind' }] },
    })
    await expectWithin(2_000, () => statusOf(made.api_key_token), 401)
    const nobody = '0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a'
    for (const pair of [`${nobody} ${acme.org_id}`, `${agency.org_id} ${nobody}`]) {
      const { code, stderr } = await command(`orgs unlink ${pair}`, env)
      expect([code, stderr]).toEqual([1, expect.stringMatching(`^No organization has the id ${nobody};`)])
    }
    expect(await statusOf(acme.api_key_token)).toBe(200)
  })

  test('a limit that is set with `orgs limits` applies in a running server within 2 s', async () => {
    const limit = async () =>
      (await new TestClient(address, acme.api_key_token).get('/organization')).headers.get(
        'x-ratelimit-limit-second',
      )
    expect(await limit()).toBe('50')
    const limits = await run(`orgs limits ${acme.org_id}`)
    expect(limits).toEqual({ org_id: acme.org_id, per_second: 50, per_minute: expect.any(Number) })
    expect(await run(`orgs limits ${acme.org_id} --per-second 7`)).toEqual({ ...limits, per_second: 7 })
    await expectWithin(2_000, limit, '7')
    await run(`orgs limits ${acme.org_id} --per-second none --per-minute none`)
    await expectWithin(2_000, limit, null)
  })

  test('`members link` makes an owner of a running server, and recovers the account of a member', async () => {
    const link = (more = '') => run(`members link ada@acme.example --org ${acme.org_id} ${more}`)
    const [invited, browser] = [await link('--role owner'), new Browser(address, null)]
    expect(invited).toMatchObject({
      kind: 'invite',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/invite#[\w-]{27}$/),
    })
    const use = (url: string, password: string) =>
      browser.post('/links/use', { token: url.split('#')[1], name: 'Ada', password })
    const { body } = await use(invited.url, 'seven green bicycles')
    expect(body.data.memberships).toMatchObject([{ org_id: acme.org_id, role: 'owner' }])
    const recovery = await link()
    expect(recovery).toMatchObject({ kind: 'recovery', url: expect.stringContaining('/console/recovery#') })
    expect((await use(recovery.url, 'five blue umbrellas')).status).toBe(200)
    const { org_id: other } = await run('orgs create Other')
    const elsewhere = await run(`members link ada@acme.example --org ${other}`)
    expect(elsewhere).toMatchObject({ kind: 'invite', member_of: [acme.org_id] })
  })

  test('`keys` creates every kind of API key in a running server, and a revoked key stops working within 2 s', async () => {
    const [plain, testing, legacy] = await Promise.all([
      run(`keys create ${acme.org_id} --name Sync`),
      run(`keys create ${acme.org_id} --mode test`),
      run(`keys create ${acme.org_id} --legacy`),
    ])
    expect(plain).toMatchObject({ org_id: acme.org_id, name: 'Sync', mode: 'live', is_agency: false })
    expect(testing).toMatchObject({ mode: 'test', api_key_token: expect.stringMatching(/^svc_test_/) })
    expect(legacy.api_key_token).toMatch(/^[A-Za-z0-9]{20,}$/)
    const { body } = await new TestClient(address, testing.api_key_token).get('/organization')
    expect(body.data).toMatchObject({ mode: 'test', key: { api_key_id: testing.api_key_id } })
    expect(await statusOf(legacy.api_key_token)).toBe(200)
    expect(await statusOf(plain.api_key_token)).toBe(200)
    expect(await run(`keys revoke ${plain.api_key_id}`)).toEqual({
      api_key_id: plain.api_key_id,
      revoked: true,
    })
    await expectWithin(2_000, () => statusOf(plain.api_key_token), 401)
    expect(await statusOf(legacy.api_key_token)).toBe(200)
  })

  test('`doctor` shows the settings and connectivity of a running server, and no secret', async () => {
    const { code, stdout } = await command('doctor', {
      ...{ ...env, METRICS_TOKEN: 'geheim geheim geheim', VAPI_API_URL: 'https://me:geheim@vapi.example' },
    })
    expect(code).toBe(0)
    for (const line of [
      /^postgres +\d+/m,
      /^schema +up to date/m,
      /^tenant_isolation +in force/m,
      /^temporary_tables +refused/m,
      /^metrics_token +set/m,
      /^console +false/m,
      /^oauth_registration +true/m,
      /^outbound_allow_private +false/m,
      /^hubspot_api_url +https:/m,
    ]) {
      expect(stdout).toMatch(line)
    }
    expect(stdout).not.toMatch(/geheim/)
    expect(stdout).not.toContain(new URL(url).password)
    expect(await run('doctor --check-merges')).toMatchObject({
      ...{ database: 'embedded', data_dir: env.DATA_DIR, port: 8080 },
      ...{ merged_records_checked: 0, merged_records_wrong: 0 },
    })
  })

  test.each<[string, RegExp]>([
    ['nonsense', /no command "nonsense"[\s\S]*Usage:[\s\S]*orgs create/],
    ['orgs', /"orgs" is only the beginning of a command[\s\S]*orgs list/],
    ['orgs make', /no command "orgs make"[\s\S]*orgs list/],
    ['orgs create', /^<name> is missing\.\nUsage: .*orgs create <name>/],
  ])('%s is refused with an explanation', async (args, says) => {
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(says) }
    expect(await command(args, env)).toEqual(refused)
  })

  test.each(['', 'orgs create --help', 'help orgs'])('the command line %j shows help', async (args) => {
    const { code, stdout, stderr } = await command(args, {})
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('orgs create <name> [--agency] [--country <code>]')
    expect(stdout.includes('jobs list')).toBe(args === '')
    expect(stdout.split('\n').every((line) => line.length <= 110)).toBe(true)
  })
})
