import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { upsertOwnContact } from '../../src/tracking/identity/own-contact.ts'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { ada, identityTools } from '../support/identity.ts'
import { createContact, undo } from '../support/merges.ts'
import { newSite, readData, visitorPath } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { say, applyNew, visitorOf, contactsOf, rowOf } = identityTools(app)

describe('an identify call that nobody verified', () => {
  test('an identify call that nobody verified is shown as a claim, and by default makes no contact', async () => {
    const { org, key } = await newSite(app)
    await say(key, { userId: 'u7', traits: { email: ada.email } })
    const { claims, links, own_contact_id: own } = await visitorOf(org)
    expect([claims, links, own]).toEqual([
      [expect.objectContaining({ user_key: 'u7', email: ada.email, contact_ids: [], until: null })],
      ...[[], null],
    ])
    expect(await contactsOf(org)).toEqual([])
  })

  test('an identify call that nobody verified writes only the own contact of the visitor, whatever it says', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    const victim = await createContact(org, { ...ada, external_ids: { user_id: 'u7' } })
    const before = await rowOf(org, victim)
    const lies = { ...ada, firstName: 'Eve', phone: '+14155550199', title: 'CEO' }
    for (const userId of ['u7', ada.email, victim, undefined])
      for (const anonymousId of ['a1', 'a2'])
        await say(key, { userId, anonymousId, traits: { ...lies, external_ids: { user_id: 'u7' } } })
    await say(
      key,
      { type: 'alias', userId: 'u7', previousId: 'a3', anonymousId: 'a3' },
      { type: 'group', groupId: 'g1', userId: 'u7', traits: { name: 'Evil' } },
      { type: 'track', event: 'Bought', userId: 'u7', properties: { email: ada.email } },
      {
        traits: { phone: 'not a number', email: 'not an address', firstName: ['x'], name: { a: 1 } },
        anonymousId: 'a4',
        userId: 'u9',
      },
    )
    expect(await rowOf(org, victim)).toEqual(before)
    const own = (await contactsOf(org)).filter(({ claimed_by: by }) => by !== null)
    expect(own.map(({ claimed_by: by }) => by).sort()).toEqual(
      ['a1', 'a2'].map((id) => visitorIdOf(org.orgId, id)).sort(),
    )
    expect(own[0]).toMatchObject({
      first_name: 'Eve',
      email: ada.email,
      job_title: 'CEO',
      phone: '+14155550199',
    })
    expect((await org.get('/companies')).body.data).toEqual([])
    expect((await visitorOf(org)).own_contact_id).not.toBe(null)
  })

  test('an identify call that nobody verified gets the same answer whether or not the contact exists', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    await createContact(org, ada)
    const answers = []
    for (const email of [ada.email, 'nobody@engine.example']) {
      const event = { type: 'identify', anonymousId: randomUUID(), userId: email, traits: { email } }
      const { status, text, headers } = await app.stranger.post(
        '/v1/i',
        { ...event, writeKey: key },
        { prefix: '', headers: { 'x-forwarded-for': '10.8.0.1' } },
      )
      answers.push([status, text, [...headers.keys()].sort()])
    }
    expect(answers[0]).toEqual(answers[1])
    await applyNew()
  })

  test('an identify call that nobody verified links nobody by a value that many programs send', async () => {
    const { org, key } = await newSite(app)
    await say(key, { userId: 'admin', messageId: 'm1' }, { userId: 'x'.repeat(201) }, { userId: '-1' })
    expect(await visitorOf(org)).toMatchObject({ claims: [], links: [] })
  })

  test('an identify call that nobody verified is suspended if more than 30 visitors made the same claim within 24 hours', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    const timestamp = (n: number) => new Date(Date.now() - 60_000 + n * 1_000)
    const claims = Array.from({ length: 32 }, (_, n) => ({
      userId: 'u7',
      anonymousId: `v${n}`,
      timestamp: timestamp(n),
    }))
    await say(key, ...claims.map((claim) => ({ ...claim, traits: { firstName: 'Eve' } })))
    const shown = await Promise.all(
      [0, 29, 30, 31].map(async (n) => (await visitorOf(org, `v${n}`)).claims.length),
    )
    expect(shown).toEqual([1, 1, 0, 0])
    expect(await contactsOf(org)).toHaveLength(30)
  })
})

