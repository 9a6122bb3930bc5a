import { serialize } from 'node:v8'
import { afterAll, describe, expect, test } from 'vitest'
import { keyLookup } from '../../src/auth/known-keys.ts'
import { sessionLookup } from '../../src/auth/known-sessions.ts'
import { hashToken, readToken } from '../../src/auth/token.ts'
import { linkOrgs, setCeilings } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })

describe('reading', () => {
  test('GET /organization returns the organization, the API key and its mode', async () => {
    const org = await app.newOrg({ name: 'Acme', country: 'DE', key: { name: 'Sync', mode: 'test' } })
    const answer = await org.get('/organization')
    const acme = {
      ...{ org_id: org.orgId, name: 'Acme', is_agency: false, default_country: 'DE', sandbox_of: null },
    }
    expect(answer.body).toEqual({
      data: {
        org: acme,
        key: { api_key_id: org.apiKeyId, name: 'Sync' },
        mode: 'test',
        is_agency: false,
        permissions: null,
        acting_on: acme,
      },
      pagination: null,
    })
  })

  test('GET /organization needs no permission, and lists the permissions of the API key', async () => {
    const org = await app.newOrg({ key: { permissions: ['contacts:read', 'events:*'] } })
    expect((await org.get('/organization')).body.data.permissions).toEqual(['contacts:read', 'events:*'])
    const none = await app.newKey(org.orgId, { permissions: [] })
    expect((await none.get('/organization')).body.data.permissions).toEqual([])
  })

  test('is_agency is true for an org with the agency flag or with a client', async () => {
    const flagged = await app.newOrg({ isAgency: true })
    expect((await flagged.get('/organization')).body.data).toMatchObject({
      org: { is_agency: true },
      is_agency: false,
    })
    const [linked, client] = [await app.newOrg(), await app.newOrg()]
    await app.operate((tx) => linkOrgs(tx, linked.orgId, client.orgId))
    expect((await linked.get('/organization')).body.data.org.is_agency).toBe(true)
    expect((await client.get('/organization')).body.data.org.is_agency).toBe(false)
  })
})

describe('changing', () => {
  test('PATCH /organization changes only the fields that are sent', async () => {
    const org = await app.newOrg({ name: 'Acme', country: 'US' })
    const changed = (body: unknown) => org.patch('/organization', body).then((answer) => answer.body.data.org)
    expect(await changed({ name: '  Acme GmbH ' })).toMatchObject({
      name: 'Acme GmbH',
      default_country: 'US',
    })
    expect(await changed({ default_country: 'de' })).toMatchObject({
      name: 'Acme GmbH',
      default_country: 'DE',
    })
    expect(await changed({ default_country: null })).toMatchObject({
      name: 'Acme GmbH',
      default_country: null,
    })
    expect(await changed({})).toMatchObject({ name: 'Acme GmbH', default_country: null })
    expect((await org.get('/organization')).body.data.org).toMatchObject({ name: 'Acme GmbH' })

    const { body } = await org.get(`/events?type=org.updated&object_id=${org.orgId}`)
    const fields = body.data.filter(
      (event: { api_key_id: string | null }) => event.api_key_id === org.apiKeyId,
    )
    expect(fields.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['default_country'],
      ['default_country'],
      ['name'],
    ])
    expect(JSON.stringify(body)).not.toContain('GmbH')
  })

  test('two concurrent changes of different fields both take effect', async () => {
    for (let round = 0; round < 10; round++) {
      const org = await app.newOrg({ name: 'Acme', country: 'US' })
      await Promise.all([
        org.patch('/organization', { name: 'Acme GmbH' }),
        org.patch('/organization', { default_country: 'DE' }),
      ])
      const { body } = await org.get('/organization')
      expect(body.data.org).toMatchObject({ name: 'Acme GmbH', default_country: 'DE' })
    }
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ default_country: 'USA' }, 'default_country'],
    [{ default_country: 'XX' }, 'default_country'],
    [{ default_country: 49 }, 'default_country'],
  ])('PATCH /organization refuses %j', async (body, field) => {
    const org = await app.newOrg()
    const answer = await org.patch('/organization', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', field] }])
  })

  test('PATCH /organization cannot change is_agency or the rate ceilings', async () => {
    const org = await app.newOrg({ limited: true })
    await org.patch('/organization', { is_agency: true, requests_per_second: null })
    const answer = await org.get('/organization')
    expect(answer.body.data.org.is_agency).toBe(false)
    expect(answer.headers.get('x-ratelimit-limit-second')).toBe('50')
  })

  test('default_country applies to national phone numbers in later writes', async () => {
    const org = await app.newOrg({ country: 'US' })
    const phoneOf = async (phone: string) => (await org.post('/contacts', { phone })).body.data.phone
    expect(await phoneOf('(415) 555-2671')).toBe('+14155552671')
    await org.patch('/organization', { default_country: 'GB' })
    expect(await phoneOf('020 7183 8750')).toBe('+442071838750')
    await org.patch('/organization', { default_country: null })
    expect((await org.post('/contacts', { phone: '020 7183 8750' })).status).toBe(422)
  })
})

