import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { Browser, newMember } from '../support/members.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
afterAll(() => app.close())

describe('a member who uses the console’s API', () => {
  test('a member reads and writes with the endpoints of the API, and events name the member', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, 'member')
    const { status, body } = await member.post('/contacts', { first_name: 'Ada' })
    expect(status).toBe(201)
    expect((await member.get(`/contacts/${body.data.contact_id}`)).body.data.first_name).toBe('Ada')
    const [event] = (await org.get(`/events?object_id=${body.data.contact_id}`)).body.data
    expect(event).toMatchObject({
      api_key_id: null,
      actor: { kind: 'member', id: member.memberId, name: expect.stringContaining('Person') },
    })
  })

  test('X-Mode: test makes the request a test request', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const { body } = await member.post(
      '/contacts',
      {},
      { headers: { 'x-mode': 'test' }, body: { email: 'a@x.example' } },
    )
    const [event] = (await org.get(`/events?object_id=${body.data.contact_id}`)).body.data
    expect(event.mode).toBe('test')
    const unknown = await member.get('/contacts', { headers: { 'x-mode': 'both' } })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'mode_unknown'])
  })

  test('a member has separate rate limits, which API keys do not use', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const left = async () => (await member.get('/contacts?limit=1')).headers.get('x-ratelimit-remaining')
    const before = Number(await left())
    expect(before).toBeGreaterThan(550)
    await org.get('/contacts?limit=1')
    expect(Number(await left())).toBe(before - 1)
  })

  test('a member without X-Org-Id gets an error that asks for it, and gets 403 for an organization of others', async () => {
    const org = await app.newOrg()
    const other = await app.newOrg()
    const member = await newMember(app, org.orgId)
    member.orgId = null
    const missing = await member.get('/contacts')
    expect([missing.status, missing.body.code]).toEqual([400, 'org_id_missing'])
    member.orgId = other.orgId
    const foreign = await member.get('/contacts')
    expect([foreign.status, foreign.body.code]).toEqual([403, 'membership_missing'])
    expect(foreign.body.detail).toContain('cut the link to your agency')
  })

  test('an id of another organization gets 404, as an unknown id does', async () => {
    const org = await app.newOrg()
    const other = await app.newOrg()
    const { contact_id: id } = (await other.post('/contacts', { first_name: 'Secret' })).body.data
    const member = await newMember(app, org.orgId)
    const someone = await newMember(app, other.orgId, 'viewer')
    expect((await member.get(`/contacts/${id}`)).status).toBe(404)
    expect((await member.patch(`/members/${someone.memberId}`, { role: 'admin' })).status).toBe(404)
    expect((await member.delete(`/members/${someone.memberId}`)).status).toBe(404)
    expect((await member.post('/members/recovery-links', { member_id: someone.memberId })).status).toBe(404)
  })

  test('a member of an agency acts on its clients, with the role in the agency', async () => {
    const agency = await app.newAgency()
    const member = await newMember(app, agency.orgId, 'member')
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    member.orgId = client
    const { body } = await member.post('/contacts', { first_name: 'Ada' })
    const { memberships } = (await member.get('/session')).body.data
    expect(memberships).toMatchObject([
      { org_id: agency.orgId, via: 'member', role: 'member' },
      { org_id: client, via: 'agency', role: 'member' },
    ])
    const events = await agency.get(`/events?object_id=${body.data.contact_id}`, {
      headers: { 'x-target-org-id': client },
    })
    expect(events.body.data[0].actor).toMatchObject({ kind: 'member', id: member.memberId })
    const refused = await member.get('/api-keys')
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
    // Nobody in the client can change a role of the agency.
    expect(refused.body.detail).toContain('ask an owner or admin of your own organization')
    await agency.delete(`/agency/clients/${client}`)
    await expectWithin(2_000, async () => (await member.get('/contacts')).status, 403)
  })
})

describe('the API for keys and the console’s API are separate', () => {
  test.each(['', '/v1', '/api/v1'])('a session cookie is ignored under "%s"', async (prefix) => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const { status, body } = await member.get('/contacts', { prefix })
    expect([status, body.code]).toEqual([401, 'api_key_missing'])
  })

  test('the console’s API ignores an API key, and says where it works', async () => {
    const org = await app.newOrg()
    const { status, body } = await org.get('/contacts', { prefix: '/console/api' })
    expect([status, body.code]).toEqual([401, 'session_ended'])
    expect(body.detail).toContain('An API key works at /api/v1')
  })

  test.each(['/members', '/session', '/sessions'])('an API key finds no %s', async (path) => {
    const org = await app.newOrg()
    const { status, body } = await org.get(path)
    expect([status, body.code]).toEqual([404, 'path_not_found'])
    expect((await org.send('PUT', path)).status).toBe(404)
  })

  test('the console’s API has no documents and no health checks', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    expect((await member.get('/metrics')).status).toBe(404)
    expect((await member.get('/openapi.json')).status).toBe(404)
  })
})

