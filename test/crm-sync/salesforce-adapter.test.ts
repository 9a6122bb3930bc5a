import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrmPerson } from '../../src/crm-sync/adapters/adapter.ts'
import { AccessRefused, Unavailable } from '../../src/crm-sync/adapters/adapter.ts'
import { SalesforceAdapter, type SalesforceOptions } from '../../src/crm-sync/adapters/salesforce.ts'
import { accessOf, audienceOf, type SalesforceAccess } from '../../src/crm-sync/adapters/salesforce-access.ts'
import { failureOf } from '../../src/crm-sync/adapters/salesforce-answers.ts'
import { Outbound } from '../../src/platform/outbound/outbound.ts'
import { locked, rowFault, SalesforceStandIn } from '../support/stand-ins/salesforce.ts'
import type { SalesforceOrg } from '../support/stand-ins/salesforce-org.ts'

let standIn: SalesforceStandIn
beforeAll(async () => {
  standIn = await SalesforceStandIn.start()
})
afterAll(() => standIn.close())

let made = 0
function newAdapter(more: Partial<SalesforceOptions> = {}) {
  const { org, credentials } = standIn.newOrg()
  const options: SalesforceOptions = {
    ...{ outbound: new Outbound({ allowPrivate: true }), loginUrl: standIn.server.url, credentials },
    ...{
      owner: 'org',
      connectionId: `connection-${++made}`,
      keyField: 'Crosswalk_Id__c',
      allowDuplicates: false,
    },
    store: { read: async () => credentials, replace: async () => {} },
    ...more,
  }
  return { org, options, adapter: new SalesforceAdapter(options) }
}

const person = (key: string): CrmPerson => ({
  ...{ key, externalId: null, email: `${key}@example.com` },
  values: { LastName: key, Company: 'Engines', Email: `${key}@example.com` },
})
const going = new AbortController().signal
const keysOf = (org: SalesforceOrg) => org.records.Lead!.map((lead) => lead.Crosswalk_Id__c)