describe('/agency/clients', () => {
  test('POST /agency/clients creates a client, and the agency can act on the client immediately', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    expect((await agency.get('/agency/clients')).body).toMatchObject({ data: [], pagination: { total: 0 } })

    const created = await agency.post('/agency/clients', { name: 'Northwind', default_country: 'gb' })
    expect(created.status).toBe(201)
    const northwind = created.body.data
    expect(northwind).toEqual({
      org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Northwind',
      default_country: 'GB',
      created_at: expect.any(Number),
      linked_at: expect.any(Number),
    })
    expect((await agency.get('/contacts', on(northwind.org_id))).status).toBe(200)
    const second = await agency.post('/agency/clients', { name: 'Tailspin' })
    expect(second.body.data.default_country).toBe(null)
    const listed = await agency.get('/agency/clients')
    expect(listed.body.data).toEqual([second.body.data, northwind])
    const events = await agency.get('/events?type=agency.client_created')
    expect(events.body.data).toMatchObject([
      { object_id: second.body.data.org_id, api_key_id: agency.apiKeyId },
      { object_id: northwind.org_id, data: { name: 'Northwind' } },
    ])
  })

  test('the audit log of a client begins with its creation and the link to the agency that made it', async () => {
    const agency = await app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const { org_id } = (await agency.post('/agency/clients', { name: 'Northwind' })).body.data
    const own = await app.newKey(org_id)
    const events = await own.get('/events?limit=100')
    const aboutOrg = events.body.data.filter((event: { type: string }) => event.type.startsWith('org.'))
    expect(aboutOrg).toMatchObject([
      {
        ...{ type: 'org.agency_linked', object_id: agency.orgId, data: { name: 'Agency' } },
        actor: { kind: 'api_key', id: agency.apiKeyId },
      },
      { type: 'org.created', object_id: org_id, actor: { kind: 'api_key', id: agency.apiKeyId } },
    ])
    const agencyEvents = await agency.get('/events?type=org.agency_linked')
    expect(agencyEvents.body.data).toEqual([])
  })

  test('a client is not an agency, and cannot list clients', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    const { org_id } = (await agency.post('/agency/clients', { name: 'Northwind' })).body.data
    const key = await agency.post('/api-keys', { name: 'First' }, on(org_id))
    const client = app.client(key.body.api_key_token)
    const answer = await client.get('/organization')
    expect(answer.body.data).toMatchObject({ org: { org_id, is_agency: false }, is_agency: false })
    expect((await client.get('/agency/clients')).status).toBe(403)
    const own = await app.newKey(org_id)
    expect((await own.get('/organization')).headers.get('x-ratelimit-limit-second')).toBe('50')
  })

  test('an agency can have at most 10,000 clients', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    await withClient(app, async (client) => {
      // Insert the links alone: creating an org for each client would take long.
      await client.query('set session_replication_role = replica')
      await client.query(
        'insert into agency_client (agency_org_id, client_org_id) select $1, gen_random_uuid() from generate_series(1, 9999)',
        [agency.orgId],
      )
    })
    expect((await agency.post('/agency/clients', { name: 'Northwind' })).status).toBe(201)
    const { status, body } = await agency.post('/agency/clients', { name: 'Tailspin' })
    expect([status, body.detail]).toEqual([409, expect.stringContaining('10,000 clients')])
  })

  test('the caches of keys and sessions store no clients: an agency may have 10,000 of them, and 10,000 keys', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    await withClient(app, async (client) => {
      await client.query(
        `with client as (insert into org (org_id, name) select gen_random_uuid(), 'Client' from generate_series(1, 1000) returning org_id)
         insert into agency_client (agency_org_id, client_org_id) select $1, org_id from client`,
        [agency.orgId],
      )
    })
    const scope = system(app.app.context.database)
    const { sessionToken } = await newMember(app, agency.orgId)
    for (const [lookup, token] of [
      [keyLookup(scope), readToken(agency.token ?? '').body],
      [sessionLookup(scope), sessionToken],
    ] as const) {
      const known = (await lookup.find([hashToken(token)])).get(hashToken(token))
      expect(known).toBeDefined()
      expect(serialize(known).length).toBeLessThan(2_000)
    }
  })

  test('GET /agency/clients lists only the clients of this agency', async () => {
    const [one, other] = [
      await app.newOrg({ isAgency: true, key: { isAgency: true } }),
      await app.newOrg({ isAgency: true, key: { isAgency: true } }),
    ]
    await one.post('/agency/clients', { name: 'Northwind' })
    expect((await other.get('/agency/clients')).body.data).toEqual([])
  })

  const agency = () => app.newOrg({ isAgency: true, key: { isAgency: true } })
  test.each<[string, string, () => Promise<{ key: TestOrg; options?: object }>]>([
    ['a normal key', 'agency key', async () => ({ key: await app.newOrg() })],
    ['a normal key of an agency', 'agency key', async () => ({ key: await app.newOrg({ isAgency: true }) })],
    [
      'an agency key that acts on a client',
      'X-Target-Org-Id',
      async () => {
        const key = await agency()
        const { org_id } = (await key.post('/agency/clients', { name: 'Northwind' })).body.data
        return { key, options: on(org_id) }
      },
    ],
    [
      'an agency key without the permission',
      'agency:',
      async () => ({
        key: await app.newOrg({ isAgency: true, key: { isAgency: true, permissions: ['contacts:*'] } }),
      }),
    ],
  ])('%s gets 403, before its body is validated', async (_what, says, make) => {
    const { key, options } = await make()
    for (const answer of [
      await key.get('/agency/clients', options),
      await key.post('/agency/clients', { name: 'Northwind' }, options),
      await key.post('/agency/clients', { name: '' }, options),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body.detail).toContain(says)
    }
  })

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'Northwind', default_country: 'ZZ' }, 'default_country'],
  ])('POST /agency/clients refuses %j', async (body, field) => {
    const answer = await (await agency()).post('/agency/clients', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', field] }])
  })
})

describe('rate ceilings', () => {
  test.each([0, -1, 1.5, 100_001, Number.NaN])(
    'an operator cannot set a rate ceiling of %d',
    async (ceiling) => {
      const org = await app.newOrg()
      await expect(app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: ceiling }))).rejects.toThrow(
        '100000',
      )
      await expect(app.operate((tx) => setCeilings(tx, org.orgId, { perMinute: ceiling }))).rejects.toThrow(
        '100000',
      )
    },
  )

  test('an operator command without rate ceilings does not change the rate ceilings', async () => {
    const org = await app.newOrg({ limited: true })
    expect(await app.operate((tx) => setCeilings(tx, org.orgId, {}))).toBe(true)
    expect((await org.get('/organization')).headers.get('x-ratelimit-limit-minute')).toBe('1000')
  })
})
