import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { linkOrgs, unlinkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const agency = await app.newAgency()
const client = await app.newOrg({ name: 'Client' })
const outsider = await app.newOrg({ name: 'Outsider' })
const normal = await app.newKey(agency.orgId)
await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))

const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })
const actedOn = (answer: { body: { data: { acting_on: { org_id: string } } } }) =>
  answer.body.data.acting_on.org_id

describe('X-Org-Id and the org of the key', () => {
  test.each([
    ['left out', undefined, 200],
    ['empty', '', 200],
    ['the org of the key', client.orgId, 200],
    ['the org of the key in upper case', client.orgId.toUpperCase(), 200],
    ['another org', outsider.orgId, 403],
    ['the agency of the org', agency.orgId, 403],
    ['an org that does not exist', randomUUID(), 403],
    ['a text that is not an id', 'acme', 403],
  ])('the X-Org-Id of a normal key is checked: %s', async (_what, sent, status) => {
    const headers = sent === undefined ? {} : { 'x-org-id': sent }
    const answer = await client.get('/organization', { headers })
    expect(answer.status).toBe(status)
    if (status === 200) expect(actedOn(answer)).toBe(client.orgId)
    else expect(answer.body).toEqual({ detail: expect.stringContaining('X-Org-Id'), code: 'org_id_mismatch' })
  })

  test('X-Org-Id must be the agency’s own org id, not the client on which the agency acts', async () => {
    const headers = { 'x-target-org-id': client.orgId, 'x-org-id': agency.orgId }
    expect(actedOn(await agency.get('/organization', { headers }))).toBe(client.orgId)
    const other = { 'x-target-org-id': client.orgId, 'x-org-id': client.orgId }
    expect((await agency.get('/organization', { headers: other })).status).toBe(403)
  })

  test('X-Org-Id is checked before the path, and a refusal does not reveal whether an org exists', async () => {
    const refused = await Promise.all(
      [outsider.orgId, randomUUID()].map((orgId) =>
        client.get('/nothing-here', { headers: { 'x-org-id': orgId } }),
      ),
    )
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
    expect(refused[0]!.text).toBe(refused[1]!.text)
  })
})

describe('a misspelled header gets a 400 that names the right one', () => {
  test.each([
    ['x-target-org', 'X-Target-Org-Id'],
    ['X-Target-Organization-Id', 'X-Target-Org-Id'],
    ['x-target-id', 'X-Target-Org-Id'],
    ['X-TargetOrg-Id', 'X-Target-Org-Id'],
    ['x-org', 'X-Org-Id'],
    ['x-orgid', 'X-Org-Id'],
    ['x-organization-id', 'X-Org-Id'],
    ['Target-Org-Id', 'X-Target-Org-Id'],
    ['X_Target_Org_Id', 'X-Target-Org-Id'],
    ['x-idempotency-key', 'Idempotency-Key'],
    ['Idempotence-Key', 'Idempotency-Key'],
    ['Idempotent-Key', 'Idempotency-Key'],
    ['Idempotency-Token', 'Idempotency-Key'],
    ['idempotency_key', 'Idempotency-Key'],
  ])('the header %s gets a 400 that names %s', async (sent, right) => {
    const detail = `This API has no header ${sent.toLowerCase()}. Send ${right}, or leave the header out`
    for (const key of [agency, client]) {
      const answer = await key.get('/organization', { headers: { [sent]: client.orgId } })
      expect([answer.status, answer.body]).toEqual([400, { detail, code: 'header_misspelled' }])
    }
  })

  test.each(['x-oregon', 'x-original-url', 'x-targets', 'x-request-id', 'te', 'if-match', 'idle'])(
    'the header %s is not refused as misspelled',
    async (sent) => {
      expect((await client.get('/organization', { headers: { [sent]: 'x' } })).status).toBe(200)
    },
  )

  test('a misspelled header is refused after the key is checked and before the path is checked', async () => {
    const headers = { 'x-target-org': client.orgId }
    expect((await client.get('/nothing-here', { headers })).status).toBe(400)
    expect((await app.stranger.get('/nothing-here', { headers })).status).toBe(401)
  })
})

