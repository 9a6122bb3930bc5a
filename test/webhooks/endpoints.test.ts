import { afterAll, describe, expect, test } from 'vitest'
import { readEndpoint } from '../../src/webhooks/delivery/endpoint.ts'
import { secretBytes } from '../../src/webhooks/delivery/sign.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const path = '/webhooks/endpoints'
const url = 'https://crm.example.com/crosswalk'

type Created = { endpoint_id: string; secret: string; version: number; old_secret_expires_at: number | null }

async function create(org: TestOrg, body: object = {}): Promise<Created> {
  const answer = await org.post(path, { url, types: ['suppression.deleted'], ...body })
  expect([answer.status, answer.body.detail]).toEqual([201, undefined])
  return answer.body.data
}

const eventsOf = async (org: TestOrg, objectId: string) =>
  (await org.get(`/events?object_id=${objectId}`)).body.data.map(({ type }: { type: string }) => type)

describe('a webhook endpoint', () => {
  test('an endpoint shows its secret once, and its settings in every answer', async () => {
    const org = await app.newOrg()
    const created = await create(org, { types: ['contact.*', 'deal.closed'], description: 'Mirror' })
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret: _, ...shown } = created
    const read = await org.get(`${path}/${created.endpoint_id}`)
    expect(read.body.data).toEqual(shown)
    expect(read.headers.get('etag')).toBe('"1"')
    expect(shown).toMatchObject({
      ...{ url, description: 'Mirror', mode: 'live', types: ['contact.*', 'deal.closed'], payload: 'full' },
      ...{ include_clients: false, max_per_second: null, max_in_flight: 8, headers: {}, status: 'enabled' },
      ...{ disabled_reason: null, failures: 0, last_success_at: null, old_secret_expires_at: null },
    })
    expect((await org.get(path)).body.data).toEqual([shown])
    expect((await org.get(path)).text).not.toContain(created.secret)
  })

  test('a change of the status by PATCH gets 422, which names the requests that change the status', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org)
    const { detail } = (await org.patch(`${path}/${id}`, { status: 'disabled' })).body
    expect(detail[0].ctx.expected).toContain('POST /webhooks/endpoints/{endpoint_id}/enable')
  })

  test('an endpoint has the mode of the API key that created it, and API keys of the other mode do not see it', async () => {
    const { orgId } = await app.newOrg()
    const tester = await app.newKey(orgId, { mode: 'test' })
    const { endpoint_id: id } = await create(tester)
    expect((await tester.get(`${path}/${id}`)).body.data.mode).toBe('test')
    const live = await app.newKey(orgId)
    const there = `${path}/${id}`
    expect((await live.get(path)).body.data).toEqual([])
    const answers = await Promise.all([
      ...[live.get(there), live.patch(there, { description: 'x' }), live.delete(there)],
      ...[live.post(`${there}/disable`), live.post(`${there}/replay`, { from: 1 })],
      ...[live.post(`${there}/test`, { type: 'deal.closed' }), live.get(`${there}/attempts`)],
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
  })

  test('a PATCH changes only the given fields of an endpoint, and is refused for another version', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org)
    const change = { max_per_second: 20, headers: { 'x-gateway': 'abc' } }
    const { body } = await org.patch(`${path}/${id}`, change)
    expect(body.data).toMatchObject({ ...change, url, version: 2 })
    expect((await org.patch(`${path}/${id}`, { max_per_second: 20 })).body.data.version).toBe(2)
    const late = await org.patch(`${path}/${id}`, { description: 'late' }, { headers: { 'if-match': '"1"' } })
    expect([late.status, late.body.code]).toEqual([409, 'version_conflict'])
    expect((await org.get(`/events?object_id=${id}`)).body.data[0].changed.toSorted()).toEqual([
      'headers',
      'max_per_second',
    ])
  })

  test('after a rotation, the old secret of an endpoint also signs, and blocks another rotation until it expires', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id, secret } = await create(org)
    const rotated = (await org.post(`${path}/${id}/rotate-secret`, { grace_seconds: 3600 })).body
      .data as Created
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.old_secret_expires_at).toBeGreaterThan(Date.now() / 1000 + 3500)
    const again = await org.post(`${path}/${id}/rotate-secret`)
    expect([again.status, again.body.code]).toEqual([409, 'rotation_pending'])
    expect(again.body.detail).toContain('grace_seconds')
  })

  test('a rotation with a grace period of 0 s during another rotation ends both old secrets at once', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id, secret } = await create(org)
    const rotate = async (grace: number) =>
      (await org.post(`${path}/${id}/rotate-secret`, { grace_seconds: grace })).body.data as Created
    const leaked = await rotate(3600)
    const last = await rotate(0)
    expect(last.old_secret_expires_at).toBeNull()
    expect(new Set([secret, leaked.secret, last.secret]).size).toBe(3)
    const { context } = app.app
    const { secrets } = (await context.database
      .org(org.orgId)
      .read((tx) => readEndpoint(tx, context.secrets, id)))!
    expect(secrets).toEqual([secretBytes(last.secret)])
  })

  test('a rotation with a grace period of 0 s takes effect at once', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org)
    const first = (await org.post(`${path}/${id}/rotate-secret`, { grace_seconds: 0 })).body.data
    expect(first.old_secret_expires_at).toBeNull()
    expect((await org.post(`${path}/${id}/rotate-secret`, { grace_seconds: 0 })).status).toBe(200)
  })

  test('an endpoint can be disabled, enabled and deleted, with an event for each', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org)
    const disabled = (await org.post(`${path}/${id}/disable`)).body.data
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'by_request', version: 2 })
    expect((await org.post(`${path}/${id}/disable`)).body.data.version).toBe(2)
    for (const refused of ['replay', 'events/0190a3c4-0000-7000-8000-000000000001/resend']) {
      const { status, body } = await org.post(
        `${path}/${id}/${refused}`,
        refused === 'replay' ? { from: 1 } : undefined,
      )
      expect([status, body.code]).toEqual([409, 'endpoint_disabled'])
    }
    const enabled = (await org.post(`${path}/${id}/enable`, { from: 'now' })).body.data
    expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, disabled_at: null })
    expect((await org.delete(`${path}/${id}`)).status).toBe(204)
    expect((await org.get(`${path}/${id}`)).status).toBe(404)
    expect((await eventsOf(org, id)).toReversed()).toEqual(
      ['created', 'disabled', 'enabled', 'deleted'].map((verb) => `webhook_endpoint.${verb}`),
    )
  })

  test('an endpoint belongs to one organization', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const { endpoint_id: id } = await create(org)
    const there = `${path}/${id}`
    const statuses = await Promise.all([
      ...[other.get(there), other.patch(there, { description: 'x' }), other.delete(there)],
      ...[
        other.post(`${there}/disable`),
        other.post(`${there}/enable`),
        other.post(`${there}/rotate-secret`),
      ],
      ...[
        other.post(`${there}/test`, { type: 'contact.created' }),
        other.post(`${there}/replay`, { from: 1 }),
      ],
      ...[other.get(`${there}/attempts`), other.get(`${there}/stats`)],
    ])
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([404]))
    expect((await org.get(there)).body.data.version).toBe(1)
  })

  test('an organization has at most 50 endpoints', async () => {
    const org = await app.newOrg()
    for (let count = 0; count < 48; count++) await create(org)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => org.post(path, { url, types: ['suppression.deleted'] })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
  })
})

