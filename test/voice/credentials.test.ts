import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { changeVoiceSettings, defaults, refusals, settings } from '../support/voice-settings.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const twilio = { account_sid: `AC${'0a'.repeat(14)}c0de`, auth_token: 'b7d21f6f0e884c0f9d2f5c3a1e5e9f3e' }
const vapi = { api_key: 'vapi-private-5e7c1b20', assistant_id: 'assistant-0001', phone_number_id: 'short' }
const livekit = {
  ...{ url: 'wss://livekit.example.com', api_key: 'APIwTQmzq3xyzzy', api_secret: 'plugh-plover-xyzzy-0042' },
  ...{ sip_trunk_id: 'ST_4cQ2uXfE9vLp', agent_name: 'Front desk agent' },
}

describe('provider credentials', () => {
  test.each([
    ['twilio', twilio, { account_sid: '…c0de', auth_token: '…9f3e' }],
    ['vapi', vapi, { api_key: '…1b20', assistant_id: '…0001', phone_number_id: '…' }],
    [
      'livekit',
      livekit,
      {
        ...{ url: '….com', api_key: '…yzzy', api_secret: '…0042', sip_trunk_id: '…9vLp' },
        agent_name: '…gent',
      },
    ],
  ])('credentials of %s are stored, and never shown', async (provider, credentials, hints) => {
    const org = await app.newOrg()
    const answer = await org.patch(settings, { provider, credentials })
    expect(answer.body.data).toEqual({
      ...defaults,
      ...{ provider, credentials: hints, kept_credentials: [provider], version: 2 },
      updated_at: expect.any(Number),
    })
    const said = [answer.text, (await org.get(settings)).text, (await org.get('/events')).text].join('')
    const stored = await everything(org)
    for (const value of Object.values(credentials)) {
      expect(said).not.toContain(value)
      expect(stored).not.toContain(value)
      expect(stored).not.toContain(Buffer.from(value).toString('hex'))
    }
    const { secrets, database } = app.app.context
    const opened = await database
      .org(org.orgId)
      .read((tx) => secrets.open(tx, org.orgId, `voice.${provider}`))
    expect(JSON.parse(opened!)).toEqual(credentials)
  })

  test('each credential can be changed separately', async () => {
    const org = await app.newOrg()
    await changeVoiceSettings(org, { provider: 'twilio', credentials: twilio })
    const rotated = await changeVoiceSettings(org, {
      credentials: { auth_token: 'a-new-token-that-ends-in-4242' },
    })
    expect(rotated).toMatchObject({ credentials: { account_sid: '…c0de', auth_token: '…4242' }, version: 3 })
    const same = await changeVoiceSettings(org, {
      provider: 'twilio',
      credentials: { account_sid: ` ${twilio.account_sid}` },
    })
    expect(same).toEqual(rotated)
    const { data } = (await org.get('/events?type=voice_settings.updated')).body
    expect(data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['credentials'],
      ['provider', 'credentials'],
    ])
  })

  test('credentials are kept when the provider changes, until null deletes them', async () => {
    const org = await app.newOrg()
    await changeVoiceSettings(org, { provider: 'twilio', credentials: twilio })
    await changeVoiceSettings(org, { provider: 'vapi', credentials: vapi })
    const simulated = await changeVoiceSettings(org, { provider: 'simulator' })
    expect(simulated).toMatchObject({ credentials: null, kept_credentials: ['vapi', 'twilio'] })
    expect((await changeVoiceSettings(org, { provider: 'twilio' })).credentials).toEqual({
      ...{ account_sid: '…c0de', auth_token: '…9f3e' },
    })
    expect(await refusals(org, { credentials: null })).toEqual([
      [
        'credentials',
        'value_error',
        expect.stringContaining('{"provider": "simulator", "credentials": null}'),
      ],
    ])
    const forgotten = await changeVoiceSettings(org, { provider: 'simulator', credentials: null })
    expect(forgotten).toMatchObject({ credentials: null, kept_credentials: [], version: 6 })
    expect(await changeVoiceSettings(org, { credentials: null })).toEqual(forgotten)
    expect(await refusals(org, { provider: 'twilio' })).toEqual([
      ['credentials', 'value_error', expect.stringContaining('twilio needs {account_sid, auth_token}')],
    ])
  })

  test.each<[string, object, [string, string][]]>([
    ['none', { provider: 'vapi' }, [['credentials', 'value_error']]],
    [
      'some',
      { provider: 'vapi', credentials: { api_key: 'k' } },
      [
        ['credentials.assistant_id', 'missing'],
        ['credentials.phone_number_id', 'missing'],
      ],
    ],
    [
      "another provider's credentials",
      { provider: 'twilio', credentials: vapi },
      [
        ['credentials.api_key', 'extra_forbidden'],
        ['credentials.assistant_id', 'extra_forbidden'],
        ['credentials.phone_number_id', 'extra_forbidden'],
        ['credentials.account_sid', 'missing'],
        ['credentials.auth_token', 'missing'],
      ],
    ],
    [
      'a misspelled credential',
      { provider: 'twilio', credentials: { ...twilio, auth_tokn: 'x' } },
      [['credentials.auth_tokn', 'extra_forbidden']],
    ],
    [
      '__proto__',
      { provider: 'twilio', credentials: { ...twilio, constructor: 'x' } },
      [['credentials.constructor', 'extra_forbidden']],
    ],
    [
      'an empty credential',
      { provider: 'twilio', credentials: { ...twilio, auth_token: ' ' } },
      [['credentials.auth_token', 'string_too_short']],
    ],
    [
      'an account_sid of another form',
      { provider: 'twilio', credentials: { ...twilio, account_sid: 'SK123' } },
      [['credentials.account_sid', 'value_error']],
    ],
    [
      'line breaks',
      { provider: 'twilio', credentials: { ...twilio, auth_token: 'a\r\nb: c' } },
      [['credentials.auth_token', 'value_error']],
    ],
    [
      'a url without https://',
      { provider: 'livekit', credentials: { ...livekit, url: 'livekit.example.com' } },
      [['credentials.url', 'value_error']],
    ],
    [
      'a password in the address',
      { provider: 'livekit', credentials: { ...livekit, url: 'https://a:b@c.example' } },
      [['credentials.url', 'value_error']],
    ],
    [
      'a number',
      { provider: 'twilio', credentials: { ...twilio, auth_token: 5 } },
      [['credentials.auth_token', 'string_type']],
    ],
    ['credentials without a provider', { credentials: twilio }, [['credentials', 'value_error']]],
  ])('credentials are refused: %s', async (_what, body, expected) => {
    const org = await app.newOrg()
    const found = await refusals(org, body)
    expect(found.map(([place, type]) => [place, type])).toEqual(expected)
  })

  test('a new address of LiveKit needs all other credentials again, so that no other server gets signed tokens', async () => {
    const org = await app.newOrg()
    await changeVoiceSettings(org, { provider: 'livekit', credentials: livekit })
    const url = 'wss://thief.example.com'
    const others = ['api_key', 'api_secret', 'sip_trunk_id', 'agent_name']
    const found = await refusals(org, { credentials: { url } })
    expect(found.map(([place, type]) => [place, type])).toEqual(
      others.map((member) => [`credentials.${member}`, 'value_error']),
    )
    await changeVoiceSettings(org, { credentials: { url: livekit.url, agent_name: 'Night desk agent' } })
    await changeVoiceSettings(org, { credentials: { ...livekit, url } })
  })

  test('credentials that cannot be decrypted count as missing, and can be entered again', async () => {
    const org = await app.newOrg()
    await changeVoiceSettings(org, { provider: 'twilio', credentials: twilio })
    await runAsOwner(app.databaseUrl, `update secret set key_id = 'other' where org_id = $1`, [org.orgId])
    const { data } = (await org.get(settings)).body
    expect(data).toMatchObject({ provider: 'twilio', credentials: null, kept_credentials: [] })
    expect((await org.patch(settings, { provider: 'twilio' })).status).toBe(422)
    expect((await changeVoiceSettings(org, { credentials: twilio })).kept_credentials).toEqual(['twilio'])
  })

  test('credentials need the permission voice:manage; voice:write is not enough', async () => {
    const org = await app.newOrg()
    const key = await app.newKey(org.orgId, { permissions: ['voice:write'] })
    expect((await key.get(settings)).status).toBe(200)
    const refused = await key.patch(settings, { provider: 'twilio', credentials: twilio })
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('voice:manage')])
  })

  async function everything(org: TestOrg): Promise<string> {
    const tables = await runAsOwner<{ name: string }>(
      app.databaseUrl,
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'org_id'`,
    )
    const parts = tables.map(({ name }) => `select t::text as row from "${name}" t where org_id = $1`)
    const rows = await runAsOwner<{ row: string }>(app.databaseUrl, parts.join(' union all '), [org.orgId])
    expect(rows.length).toBeGreaterThan(5)
    return rows.map(({ row }) => row).join('\n')
  }
})