test('calls of identify make at most half of the new contacts of a day, and forms make the rest', async () => {
  const { org, key } = await newSite(app)
  await org.patch('/tracking/settings', { identify_creates: true })
  await say(key, { userId: 'u1', traits: { firstName: 'Ada' } })
  await runAsOwner(
    app.databaseUrl,
    `insert into contact (org_id, contact_id, search, created_at, updated_at, claimed_by)
    select $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, '', now(), now(), gen_random_uuid()
    from generate_series(1, 499) as n`,
    [org.orgId, (await visitorOf(org)).own_contact_id],
  )
  await say(key, { anonymousId: 'a2', userId: 'u2', traits: { firstName: 'Eve' } })
  expect((await visitorOf(org, 'a2')).own_contact_id).toBe(null)
  const ofForm = await app.app.context.database
    .org(org.orgId)
    .transact((tx) => upsertOwnContact(tx, { visitorId: randomUUID(), fields: { first_name: 'Grace' } }))
  expect(ofForm.outcome).toBe('created')
})

test('at most 500 statements of a visitor count, and proven ones count first', async () => {
  const { org, server } = await newSite(app)
  await say(server, { userId: 'u7', timestamp: new Date(Date.now() - 60_000) })
  await runAsOwner(
    app.databaseUrl,
    `insert into identity_fact (org_id, day, message_key, mode, kind, occurred_at, visitor_id, user_key, trust)
    select $1, current_date, gen_random_uuid(), 'live', 'identify', now() - interval '30 seconds' + n * interval '1 ms', $2, 'u' || n, 1
    from generate_series(1000, 1599) as n`,
    [org.orgId, visitorIdOf(org.orgId, 'a1')],
  )
  const { links, claims } = await visitorOf(org)
  expect(links).toMatchObject([{ user_key: 'u7', trust: 'trusted' }])
  expect(claims.map(({ user_key: user }) => user)).toEqual(
    Array.from({ length: 499 }, (_, n) => `u${1101 + n}`),
  )
})

describe('an API key', () => {
  test('an API key writes contacts and companies as an upsert does, and links the visitor', async () => {
    const { org, server } = await newSite(app)
    await say(
      server,
      { userId: 'u7', traits: { ...ada, firstName: 'Ada', name: 'Ada Lovelace', phone: ada.phone } },
      { type: 'group', userId: 'u7', groupId: 'g1', traits: { name: 'Engines Ltd' } },
    )
    const [company] = (await org.get('/companies')).body.data
    expect(company).toMatchObject({ name: 'Engines Ltd', external_ids: { group_id: 'g1' } })
    const [contact, ...others] = await contactsOf(org)
    expect([contact, others]).toMatchObject([
      { ...ada, company_id: company.company_id, external_ids: { user_id: 'u7' } },
      [],
    ])
    expect(await visitorOf(org)).toMatchObject({
      links: [{ trust: 'trusted', contact_ids: [contact?.contact_id] }],
    })
    await say(
      server,
      { type: 'alias', anonymousId: undefined, previousId: 'a9', userId: 'u7' },
      { type: 'page', anonymousId: 'a9' },
    )
    expect(await visitorOf(org, 'a9')).toMatchObject({ links: [{ user_key: 'u7', trust: 'trusted' }] })
  })

  test('an API key that names a person by the id of the contact makes no second contact', async () => {
    const { org, server } = await newSite(app)
    const contactId = await createContact(org, ada)
    await say(server, { userId: contactId, traits: { title: 'CEO' } }, { userId: randomUUID() })
    expect((await contactsOf(org)).map(({ external_ids: ids }) => Object.keys(ids as object))).toEqual([
      ['user_id'],
      [],
    ])
    expect(await visitorOf(org)).toMatchObject({ user_trust: 'trusted' })
  })
})