describe('X-Target-Org-Id', () => {
  test.each<[string, TestOrg, string | undefined, string]>([
    ['an agency key without X-Target-Org-Id', agency, undefined, agency.orgId],
    ['an agency key and a client', agency, client.orgId, client.orgId],
    ['an agency key and a client in upper case', agency, client.orgId.toUpperCase(), client.orgId],
    ['an agency key and its own org', agency, agency.orgId, agency.orgId],
    ['an agency key and its own org in upper case', agency, agency.orgId.toUpperCase(), agency.orgId],
    ['a normal key of the agency and a client', normal, client.orgId, agency.orgId],
    ['a normal key and its own org', client, client.orgId, client.orgId],
    ['a normal key and another org', client, outsider.orgId, client.orgId],
    ['a normal key and a text that is not an id', client, 'acme', client.orgId],
    ['a normal key and an empty text', client, '', client.orgId],
  ])(
    'X-Target-Org-Id selects the organization only for an agency key: %s',
    async (_what, key, target, acted) => {
      const answer = await key.get('/organization', target === undefined ? {} : on(target))
      expect(answer.status).toBe(200)
      expect(actedOn(answer)).toBe(acted)
      expect(answer.body.data.org.org_id).toBe(key.orgId)
    },
  )

  test.each([
    ['an org outside the set of the agency', outsider.orgId],
    ['an org that does not exist', randomUUID()],
    ['a text that is not an id', 'acme'],
    ['two ids', `${client.orgId}, ${agency.orgId}`],
  ])('an agency key with the X-Target-Org-Id of %s is refused', async (_what, target) => {
    for (const path of ['/organization', '/contacts', '/nothing-here']) {
      const answer = await agency.get(path, on(target))
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual({
        detail: expect.stringContaining('X-Target-Org-Id'),
        code: 'client_not_linked',
      })
    }
  })

  test('an agency key with an empty X-Target-Org-Id is refused, so a script without its variable does not change the agency', async () => {
    for (const path of ['/organization', '/contacts', '/nothing-here'])
      expect(await agency.get(path, on(''))).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^X-Target-Org-Id is empty\./), code: 'target_org_empty' },
      })
    expect((await agency.get('/contacts', on(' '))).status).toBe(400)
  })

  test('the refusal of an X-Target-Org-Id does not reveal whether the org exists', async () => {
    const [one, other] = await Promise.all(
      [outsider.orgId, randomUUID()].map((id) => agency.get('/contacts', on(id))),
    )
    expect(one!.text).toBe(other!.text)
  })

  test('an agency cannot act on the clients of its client', async () => {
    const grandchild = await app.newOrg()
    await app.operate((tx) => linkOrgs(tx, client.orgId, grandchild.orgId))
    expect((await agency.get('/contacts', on(grandchild.orgId))).status).toBe(403)
  })

  test('an agency key can act on a newly linked client within 2 s', async () => {
    const late = await app.newOrg()
    expect((await agency.get('/contacts', on(late.orgId))).status).toBe(403)
    await app.operate((tx) => linkOrgs(tx, agency.orgId, late.orgId))
    await expectWithin(2_000, async () => (await agency.get('/contacts', on(late.orgId))).status, 200)
  })

  test('an agency key cannot act on an unlinked client after 2 s', async () => {
    const lost = await app.newOrg()
    await app.operate((tx) => linkOrgs(tx, agency.orgId, lost.orgId))
    await expect.poll(async () => (await agency.get('/contacts', on(lost.orgId))).status, patience).toBe(200)
    await app.operate((tx) => unlinkOrgs(tx, agency.orgId, lost.orgId))
    await expectWithin(2_000, async () => (await agency.get('/contacts', on(lost.orgId))).status, 403)
  })
})

describe('acting on a client', () => {
  test('a request that acts on a client reads and writes the data of that client only', async () => {
    const [own, theirs, strange] = await Promise.all([
      agency.post('/contacts', { email: 'own@agency.example' }),
      client.post('/contacts', { email: 'theirs@client.example' }),
      outsider.post('/contacts', { email: 'strange@outside.example' }),
    ])
    const made = await agency.post('/contacts', { email: 'made@client.example' }, on(client.orgId))
    expect(made.status).toBe(201)

    const emails = async (key: TestOrg, target?: string) => {
      const { body } = await key.get('/contacts', target ? on(target) : {})
      expect(body.pagination.total).toBe(body.data.length)
      return body.data.map(({ email }: { email: string }) => email).sort()
    }
    expect(await emails(agency, client.orgId)).toEqual(['made@client.example', 'theirs@client.example'])
    expect(await emails(client)).toEqual(['made@client.example', 'theirs@client.example'])
    expect(await emails(agency)).toEqual(['own@agency.example'])

    const nobody = await agency.get(`/contacts/${randomUUID()}`, on(client.orgId))
    for (const { body } of [own, strange]) {
      const path = `/contacts/${body.data.contact_id}`
      const hidden = await agency.get(path, on(client.orgId))
      expect(hidden.status).toBe(404)
      expect(hidden.text).toBe(nobody.text)
      expect((await agency.patch(path, { city: 'Rome' }, on(client.orgId))).status).toBe(404)
      expect((await agency.delete(path, on(client.orgId))).status).toBe(404)
    }
    expect((await agency.get(`/contacts/${theirs.body.data.contact_id}`)).status).toBe(404)
  })

  test("a change in a client writes an event with the agency's key in the client, and no event in the agency", async () => {
    const made = await agency.post('/contacts', { email: 'event@client.example' }, on(client.orgId))
    const path = `/events?object_id=${made.body.data.contact_id}`
    const theirs = await client.get(path)
    expect(theirs.body.data).toMatchObject([{ type: 'contact.created', api_key_id: agency.apiKeyId }])
    expect((await agency.get(path, on(client.orgId))).body.data).toEqual(theirs.body.data)
    expect((await agency.get(path)).body.data).toEqual([])
  })

  test('PATCH /organization with X-Target-Org-Id changes the client', async () => {
    const changed = await agency.patch('/organization', { name: 'Client & Co' }, on(client.orgId))
    expect(changed.body.data).toMatchObject({
      org: { org_id: agency.orgId, name: 'Agency' },
      acting_on: { org_id: client.orgId, name: 'Client & Co' },
    })
    expect((await client.get('/organization')).body.data.org.name).toBe('Client & Co')
    expect((await agency.get('/organization')).body.data.org.name).toBe('Agency')
  })

  test('a restricted agency key has only its own permissions in a client', async () => {
    const reader = await app.newKey(agency.orgId, { isAgency: true, permissions: ['contacts:read'] })
    expect((await reader.get('/contacts', on(client.orgId))).status).toBe(200)
    const answer = await reader.post('/contacts', { email: 'no@client.example' }, on(client.orgId))
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toContain('contacts:write')
  })
})
