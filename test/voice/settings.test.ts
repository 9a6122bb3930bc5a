import { afterAll, describe, expect, test } from 'vitest'
import { setSubscription } from '../../src/voice/subscription.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { cleanUp, command } from '../support/processes.ts'
import { changeVoiceSettings, defaults, refusals, settings } from '../support/voice-settings.ts'

const app = await sharedTestApp()
afterAll(async () => {
  await app.close()
  await cleanUp()
})

describe('PATCH /voice/settings', () => {
  test('the voice settings have their defaults until fields are changed', async () => {
    const org = await app.newOrg()
    const read = await org.get(settings)
    expect([read.body.data, read.headers.get('etag')]).toEqual([defaults, '"1"'])
    const hours = { start: '08:00', end: '21:00' }
    const changed = await changeVoiceSettings(org, {
      allow_premium: true,
      concurrent_call_cap: 3,
      calling_hours: hours,
    })
    expect(changed).toEqual({
      ...defaults,
      ...{ allow_premium: true, concurrent_call_cap: 3, calling_hours: hours, version: 2 },
      updated_at: expect.any(Number),
    })
    expect(await changeVoiceSettings(org, { calling_hours: hours, allow_premium: true })).toEqual(changed)
    const readOnly = await org.patch(settings, { subscription: { status: 'canceled' }, version: 9 })
    expect(readOnly.body.detail).toMatchObject([
      { type: 'extra_forbidden', loc: ['body', 'subscription'] },
      { type: 'extra_forbidden', loc: ['body', 'version'] },
    ])
    const cleared = await changeVoiceSettings(org, { calling_hours: null })
    expect(cleared).toMatchObject({ subscription: defaults.subscription, version: 3, calling_hours: null })
    const { data } = (await org.get(`/events?object_id=${org.orgId}&type=voice_settings.updated`)).body
    expect(data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['calling_hours'],
      ['allow_premium', 'concurrent_call_cap', 'calling_hours'],
    ])
  })

  test('the voice settings are refused with one error for each invalid field', async () => {
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

describe('ai_disclosure', () => {
  test('ai_disclosure is on by default, and the event of a change has the old and the new value', async () => {
    const org = await app.newOrg()
    const own = 'Hi, this is an AI calling for Acme.'
    await changeVoiceSettings(org, { ai_disclosure_text: `  ${own} ` })
    await changeVoiceSettings(org, { ai_disclosure: false })
    await changeVoiceSettings(org, { ai_disclosure: false, concurrent_call_cap: 11 })
    const back = await changeVoiceSettings(org, { ai_disclosure: true, ai_disclosure_text: null })
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
    ['', 'must contain words'],
    [' \u200b\u00a0', 'must contain words'],
    ['...', 'must contain words'],
    ['AI {{name}}', 'must not have braces'],
    ['AI {% comment %}', 'must not have braces'],
    ['x'.repeat(301), 'at most 300'],
  ])('ai_disclosure cannot be %j', async (text, words) => {
    const org = await app.newOrg()
    expect(await refusals(org, { ai_disclosure_text: text })).toEqual([
      ['ai_disclosure_text', 'value_error', expect.stringContaining(words)],
    ])
  })
})

describe('subscription', () => {
  test('only the operator can set the subscription', async () => {
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

  test('an operator command can set the subscription', async () => {
    const org = await app.newOrg()
    const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
    const line = `voice subscription ${org.orgId} --status canceled --included-minutes 90 --json`
    const set = await command(line, env)
    expect(JSON.parse(set.stdout)).toEqual({ org_id: org.orgId, status: 'canceled', included_minutes: 90 })
    expect((await org.get(settings)).body.data.subscription).toMatchObject({ status: 'canceled' })
  })
})

describe('phone numbers', () => {
  const add = (org: TestOrg, body: object) => org.post('/voice/numbers', body)

  test('a number can be added once, is stored in E.164, is listed, and can be removed', async () => {
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

  test('a number that ten concurrent requests add exists once', async () => {
    const org = await app.newOrg()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(org, { number: '+14155550100' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('numbers are refused if they are invalid', async () => {
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