describe('bad input', () => {
  const urls: [string, RegExp][] = [
    ['crm.example.com', /not a URL/],
    ['http://crm.example.com/x', /must begin with https.*OUTBOUND_ALLOW_PRIVATE/],
    ['ftp://crm.example.com/x', /must begin with https/],
    ['https://ada:pw@crm.example.com/', /user name or a password/],
    ['https://crm.example.com/#top', /fragment/],
    ['https://127.0.0.1/', /not a public address.*OUTBOUND_ALLOW_PRIVATE/],
    ['https://2130706433/', /not a public address/],
    ['https://[::1]/', /not a public address/],
    ['https://[::ffff:10.0.0.1]/', /not a public address/],
    ['https://169.254.169.254/latest/meta-data', /not a public address/],
    ['https://10.1.2.3/', /not a public address/],
    ['https://localhost/', /not the name of a public host.*OUTBOUND_ALLOW_PRIVATE/],
    ['https://crm.internal/', /not the name of a public host/],
    ['https://intranet/', /not the name of a public host/],
    [`https://crm.example.com/${'x'.repeat(2048)}`, /2048/],
  ]
  test.each(urls)('the URL %s is refused with the reason', async (bad, says) => {
    const org = await app.newOrg()
    const { status, body } = await org.post(path, { url: bad, types: ['suppression.deleted'] })
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ['body', 'url']])
    expect(body.detail[0].msg).toMatch(says)
  })

  const members: [string, object, (string | number)[], RegExp][] = [
    ['an unknown type', { types: ['contact.creatd'] }, ['body', 'types'], /similar types: contact\.created/],
    ['no type', { types: [] }, ['body', 'types'], /at least one type/],
    ['a number as a type', { types: ['contact.*', 5] }, ['body', 'types'], /no event has the type "5"/],
    ['a limit of 0', { max_per_second: 0 }, ['body', 'max_per_second'], /1/],
    ['33 requests at once', { max_in_flight: 33 }, ['body', 'max_in_flight'], /32/],
    ['an unknown payload', { payload: 'fat' }, ['body', 'payload'], /full/],
    ['an unknown field', { urls: url }, ['body', 'urls'], /./],
    [
      'a header of Crosswalk',
      { headers: { 'Webhook-Id': '1' } },
      ['body', 'headers', 'Webhook-Id'],
      /sets this header/,
    ],
    ['a header of HTTP', { headers: { host: 'x' } }, ['body', 'headers', 'host'], /sets this header/],
    ['a header with a line break', { headers: { 'x-a': 'a\r\nb: c' } }, ['body', 'headers', 'x-a'], /ASCII/],
    [
      'a header without a valid name',
      { headers: { 'x a': 'b' } },
      ['body', 'headers', 'x a'],
      /not the name/,
    ],
  ]
  test.each(members)('an endpoint with %s is refused at that field', async (_what, bad, loc, says) => {
    const org = await app.newOrg()
    const { status, body } = await org.post(path, { url, types: ['suppression.deleted'], ...bad })
    expect([status, body.detail?.[0]?.loc]).toEqual([422, loc])
    expect(body.detail[0].msg).toMatch(says)
  })

  test('for a type that the API key may not read, the answer is a 403 that names the permission', async () => {
    const { orgId } = await app.newOrg()
    const key = await app.newKey(orgId, { permissions: ['webhooks:manage', 'contacts:read'] })
    const { status, body } = await key.post(path, { url, types: ['contact.*', 'deal.closed'] })
    expect([status, body.code]).toEqual([403, 'permission_missing'])
    expect(body.detail).toContain('deals:read')
    expect((await key.post(path, { url, types: ['*'] })).status).toBe(201)
  })

  test('a change of the URL by an API key with fewer permissions narrows what the endpoint shows', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org, { types: ['contact.*', 'deal.*'] })
    const weak = await app.newKey(org.orgId, { permissions: ['webhooks:manage', 'deals:read'] })
    const elsewhere = { url: 'https://elsewhere.example.com/' }
    expect((await weak.patch(`${path}/${id}`, elsewhere)).status).toBe(403)
    const deals = { ...elsewhere, types: ['deal.*'] }
    expect((await weak.patch(`${path}/${id}`, deals)).status).toBe(200)
    const [row] = await runAsOwner<{ permissions: string[] }>(
      app.databaseUrl,
      'select permissions from webhook_endpoint where endpoint_id = $1',
      [id],
    )
    expect(row?.permissions).toEqual(['webhooks:manage', 'deals:read'])
  })

  test('include_clients needs an agency key that acts on its own organization', async () => {
    const [org, agency] = [await app.newOrg(), await app.newAgency()]
    const { status, body } = await org.post(path, {
      url,
      types: ['suppression.deleted'],
      include_clients: true,
    })
    expect([status, body.code]).toEqual([403, 'agency_key_required'])
    expect(
      (await agency.post(path, { url, types: ['suppression.deleted'], include_clients: true })).status,
    ).toBe(201)
  })

  test('a replay must not end before it begins', async () => {
    const org = await app.newOrg()
    const { endpoint_id: id } = await create(org)
    const { status, body } = await org.post(`${path}/${id}/replay`, {
      from: 2_000_000_000,
      to: 1_000_000_000,
    })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'from']])
  })

  test('a resend of an event of another organization is a 404', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const { endpoint_id: id } = await create(org)
    const [event] = (await other.get('/events')).body.data
    expect((await org.post(`${path}/${id}/events/${event.event_id}/resend`)).status).toBe(404)
  })
})

test('GET /webhooks/event-types lists every type with its permissions and a sample', async () => {
  const org = await app.newOrg()
  const { data } = (await org.get('/webhooks/event-types')).body
  expect(data.length).toBeGreaterThan(70)
  const closed = data.find(({ type }: { type: string }) => type === 'deal.closed')
  expect(closed).toMatchObject({
    object: 'deal',
    permissions: ['deals:read'],
    sample: { type: 'deal.closed', data: { object_type: 'deal', object: { version: 1 } } },
  })
  const erased = data.find(({ type }: { type: string }) => type === 'contact.erased')
  expect(erased.sample.data.object).toBeNull()
})
