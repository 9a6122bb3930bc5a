import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { sweepOnce } from '../../src/platform/idempotency/sweep.ts'
import { type Answer, startTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await startTestApp()
afterAll(() => app.close())

const ada = { email: 'ada@example.com' }
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

/** Sends POSTs with an idempotency key and with other headers. */
const post = (org: TestClient, path: string, body: unknown, key: string, headers = {}): Promise<Answer> =>
  org.post(path, body, { headers: { 'idempotency-key': key, ...headers } })

const total = async (org: TestOrg): Promise<number> => (await org.get('/contacts')).body.pagination.total

describe('scope of keys', () => {
  test('an invalid idempotency key is reported together with all other errors of the request, and nothing changes', async () => {
    const org = await app.newOrg()
    const answer = await post(org, '/contacts/not-an-id/restore', undefined, '', { 'if-match': 'x' })
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['path', 'contact_id'],
      ['header', 'idempotency-key'],
      ['header', 'if-match'],
    ])
    const long = await post(org, '/contacts', { email: 5 }, 'x'.repeat(256))
    expect(long.body.detail).toMatchObject([
      { type: 'value_error', loc: ['header', 'idempotency-key'], msg: expect.stringContaining('255') },
      { loc: ['body', 'email'] },
    ])
    expect(await total(org)).toBe(0)
  })

  test('idempotency keys are separate for each path, mode and org, and shared by the API keys of an org', async () => {
    const agency = await app.newAgency()
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    // This body is valid for a contact and for a company.
    const body = { phone: '+14155550100' }
    const first = await post(agency, '/contacts', body, 'k')
    const others = [
      await post(agency, '/companies', body, 'k'),
      await post(agency, '/contacts', body, 'K'),
      await post(await app.newKey(agency.orgId, { mode: 'test' }), '/contacts', body, 'k'),
      await post(agency, '/contacts', body, 'k', { 'x-target-org-id': client }),
      await post(await app.newOrg(), '/contacts', body, 'k'),
    ]
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect(others.filter(isReplay)).toEqual([])
    const another = await post(await app.newKey(agency.orgId), '/contacts', body, 'k')
    expect([isReplay(another), another.text]).toEqual([true, first.text])
  })

  test('an idempotency key is ignored by methods other than POST', async () => {
    const org = await app.newOrg()
    const headers = { 'idempotency-key': '' }
    const { contact_id: id } = (await org.post('/contacts', ada)).body.data
    expect((await org.get('/contacts', { headers })).status).toBe(200)
    for (const city of ['Rome', 'Oslo'])
      expect((await org.patch(`/contacts/${id}`, { city }, { headers })).body.data.city).toBe(city)
  })

  test('an idempotency key accepts the same body written in another way', async () => {
    const org = await app.newOrg()
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
    const send = (raw: string) => org.post('/contacts', undefined, { raw, headers })
    const first = await send('{"email":"ada@example.com","custom":{"n":12345678901234567890,"m":1.0}}')
    const retry = await org.post('/contacts', undefined, {
      raw: '{ "custom": {"m": 1, "n": 12345678901234567890}, "email": "ada@ex\\u0061mple.com" }',
      headers,
    })
    expect([isReplay(retry), retry.text]).toEqual([true, first.text])
    expect(retry.text).toContain('12345678901234567890')
    const digits = await send('{"email":"ada@example.com","custom":{"n":12345678901234567891,"m":1.0}}')
    expect(digits.body.detail).toMatchObject([{ type: 'idempotency_key_reused' }])
    const coerced = await send('{"email":" ada@example.com","custom":{"n":12345678901234567890,"m":1.0}}')
    expect(coerced.status).toBe(422)
  })

  test('an idempotency key accepts the same query parameters in another order', async () => {
    const org = await app.newOrg()
    const send = (query: string) =>
      org.post(`/contacts/imports?${query}`, undefined, {
        raw: 'Mail\nada@example.com\n',
        headers: { 'idempotency-key': 'k', 'content-type': 'text/csv' },
      })
    const mapping = `mapping=${encodeURIComponent('{"Mail":"email"}')}`
    const first = await send(`file_name=a.csv&${mapping}`)
    const retry = await send(`${mapping}&file_name=a.csv`)
    expect([first.status, isReplay(retry), retry.text]).toEqual([202, true, first.text])
    expect((await send(`file_name=b.csv&${mapping}`)).body.detail).toMatchObject([
      { type: 'idempotency_key_reused' },
    ])
  })
})

