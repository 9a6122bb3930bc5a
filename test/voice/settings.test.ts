import { afterAll, describe, expect, test } from 'vitest'
import { setSubscription } from '../../src/voice/subscription.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { askOwner, testKey } from '../support/database.ts'
import { cleanUp, command } from '../support/processes.ts'

const app = await startTestApp()
afterAll(async () => {
  await app.close()
  await cleanUp()
})

const twilio = { account_sid: `AC${'0a'.repeat(14)}c0de`, auth_token: 'b7d21f6f0e884c0f9d2f5c3a1e5e9f3e' }
const vapi = { api_key: 'vapi-private-5e7c1b20', assistant_id: 'assistant-0001', phone_number_id: 'short' }
const livekit = {
  ...{ url: 'wss://livekit.example.com', api_key: 'APIwTQmzq3xyzzy', api_secret: 'plugh-plover-xyzzy-0042' },
  ...{ sip_trunk_id: 'ST_4cQ2uXfE9vLp', agent_name: 'Front desk agent' },
}
const settings = '/voice/settings'
const shipped = {
  ...{ provider: 'simulator', credentials: null, kept_credentials: [], allow_premium: false },
  ...{ concurrent_call_cap: 10, calling_hours: null, version: 1, updated_at: null },
  ...{ callback_url: null, ai_disclosure: true, ai_disclosure_text: null },
  subscription: { status: 'active', included_minutes: null },
}