describe('requests of other sites', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['no page at all', { 'sec-fetch-site': 'none' }],
    ['another origin, in an old browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['another port, in an old browser', { 'sec-fetch-site': '', origin: 'http://127.0.0.1:1' }],
    ['a sandboxed frame, in an old browser', { 'sec-fetch-site': '', origin: 'null' }],
    ['a client that names no site', { 'sec-fetch-site': '' }],
  ])('a write from %s is refused', async (_name, headers) => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const sent: Record<string, string> = { ...headers, cookie: member.cookie ?? '', 'x-org-id': org.orgId }
    if (sent['sec-fetch-site'] === '') delete sent['sec-fetch-site']
    const refused = await app.stranger.post(
      '/contacts',
      { first_name: 'Eve' },
      { prefix: '/console/api', headers: sent },
    )
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_site_request'])
    const signIn = await app.stranger.post(
      '/session',
      { email: 'a@x.example', password: 'x' },
      { prefix: '/console/api', headers: sent },
    )
    expect(signIn.status).toBe(403)
    expect((await org.get('/contacts')).body.data).toEqual([])
  })

  test('a write of the same origin is accepted from an old browser too', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const headers = { origin: app.address, cookie: member.cookie ?? '', 'x-org-id': org.orgId }
    const { status } = await app.stranger.post(
      '/contacts',
      { first_name: 'Ada' },
      { prefix: '/console/api', headers },
    )
    expect(status).toBe(201)
  })

  test('no answer allows other origins to read it', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const { headers } = await member.get('/contacts', { headers: { origin: 'https://evil.example' } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('anything that ends a session takes effect within 2 s on every node', async () => {
  const second = await startTestApp({}, app)
  afterAll(() => second.close())

  const onBoth = async (member: Awaited<ReturnType<typeof newMember>>) => {
    const elsewhere = Object.assign(new Browser(second.address, null), {
      cookie: member.cookie,
      orgId: member.orgId,
    })
    expect([(await member.get('/contacts')).status, (await elsewhere.get('/contacts')).status]).toEqual([
      200, 200,
    ])
    return elsewhere
  }

  test('signing out ends the session within 2 s on every node', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const elsewhere = await onBoth(member)
    const { cookie } = member
    expect((await member.delete('/session')).headers.getSetCookie()[0]).toContain('Max-Age=0')
    member.cookie = cookie
    expect((await member.get('/contacts')).status).toBe(401)
    await expectWithin(2_000, async () => (await elsewhere.get('/contacts')).status, 401)
  })

  test('removing a member or reducing the role takes effect within 2 s on every node', async () => {
    const org = await app.newOrg()
    const owner = await newMember(app, org.orgId)
    const member = await newMember(app, org.orgId, 'member')
    const elsewhere = await onBoth(member)
    expect((await owner.patch(`/members/${member.memberId}`, { role: 'viewer' })).status).toBe(200)
    expect((await member.post('/contacts', { first_name: 'Eve' })).status).toBe(403)
    await expectWithin(
      2_000,
      async () => (await elsewhere.post('/contacts', { first_name: 'Eve' })).status,
      403,
    )
    expect((await owner.delete(`/members/${member.memberId}`)).status).toBe(204)
    await expectWithin(2_000, async () => (await elsewhere.get('/contacts')).status, 403)
  })

  test('a session ends after its idle time, and at its absolute end', async () => {
    const org = await app.newOrg()
    for (const column of [sql`seen_at = now() - interval '7 days'`, sql`expires_at = now()`]) {
      const member = await newMember(app, org.orgId)
      await app.operate((tx) =>
        tx.run(sql`update session set ${column} where member_id = ${member.memberId}`),
      )
      expect((await member.get('/contacts')).status).toBe(401)
    }
  })
})

test('the console refuses plain HTTP from another machine, and the error says what to do', async () => {
  const org = await app.newOrg()
  const { port } = new URL(app.address)
  const member = await newMember(app, org.orgId)
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    import('node:http').then(({ request }) =>
      request(
        {
          port,
          path: '/console/api/session',
          headers: { host: 'crosswalk.example', cookie: member.cookie ?? '' },
        },
        (response) => {
          let text = ''
          response
            .on('data', (chunk) => (text += chunk))
            .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
        .on('error', reject)
        .end(),
    )
  })
  expect(answer.status).toBe(403)
  expect(JSON.parse(answer.text)).toMatchObject({
    code: 'console_needs_tls',
    detail: expect.stringContaining('PUBLIC_URL'),
  })
})