describe('a person', () => {
  test('a person accepts a claim, which merges the own contact, and undoes the merge and the link', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    const victim = await createContact(org, ada)
    await say(key, { userId: ada.email, traits: { firstName: 'Ada', phone: '+14155550111' } })
    const [claim] = (await visitorOf(org)).claims
    expect(claim?.contact_ids).toEqual([victim])
    const path = `${visitorPath(org)}/claims/accept`
    const reader = await app.newKey(org.orgId, { permissions: ['visitors:write'] })
    const refused = await reader.post(path, { claim_id: claim?.claim_id })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining('This API key lacks the permission contacts:write'),
    ])
    const { status, body } = await org.post(path, { claim_id: claim?.claim_id })
    expect([status, body.data]).toMatchObject([
      200,
      {
        claims: [],
        own_contact_id: null,
        links: [{ link_id: claim?.claim_id, trust: 'accepted', contact_ids: [victim] }],
      },
    ])
    expect((await readData(org, `/contacts/${victim}`)).phones).toEqual([ada.phone, '+14155550111'])
    expect((await readData(org, `/visitors?contact_id=${victim}`)).visitors).toHaveLength(1)
    expect((await org.post(path, { claim_id: claim?.claim_id })).status).toBe(404)
    expect((await undo(org, body.data.merge_id)).status).toBe(200)
    expect((await readData(org, `/contacts/${victim}`)).phones).toEqual([ada.phone])
    const undone = await org.post(`${visitorPath(org)}/links/${claim?.claim_id}/undo`)
    expect([undone.status, undone.body.data]).toMatchObject([200, { links: [], claims: [] }])
    expect((await org.post(`${visitorPath(org)}/links/${claim?.claim_id}/undo`)).status).toBe(404)
  })

  test('a person accepts the claim of somebody new: the own contact becomes a contact like all others', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    await say(key, { userId: 'u7', traits: { email: ada.email } })
    const { claims, own_contact_id: own } = await visitorOf(org)
    const { body } = await org.post(`${visitorPath(org)}/claims/accept`, { claim_id: claims[0]?.claim_id })
    expect(body.data).toMatchObject({ merge_id: null, own_contact_id: null, links: [{ contact_ids: [own] }] })
    expect((await readData(org, `/contacts/${own}`)).claimed_by).toBe(null)
    await say(key, { userId: 'u7', traits: { phone: '+14155550199' } })
    expect((await readData(org, `/contacts/${own}`)).phone).toBe(null)
  })

  test('a person chooses the contact if several have the claimed address', async () => {
    const { org, key } = await newSite(app)
    const [one, other] = [
      await createContact(org, ada),
      await createContact(org, { ...ada, first_name: 'Augusta' }),
    ]
    await say(key, { userId: ada.email })
    const asked = { claim_id: (await visitorOf(org)).claims[0]?.claim_id }
    const path = `${visitorPath(org)}/claims/accept`
    const refused = await org.post(path, asked)
    expect([refused.status, refused.body.code]).toEqual([409, 'ambiguous_match'])
    expect((await org.post(path, { ...asked, contact_id: randomUUID() })).status).toBe(404)
    expect((await org.post(path, { ...asked, contact_id: other })).body.data.links[0].contact_ids).toEqual([
      other,
    ])
    expect((await readData(org, `/visitors?contact_id=${one}`)).visitors).toHaveLength(1)
  })
})

test('retries, duplicates and requests in any order give the same claims and links', async () => {
  const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1_000)
  const events = [
    { userId: 'u1', messageId: 'm1', timestamp: at(0) },
    { userId: 'u2', messageId: 'm2', timestamp: at(10) },
    { userId: 'u2', messageId: 'm3', timestamp: at(20) },
    { type: 'alias', userId: 'u3', previousId: 'a1', messageId: 'm4', timestamp: at(30) },
    { userId: 'u1', messageId: 'm5', timestamp: at(40) },
  ]
  const orders = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [2, 0, 0, 4, 1, 3, 1],
  ]
  const found = []
  for (const order of orders) {
    const { org, key } = await newSite(app)
    const half = Math.ceil(order.length / 2)
    for (const part of [order.slice(0, half), order.slice(half), order.slice(0, half)])
      await say(key, ...part.map((n) => events[n] ?? {}))
    found.push((await visitorOf(org)).claims.map(({ user_key: user, claim_id: id }) => [user, id]))
  }
  expect(found[0]?.map(([user]) => user)).toEqual(['u1', 'u2', 'u1'])
  expect(found).toEqual([found[0], found[0], found[0]])
})