const change = async (org: TestOrg, body: object) => {
  const answer = await org.patch(settings, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
/** Where and how a change is refused; nothing has changed then. */
const refusals = async (org: TestOrg, body: object): Promise<[string, string, string][]> => {
  const before = (await org.get(settings)).text
  const answer = await org.patch(settings, body)
  expect(answer.status, answer.text).toBe(422)
  expect((await org.get(settings)).text).toBe(before)
  return answer.body.detail.map(({ loc, type, msg }: never) => [
    (loc as string[]).slice(1).join('.'),
    type,
    msg,
  ])
}

describe('the voice settings', () => {
  test('have their defaults until fields are changed', async () => {
    const org = await app.newOrg()
    const read = await org.get(settings)
    expect([read.body.data, read.headers.get('etag')]).toEqual([shipped, '"1"'])
    const hours = { start: '08:00', end: '21:00' }
    const changed = await change(org, { allow_premium: true, concurrent_call_cap: 3, calling_hours: hours })
    expect(changed).toEqual({
      ...shipped,
      ...{ allow_premium: true, concurrent_call_cap: 3, calling_hours: hours, version: 2 },
      updated_at: expect.any(Number),
    })
    expect(await change(org, { calling_hours: hours, allow_premium: true })).toEqual(changed)
    const readOnly = await org.patch(settings, { subscription: { status: 'canceled' }, version: 9 })
    expect(readOnly.body.detail).toMatchObject([
      { type: 'extra_forbidden', loc: ['body', 'subscription'] },
      { type: 'extra_forbidden', loc: ['body', 'version'] },
    ])
    const cleared = await change(org, { calling_hours: null })
    expect(cleared).toMatchObject({ subscription: shipped.subscription, version: 3, calling_hours: null })
    const { data } = (await org.get(`/events?object_id=${org.orgId}&type=voice_settings.updated`)).body
    expect(data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['calling_hours'],
      ['allow_premium', 'concurrent_call_cap', 'calling_hours'],
    ])
  })

  test('are refused with one error for each invalid field', async () => {
    const org = await app.newOrg()
    const bad = {
      ...{ provider: 'skype', credentials: 'sesame', allow_premium: 'maybe', concurrent_call_cap: 1001 },
      calling_hours: { start: '8:00', end: '24:00' },
    }
    expect((await refusals(org, bad)).map(([place, type]) => [place, type])).toEqual([
      ['provider', 'literal_error'],
      ['credentials', 'dict_type'],
      ['allow_premium', 'bool_type'],
      ['concurrent_call_cap', 'less_than_equal'],
      ['calling_hours.start', 'value_error'],
      ['calling_hours.end', 'value_error'],
    ])
    expect(await refusals(org, { concurrent_call_cap: 0, calling_hours: { start: '08:00' } })).toMatchObject([
      ['concurrent_call_cap', 'greater_than_equal', 'Input should be greater than or equal to 1'],
      ['calling_hours.end', 'missing', 'Field required'],
    ])
    expect(await refusals(org, { calling_hours: { start: '08:00', end: '08:00' } })).toEqual([
      ['calling_hours', 'value_error', expect.stringContaining('use null')],
    ])
  })
})

describe('the sentence that says an AI is calling', () => {
  test('is on by default, and the event of a change has the old and the new value', async () => {
    const org = await app.newOrg()
    const own = 'Hi, this is an AI calling for Acme.'
    await change(org, { ai_disclosure_text: `  ${own} ` })
    await change(org, { ai_disclosure: false })
    await change(org, { ai_disclosure: false, concurrent_call_cap: 11 })
    const back = await change(org, { ai_disclosure: true, ai_disclosure_text: null })
    expect(back).toMatchObject({ ai_disclosure: true, ai_disclosure_text: null, version: 5 })
    const { data } = (await org.get('/events?type=voice_settings.updated')).body
    expect(data.map(({ changed, data }: { changed: string[]; data: object }) => [changed, data])).toEqual([
      [
        ['ai_disclosure', 'ai_disclosure_text'],
        { ai_disclosure: { old: false, new: true }, ai_disclosure_text: { old: own, new: null } },
      ],
      [['concurrent_call_cap'], null],
      [['ai_disclosure'], { ai_disclosure: { old: true, new: false } }],
      [['ai_disclosure_text'], { ai_disclosure_text: { old: null, new: own } }],
    ])
  })

  test.each([
    ['', 'must have words'],
    [' \u200b\u00a0', 'must have words'],
    ['...', 'must have words'],
    ['AI {{name}}', 'must not have braces'],
    ['AI {% comment %}', 'must not have braces'],
    ['x'.repeat(301), 'at most 300'],
  ])('is refused as %j', async (text, words) => {
    const org = await app.newOrg()
    expect(await refusals(org, { ai_disclosure_text: text })).toEqual([
      ['ai_disclosure_text', 'value_error', expect.stringContaining(words)],
    ])
  })
})

describe('credentials', () => {
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
  ])('of %s are stored, and never shown', async (provider, credentials, hints) => {
    const org = await app.newOrg()
    const answer = await org.patch(settings, { provider, credentials })
    expect(answer.body.data).toEqual({
      ...shipped,
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

  test('are changed one by one', async () => {
    const org = await app.newOrg()
    await change(org, { provider: 'twilio', credentials: twilio })
    const rotated = await change(org, { credentials: { auth_token: 'a-new-token-that-ends-in-4242' } })
    expect(rotated).toMatchObject({ credentials: { account_sid: '…c0de', auth_token: '…4242' }, version: 3 })
    const same = await change(org, {
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

  test('stay when the provider changes, until null deletes them', async () => {
    const org = await app.newOrg()
    await change(org, { provider: 'twilio', credentials: twilio })
    await change(org, { provider: 'vapi', credentials: vapi })
    const simulated = await change(org, { provider: 'simulator' })
    expect(simulated).toMatchObject({ credentials: null, kept_credentials: ['vapi', 'twilio'] })
    expect((await change(org, { provider: 'twilio' })).credentials).toEqual({
      ...{ account_sid: '…c0de', auth_token: '…9f3e' },
    })
    expect(await refusals(org, { credentials: null })).toEqual([
      [
        'credentials',
        'value_error',
        expect.stringContaining('{"provider": "simulator", "credentials": null}'),
      ],
    ])
    const forgotten = await change(org, { provider: 'simulator', credentials: null })
    expect(forgotten).toMatchObject({ credentials: null, kept_credentials: [], version: 6 })
    expect(await change(org, { credentials: null })).toEqual(forgotten)
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
      "another provider's",
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
      'a misspelled one',
      { provider: 'twilio', credentials: { ...twilio, auth_tokn: 'x' } },
      [['credentials.auth_tokn', 'extra_forbidden']],
    ],
    [
      '__proto__',
      { provider: 'twilio', credentials: { ...twilio, constructor: 'x' } },
      [['credentials.constructor', 'extra_forbidden']],
    ],
    [
      'an empty one',
      { provider: 'twilio', credentials: { ...twilio, auth_token: ' ' } },
      [['credentials.auth_token', 'string_too_short']],
    ],
    [
      'no account',
      { provider: 'twilio', credentials: { ...twilio, account_sid: 'SK123' } },
      [['credentials.account_sid', 'value_error']],
    ],
    [
      'line breaks',
      { provider: 'twilio', credentials: { ...twilio, auth_token: 'a\r\nb: c' } },
      [['credentials.auth_token', 'value_error']],
    ],
    [
      'no web address',
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
    ['those of nobody', { credentials: twilio }, [['credentials', 'value_error']]],
  ])('are refused: %s', async (_what, body, expected) => {
    const org = await app.newOrg()
    const found = await refusals(org, body)
    expect(found.map(([place, type]) => [place, type])).toEqual(expected)
  })

  test('that cannot be decrypted count as missing, and can be entered again', async () => {
    const org = await app.newOrg()
    await change(org, { provider: 'twilio', credentials: twilio })
    await askOwner(app.databaseUrl, `update secret set key_id = 'other' where org_id = $1`, [org.orgId])
    const { data } = (await org.get(settings)).body
    expect(data).toMatchObject({ provider: 'twilio', credentials: null, kept_credentials: [] })
    expect((await org.patch(settings, { provider: 'twilio' })).status).toBe(422)
    expect((await change(org, { credentials: twilio })).kept_credentials).toEqual(['twilio'])
  })

  test('need the permission voice:manage; voice:write is not enough', async () => {
    const org = await app.newOrg()
    const key = await app.newKey(org.orgId, { permissions: ['voice:write'] })
    expect((await key.get(settings)).status).toBe(200)
    const refused = await key.patch(settings, { provider: 'twilio', credentials: twilio })
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('voice:manage')])
  })

  /** Every row of the org, as text. */
  async function everything(org: TestOrg): Promise<string> {
    const tables = await askOwner<{ name: string }>(
      app.databaseUrl,
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'org_id'`,
    )
    const parts = tables.map(({ name }) => `select t::text as row from "${name}" t where org_id = $1`)
    const rows = await askOwner<{ row: string }>(app.databaseUrl, parts.join(' union all '), [org.orgId])
    expect(rows.length).toBeGreaterThan(5)
    return rows.map(({ row }) => row).join('\n')
  }
})

describe('the subscription', () => {
  test('is set only by the operator', async () => {
    const org = await app.newOrg()
    const { orgId } = org
    const set = (input: object) => app.operateOn(orgId, (tx) => setSubscription(tx, input))
    expect(await set({ status: 'past_due', included_minutes: 500 })).toEqual({
      ...{ status: 'past_due', included_minutes: 500 },
    })
    expect(await set({ included_minutes: null })).toEqual({ status: 'past_due', included_minutes: null })
    expect((await org.get(settings)).body.data.subscription).toEqual({
      ...{ status: 'past_due', included_minutes: null },
    })
    await set({ status: 'past_due' })
    const { data } = (await org.get('/events?type=voice_subscription.updated')).body
    expect(data.map(({ changed, api_key_id }: never) => [changed, api_key_id])).toEqual([
      [['included_minutes'], null],
      [['status', 'included_minutes'], null],
    ])
    const own = app.app.context.database.org(orgId)
    const write = own.transact((tx) =>
      tx.run({ text: `update voice_subscription set status = 'active'`, values: [] }),
    )
    await expect(write).rejects.toMatchObject({ code: '42501' })
  })

  test('can be set by an operator command', async () => {
    const org = await app.newOrg()
    const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
    const line = `voice subscription ${org.orgId} --status canceled --included-minutes 90 --json`
    const set = await command(line, env)
    expect(JSON.parse(set.stdout)).toEqual({ org_id: org.orgId, status: 'canceled', included_minutes: 90 })
    expect((await org.get(settings)).body.data.subscription).toMatchObject({ status: 'canceled' })
  })
})

describe('numbers', () => {
  const add = (org: TestOrg, body: object) => org.post('/voice/numbers', body)

  test('are added in E.164, once, listed and removed', async () => {
    const org = await app.newOrg({ country: 'GB' })
    const added = await add(org, { number: '020 7946 0958', label: ' Front desk ', provider_ref: 'PN1' })
    expect([added.status, added.body.data]).toEqual([
      201,
      {
        ...{ number_id: expect.stringMatching(/^[0-9a-f-]{14}7/), number: '+442079460958' },
        ...{ label: 'Front desk', provider_ref: 'PN1', created_at: expect.any(Number) },
      },
    ])
    const again = await add(org, { number: '+44 (0)20 7946 0958' })
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('+442079460958')])
    expect((await add(await app.newOrg(), { number: '+442079460958' })).status).toBe(201)
    const other = (await add(org, { number: '+1 415 555 0100', label: '' })).body.data
    expect(other).toMatchObject({ label: null, provider_ref: null })
    const listed = (await org.get('/voice/numbers?limit=1')).body
    expect([listed.data, listed.pagination]).toMatchObject([[other], { total: 2, has_next: true }])
    const path = `/voice/numbers/${added.body.data.number_id}`
    const removed = await org.delete(path)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await org.delete(path)).status).toBe(404)
    expect((await org.get('/voice/numbers')).body.data).toEqual([other])
    expect((await add(org, { number: '+442079460958' })).status).toBe(201)
    const { data } = (await org.get(`/events?object_id=${added.body.data.number_id}`)).body
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      ...['voice_number.deleted', 'voice_number.created'],
    ])
  })

  test('that ten concurrent requests add exist once', async () => {
    const org = await app.newOrg()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(org, { number: '+14155550100' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('are refused if they are invalid', async () => {
    const org = await app.newOrg({ country: null })
    for (const number of ['12', '020 7946 0958', '+44 20', '+14155550100 x5', '']) {
      const { status, body } = await add(org, { number })
      expect([status, body.detail]).toMatchObject([422, [{ type: 'value_error', loc: ['body', 'number'] }]])
    }
    const { body } = await add(org, { label: 'x'.repeat(121), provider_ref: 5 })
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'number',
      'label',
      'provider_ref',
    ])
  })
})