describe('sessions', () => {
  test('concurrent batches share one sign-in to Salesforce, and an expired session causes one more sign-in', async () => {
    const { org, adapter } = newAdapter()
    const send = (keys: string[]) =>
      Promise.all(keys.map((key) => adapter.upsert('lead', [person(key)], going)))
    await send(['a', 'b', 'c'])
    expect(org.signIns).toBe(1)
    standIn.expire(org)
    await send(['d', 'e', 'f'])
    expect(org.signIns).toBe(2)
    expect(keysOf(org).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('the next adapter of a connection reuses its session; other credentials and other connections do not', async () => {
    const { org, options } = newAdapter()
    const [first, again] = [await accessOf(options), await accessOf({ ...options })]
    expect(again).toBe(first)
    expect(await accessOf({ ...options, connectionId: 'another' })).not.toBe(first)
    expect(await accessOf({ ...options, credentials: standIn.newRefreshToken(org) })).not.toBe(first)
    expect(org.signIns).toBe(3)
    expect(await accessOf(options, { ...first })).toBe(first)
    expect(await accessOf(options, first)).not.toBe(first)
  })

  test('an adapter requests a new session after a failed sign-in', async () => {
    const { options } = newAdapter()
    standIn.signInRefusals.push({ status: 503, body: '' })
    await expect(accessOf(options)).rejects.toThrow(Unavailable)
    expect(await accessOf(options)).toMatchObject({ instanceUrl: standIn.server.url })
  })

  test('the sign-in works again after storing a rotated refresh token failed once', async () => {
    const { org, options } = newAdapter()
    org.rotatesTokens = true
    let [kept, isAway] = [options.credentials, true]
    const store: SalesforceOptions['store'] = {
      read: async () => kept,
      replace: async (before, after) => {
        if (isAway) throw new Error('the database is unavailable')
        expect(before).toEqual(kept)
        kept = after
      },
    }
    const access = (stale?: SalesforceAccess) => accessOf({ ...options, credentials: kept, store }, stale)
    for (let time = 0; time < 2; time++) await expect(access()).rejects.toThrow('the database is unavailable')
    isAway = false
    const first = await access()
    expect(first).toMatchObject({ instanceUrl: standIn.server.url })
    standIn.expire(org)
    expect(await access(first)).not.toBe(first)
  })

  test.each(['ftp://example.com', 'nowhere', ''])(
    'an adapter refuses the instance URL %j, which is not https',
    async (instanceUrl) => {
      const { org, options } = newAdapter()
      org.instanceUrl = instanceUrl
      await expect(accessOf(options)).rejects.toThrow('does not begin with https')
    },
  )
})

test.each([
  ['https://login.salesforce.com', 'https://login.salesforce.com'],
  ['https://test.salesforce.com', 'https://test.salesforce.com'],
  ['https://acme.my.salesforce.com', 'https://login.salesforce.com'],
  ['https://acme--uat.sandbox.my.salesforce.com', 'https://test.salesforce.com'],
  ['https://salesforce.example.com', 'https://salesforce.example.com'],
])('a JWT for the login URL %s has the audience %s', (loginUrl, audience) => {
  expect(audienceOf(loginUrl)).toBe(audience)
})

describe('batches', () => {
  test('a batch without an answer in time throws Unavailable, although Salesforce may have stored it', async () => {
    const { org, options, adapter } = newAdapter()
    // Only the batch gets no answer; the requests before it do.
    await adapter.describe('lead')
    standIn.server.fault({ on: /^PATCH/, when: 'after', how: 'silent' })
    const hasty = new SalesforceAdapter({ ...options, timeoutMs: 500 })
    const sent = hasty.upsert('lead', [person('late')], going)
    await expect(sent).rejects.toThrow(
      new Unavailable(`${new URL(standIn.server.url).host} was asked, but did not answer in time`),
    )
    expect(await adapter.upsert('lead', [person('late')], going)).toMatchObject([{ outcome: 'updated' }])
    expect(keysOf(org)).toEqual(['late'])
  })

  test.each([[[]], [[{ id: '00Q', success: true, created: true, errors: [] }]], [{}], ['"ok"']])(
    'a batch with the answer %j throws Unavailable, because Salesforce may have stored it',
    async (body) => {
      const { adapter } = newAdapter()
      await adapter.describe('lead')
      standIn.server.fault({ on: /^PATCH/, when: 'after', how: 'answer', status: 200, body })
      await expect(adapter.upsert('lead', ['a', 'b'].map(person), going)).rejects.toThrow(Unavailable)
    },
  )

  test('a batch stops when its job must stop', async () => {
    const { adapter } = newAdapter()
    await adapter.describe('lead')
    standIn.server.fault({ on: /^PATCH/, when: 'after', how: 'silent' })
    const stopped = new AbortController()
    const sent = adapter.upsert('lead', [person('stopped')], stopped.signal)
    stopped.abort(new Error('closing'))
    await expect(sent).rejects.toThrow('closing')
    const before = standIn.server.requests.length
    await expect(adapter.upsert('lead', [person('stopped')], stopped.signal)).rejects.toThrow('closing')
    expect(standIn.server.requests.length).toBe(before)
  })

  test('a batch retries people with temporary errors, at most twice', async () => {
    const { org, adapter } = newAdapter({ waitsMs: [1, 1] })
    const taken = rowFault(
      'DUPLICATE_VALUE',
      'duplicate value found: Crosswalk_Id__c duplicates value on record',
    )
    org.rowFaults.set('freed@example.com', [locked, locked])
    org.rowFaults.set('held@example.com', [locked, locked, locked])
    org.rowFaults.set('hidden@example.com', [taken, taken, taken])
    const people = ['plain', 'freed', 'held', 'hidden'].map(person)
    expect(await adapter.upsert('lead', people, going)).toEqual([
      { outcome: 'created', externalId: expect.any(String) },
      { outcome: 'created', externalId: expect.any(String) },
      {
        ...{ outcome: 'failed', isDuplicate: false },
        message: expect.stringMatching(/exclusive access.*: retry the job/),
      },
      {
        ...{ outcome: 'failed', isDuplicate: true },
        message: expect.stringMatching(/Crosswalk_Id__c duplicates.*may not read or edit/),
      },
    ])
    expect(org.batches).toEqual([4, 3, 3])
    expect(keysOf(org)).toEqual(['plain', 'freed'])
  })

  test('a batch clears a checkbox by writing false, and reads the types of fields only once', async () => {
    const { org, adapter } = newAdapter()
    org.addField('Lead', 'Vip__c', { type: 'boolean', length: 0, nillable: false, defaultedOnCreate: true })
    const describes = () => standIn.server.requests.filter(({ path }) => path.endsWith('/describe')).length
    const before = describes()
    const send = (values: object) => {
      const { values: usual, ...about } = person('ada')
      return adapter.upsert('lead', [{ ...about, values: { ...usual, ...values } }], going)
    }
    expect(await send({ City: null })).toMatchObject([{ outcome: 'created' }])
    expect(describes()).toBe(before)
    expect(await send({ Vip__c: true })).toMatchObject([{ outcome: 'updated' }])
    expect(await send({ Vip__c: null, City: null, Score__c: null })).toMatchObject([{ outcome: 'updated' }])
    await send({ Vip__c: null })
    expect(describes()).toBe(before + 1)
    expect(org.records.Lead).toMatchObject([{ Vip__c: false, City: null, Score__c: null }])
  })

  test('a batch does not send people whose values do not fit the type of their field', async () => {
    const { org, adapter } = newAdapter()
    const typed = { Vip__c: 'boolean', Since__c: 'date', Score__c: 'double' } as const
    for (const [name, type] of Object.entries(typed).slice(0, 2))
      org.addField('Lead', name, { type: type as 'boolean', length: 0 })
    org.addField('Lead', 'Code__c', {})
    const values = [
      ...[{ Score__c: 'high' }, { Vip__c: 'perhaps' }, { Since__c: 'soon' }],
      ...[
        { Score__c: '-7.5', Vip__c: 'true', Since__c: '2026-11-21', Code__c: 7 },
        { Score__c: 7, Vip__c: true },
      ],
    ]
    const people = values.map((more, index) => {
      const { values: usual, ...about } = person(`typed${index}`)
      return { ...about, values: { ...usual, ...more } }
    })
    expect(await adapter.upsert('lead', people, going)).toMatchObject([
      { outcome: 'failed', message: 'Score__c takes numbers, and not "high"' },
      { outcome: 'failed', message: 'Vip__c takes true or false, and not "perhaps"' },
      { outcome: 'failed', message: 'Since__c takes dates, such as 2026-11-21, and not "soon"' },
      ...[{ outcome: 'created' }, { outcome: 'created' }],
    ])
    expect(org.batches).toEqual([2])
    expect(org.records.Lead).toMatchObject([
      { Score__c: '-7.5', Code__c: '7' },
      { Score__c: 7, Vip__c: true },
    ])
  })

  test('a batch sends the header for duplicate rules only with allow_duplicates', async () => {
    for (const allowDuplicates of [false, true]) {
      const { adapter } = newAdapter({ allowDuplicates })
      await adapter.upsert('lead', [person('x')], going)
      const { headers } = standIn.server.requests.findLast(({ method }) => method === 'PATCH')!
      expect(headers['sforce-duplicate-rule-header']).toBe(allowDuplicates ? 'allowSave=true' : undefined)
    }
  })
})

describe('answers', () => {
  const fault = (status: number, errorCode: string, message: string, retryAfter?: number) =>
    failureOf(
      { status, json: [{ errorCode, message }], retryAfter, usage: undefined },
      'Lead',
      (text) => text,
    )

  test.each([
    [429, 'REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests Limit exceeded.', 'Unavailable'],
    [403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.', 'Unavailable'],
    [500, 'UNKNOWN_EXCEPTION', 'An unexpected error occurred', 'Unavailable'],
    [503, 'SERVER_UNAVAILABLE', 'Server is busy', 'Unavailable'],
    [401, 'INVALID_SESSION_ID', 'Session expired or invalid', 'AccessRefused'],
    [403, 'API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner', 'AccessRefused'],
    [403, 'INSUFFICIENT_ACCESS', 'insufficient access', 'CrmSetupError'],
    [404, 'NOT_FOUND', 'Provided external ID field does not exist or is not accessible', 'CrmSetupError'],
    [400, 'INVALID_FIELD', 'No such column', 'CrmSetupError'],
    [400, 'INVALID_TYPE', 'sObject type is not supported', 'CrmSetupError'],
    [410, 'UNSUPPORTED_API_VERSION', 'GONE', 'CrmSetupError'],
    [400, 'JSON_PARSER_ERROR', 'Cannot deserialize instance of double', 'BatchRefused'],
    [413, '', 'Request Entity Too Large', 'BatchRefused'],
    [302, '', '', 'Unavailable'],
  ])('the answer %i %s, %j becomes the error %s', (status, code, message, name) => {
    expect(fault(status, code, message)).toMatchObject({ name, message: expect.stringContaining(message) })
  })

  test('after Salesforce answers that its daily requests are used up, no request is sent for some time', () => {
    const code = 'REQUEST_LIMIT_EXCEEDED'
    expect(fault(403, code, 'TotalRequests Limit exceeded.')).toMatchObject({ afterSeconds: 900 })
    expect(fault(403, code, 'TotalRequests Limit exceeded.', 30)).toMatchObject({ afterSeconds: 30 })
    expect(fault(403, code, 'ConcurrentRequests Limit exceeded.')).toMatchObject({ afterSeconds: undefined })
  })

  test('an answer of Salesforce that is a web page instead of JSON is classified by its status', () => {
    const reply = { status: 401, json: undefined, retryAfter: undefined, usage: undefined }
    const page = failureOf(reply, 'Lead', (text) => text)
    expect(page).toEqual(new AccessRefused('Salesforce refuses access: status 401'))
  })
})