describe('stored answers', () => {
  test('a 404 or 409 of the endpoint is a stored answer, so a retry gets the same refusal', async () => {
    const org = await app.newOrg()
    for (let n = 0; n < 2; n++) await org.post('/contacts', ada)
    const id = randomUUID()
    const requests: [string, unknown][] = [
      ['/contacts/upsert', { match_on: 'email', ...ada }],
      ['/contacts', { ...ada, company_id: id }],
      [`/contacts/${id}/restore`, undefined],
    ]
    const first = await Promise.all(requests.map(([path, body]) => post(org, path, body, 'k')))
    expect(first.map(({ status }) => status)).toEqual([409, 404, 404])
    expect(first.filter(isReplay)).toEqual([])
    for (const { contact_id } of (await org.get('/contacts')).body.data)
      await org.delete(`/contacts/${contact_id}`)
    for (const [index, [path, body]] of requests.entries()) {
      const retry = await post(org, path, body, 'k')
      expect([isReplay(retry), retry.status, retry.text]).toEqual([
        true,
        first[index]!.status,
        first[index]!.text,
      ])
      expect(retry.headers.get('content-type')).toBe(first[index]!.headers.get('content-type'))
    }
    expect((await post(org, ...requests[0]!, 'another')).status).toBe(200)
  })

  test('a stored answer serves any number of concurrent retries', async () => {
    const org = await app.newOrg()
    const first = await post(org, '/contacts', ada, 'k')
    const retries = await Promise.all(Array.from({ length: 40 }, () => post(org, '/contacts', ada, 'k')))
    for (const retry of retries) expect([isReplay(retry), retry.text]).toEqual([true, first.text])
  })

  test('a stored answer includes ETag and Content-Location', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (await org.post('/contacts', ada)).body.data
    await org.patch(`/contacts/${id}`, { city: 'Rome' })
    const restored = await post(org, `/contacts/${id}/restore`, undefined, 'k')
    await org.patch(`/contacts/${id}`, { city: 'Oslo' })
    const retry = await post(org, `/contacts/${id}/restore`, undefined, 'k')
    expect(restored.headers.get('etag')).toBe('"2"')
    expect([retry.headers.get('etag'), retry.body.data.city]).toEqual(['"2"', 'Rome'])
  })

  test('a stored answer expires after a day: requests ignore the answer, and the sweep deletes it', async () => {
    const org = await app.newOrg()
    const age = () =>
      app.operate((tx) => tx.run({ text: 'update idempotency_key set expires_at = now()', values: [] }))
    await post(org, '/contacts', ada, 'k')
    await age()
    const second = await post(org, '/contacts', { first_name: 'Grace' }, 'k')
    expect([second.status, isReplay(second)]).toEqual([201, false])
    expect(isReplay(await post(org, '/contacts', { first_name: 'Grace' }, 'k'))).toBe(true)
    await post(org, '/contacts', ada, 'l')
    await age()
    const young = await post(org, '/contacts', ada, 'm')
    await sweepOnce(system(app.app.context.database))
    const left = await runAsOwner(
      app.databaseUrl,
      'select object_id from idempotency_key join idempotency_object using (org_id, scope)',
    )
    expect(left).toEqual([{ object_id: young.body.data.contact_id }])
    expect(await total(org)).toBe(4)
  })
})

describe('refused requests', () => {
  test('the idempotency key is free again after a 400, and after a 422 of the schema or of the endpoint', async () => {
    const org = await app.newOrg({ country: null })
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
    const answers = [
      await org.send('POST', '/contacts', { raw: new Uint8Array([0x22, 0xe9, 0x22]), headers }),
      await post(org, '/contacts', { email: 5 }, 'k'),
      await post(org, '/contacts', {}, 'k'),
      await post(org, '/contacts', { phone: '5550100' }, 'k'),
      await post(org, '/contacts', ada, 'k'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 422, 422, 422, 201])
    expect(answers.filter(isReplay)).toEqual([])
  })

  test('the idempotency key is free again after a 401, a 403 and a 429', async () => {
    const org = await app.newOrg()
    // The limit is so low that the test exceeds it even on a busy machine.
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 10, perMinute: 1_000 }))
    expect((await post(app.client('svc_live_nonsense'), '/contacts', ada, 'k')).status).toBe(401)
    expect((await post(await app.newKey(org.orgId, { permissions: [] }), '/contacts', ada, 'k')).status).toBe(
      403,
    )
    const weak = await app.newKey(org.orgId, { permissions: ['api_keys:manage'] })
    expect((await post(weak, '/api-keys', { name: 'More', permissions: ['*'] }, 'k')).status).toBe(403)
    expect((await post(org, '/api-keys', { name: 'More', permissions: ['*'] }, 'k')).status).toBe(201)
    expect((await post(org, '/api-keys', { name: 'Agency', is_agency: true }, 'a')).status).toBe(400)
    const flood = await Promise.all(Array.from({ length: 60 }, () => org.get('/organization')))
    expect(flood.some(({ status }) => status === 429)).toBe(true)
    let answer = await post(org, '/contacts', ada, 'k')
    while (answer.status === 429) answer = await post(org, '/contacts', ada, 'k')
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
    let retry = await post(org, '/contacts', ada, 'k')
    while (retry.status === 429) retry = await post(org, '/contacts', ada, 'k')
    const left = (each: Answer) => Number(each.headers.get('x-ratelimit-remaining'))
    expect([isReplay(retry), left(answer) - left(retry)]).toEqual([true, 1])
  })

  test('the idempotency key is free again after a 500, and the failed request changes nothing', async () => {
    const org = await app.newOrg()
    await withClient(app, async (client) => {
      await client.query(`
        create function app.break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
        create trigger break before insert on contact_key execute function app.break()`)
      expect((await post(org, '/contacts', ada, 'k')).status).toBe(500)
      await client.query('drop trigger break on contact_key')
    })
    expect([await total(org), (await org.get('/events?type=contact.created')).body.data]).toEqual([0, []])
    const retry = await post(org, '/contacts', ada, 'k')
    expect([retry.status, isReplay(retry)]).toEqual([201, false])
  })
})
