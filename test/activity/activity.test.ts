import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { newLiveForm, sendForm } from '../support/form-pages.ts'
import { merge } from '../support/merges.ts'
import { newSite, postEvents } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Item = {
  kind: string
  type: string
  title: string | null
  contact_id: string | null
  claimed: boolean
  at: number
}
type Page = { items: Item[]; next_cursor: string | null }

const minuteMs = 60_000

async function read(client: TestClient, path: string, query = 'limit=100'): Promise<Page> {
  const { status, body } = await client.get(`${path}/activity?${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

async function readAll(client: TestClient, path: string, query: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor = ''
  for (;;) {
    const page = await read(client, path, query + cursor)
    items.push(...page.items)
    if (page.next_cursor === null) return items
    cursor = `&cursor=${page.next_cursor}`
  }
}

const words = (items: Item[]) => items.map(({ kind, type, title }) => `${kind} ${type} ${title ?? '-'}`)

async function newContact(org: TestOrg, fields: object): Promise<string> {
  const { status, body } = await org.post('/contacts', fields)
  expect(status).toBe(201)
  return body.data.contact_id
}

/** Sends page views of a visitor, the first one longest ago. */
const view = (server: string, anonymousId: string, userId: string | null, ...paths: string[]) =>
  postEvents(
    app,
    server,
    paths.map((path, at) => ({
      ...{ type: 'page', anonymousId, properties: { path } },
      ...(userId && { userId }),
      timestamp: new Date(Date.now() - (paths.length - at) * minuteMs),
    })),
  )

describe('the timeline of a contact', () => {
  test('it has the web events, calls, notes, tasks, changes and merges of the contact and of absorbed contacts', async () => {
    const { org, server } = await newSite(app)
    const email = 'ada@example.com'
    const contactId = await newContact(org, { email, first_name: 'Ada', phone: '+14155550123' })
    await org.patch(`/contacts/${contactId}`, { city: 'Berlin' })
    const record = { entity_type: 'contact', record_id: contactId }
    await org.post('/notes', { ...record, text: 'Wants an offer' })
    const task = (await org.post('/tasks', { ...record, title: 'Send it' })).body.data
    await org.post(`/tasks/${task.task_id}/complete`)
    const absorbed = await newContact(org, { email: 'ada@example.org' })
    await merge(org, 'contact', contactId, absorbed)
    await view(server, 'a1', 'ada@example.org', '/pricing', '/signup')
    const path = `/contacts/${contactId}`
    const items = await readAll(org, path, 'limit=2')
    expect(words(items).sort()).toEqual(
      [
        ...['web_event page /signup', 'web_event page /pricing'],
        'merge contact.merged -',
        ...['change contact.created -', 'change contact.created -', 'change contact.updated -'],
        ...['note note Wants an offer', 'task done Send it'],
      ].sort(),
    )
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted((one, other) => other - one))
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(items.length)
    expect(await read(org, `/contacts/${absorbed}`)).toEqual(await read(org, path))
    expect(words(await readAll(org, path, 'limit=1&kinds=note,task'))).toEqual([
      'task done Send it',
      'note note Wants an offer',
    ])
    const unknown = await org.get(`${path}/activity?kinds=note,visits`)
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['query', 'kinds']])
  })

  test('it has the forms that the contact sent, after a merge too', async () => {
    const { org } = await newSite(app)
    const form = await newLiveForm(org, { name: 'Ask for an offer' })
    const sent = await sendForm(app, form, { answers: { email: 'grace@example.com', name: 'Grace' } })
    expect(sent.status, sent.text).toBe(200)
    const [{ submission_id, contact_id }] = (await org.get('/forms/submissions')).body.data
    const known = await newContact(org, { email: 'grace@example.com' })
    const submissions = async (contactId: string) =>
      (await read(org, `/contacts/${contactId}`, 'kinds=submission')).items
    expect(await submissions(contact_id)).toMatchObject([
      { object_id: submission_id, type: 'accepted', title: 'Ask for an offer', contact_id, actor: null },
    ])
    expect(await submissions(known)).toEqual([])
    await merge(org, 'contact', known, contact_id)
    expect(words(await submissions(known))).toEqual(['submission accepted Ask for an offer'])
    const reader = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
    expect((await read(reader, `/contacts/${known}`)).items).toEqual([])
  })

  test('new items do not shift the pages of a timeline', async () => {
    const org = await app.newOrg()
    const contactId = await newContact(org, { email: 'ada@example.com' })
    const write = (text: string) => org.post('/notes', { entity_type: 'contact', record_id: contactId, text })
    for (const text of ['one', 'two', 'three', 'four']) await write(text)
    const path = `/contacts/${contactId}`
    const first = await read(org, path, 'kinds=note&limit=2')
    await write('five')
    const second = await read(org, path, `kinds=note&limit=2&cursor=${first.next_cursor}`)
    expect(words([...first.items, ...second.items])).toEqual(
      ['four', 'three', 'two', 'one'].map((text) => `note note ${text}`),
    )
    expect(second.next_cursor).toBeNull()
    const other = await org.get(`${path}/activity?kinds=task&cursor=${first.next_cursor}`)
    expect(other.status).toBe(422)
  })

  test('a key sees only the kinds that its permissions include, and events that a browser claims are marked', async () => {
    const { org, key } = await newSite(app)
    const contactId = await newContact(org, { email: 'ada@example.com' })
    await org.post('/notes', { entity_type: 'contact', record_id: contactId, text: 'Hello' })
    await view(key, 'a1', 'ada@example.com', '/claimed')
    const path = `/contacts/${contactId}`
    const seen = async (...permissions: string[]) => {
      const client = await app.newKey(org.orgId, { permissions: ['contacts:read', ...permissions] })
      return words((await read(client, path)).items)
    }
    expect(await seen()).toEqual([])
    expect(await seen('notes:read')).toEqual(['note note Hello'])
    expect(await seen('visitors:read')).toEqual(['web_event page /claimed'])
    expect(await seen('events:read')).toEqual(['change contact.created -'])
    const [event] = (await read(org, path, 'kinds=web_event')).items
    expect(event).toMatchObject({ claimed: true, contact_id: contactId })
    const without = await app.newKey(org.orgId, { permissions: ['notes:read', 'companies:read'] })
    expect((await without.get(`${path}/activity`)).status).toBe(403)
  })

  test('the first and the last touch say where the contact came from', async () => {
    const { org, server } = await newSite(app)
    const contactId = await newContact(org, { email: 'ada@example.com' })
    const path = `/contacts/${contactId}/touches`
    expect((await org.get(path)).body.data).toEqual({ first_touch: null, last_touch: null })
    const at = Math.floor(Date.now() / 1000)
    const event = (minutes: number, path: string, context: object) => ({
      ...{ type: 'page', anonymousId: 'a1', userId: 'ada@example.com', properties: { path }, context },
      timestamp: new Date((at - minutes * 60) * 1000),
    })
    await postEvents(app, server, [
      event(30, '/blog', { page: { referrer: 'https://news.example.org/' } }),
      event(20, '/pricing', { campaign: { name: 'May', source: 'newsletter' } }),
      event(10, '/signup', {}),
    ])
    const none = { source: null, campaign: null, referrer_host: null }
    expect((await org.get(path)).body.data).toEqual({
      first_touch: { ...none, referrer_host: 'news.example.org', page: '/blog', at: at - 30 * 60 },
      last_touch: { ...none, source: 'newsletter', campaign: 'May', page: '/pricing', at: at - 20 * 60 },
    })
  })
})

test('the timeline and the touches of an erased record are a 404, also under the id of an absorbed record', async () => {
  const { org } = await newSite(app)
  const contactIds = [await newContact(org, { first_name: 'A' }), await newContact(org, { first_name: 'A' })]
  await merge(org, 'contact', contactIds[0]!, contactIds[1]!)
  await org.post(`/contacts/${contactIds[0]}/erase`)
  const companyId = (await org.post('/companies', { name: 'Acme' })).body.data.company_id
  await org.post(`/companies/${companyId}/erase`)
  const paths = [
    ...contactIds.flatMap((id) => [`/contacts/${id}/activity`, `/contacts/${id}/touches`]),
    `/companies/${companyId}/activity`,
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await org.get(path)).status))
  expect(statuses).toEqual(paths.map(() => 404))
})

test('visitors that only claim to be a contact hide neither its events nor its touches', async () => {
  const { org, key, server } = await newSite(app)
  const contactId = await newContact(org, { email: 'ada@example.com' })
  await view(server, 'a1', 'ada@example.com', '/real')
  const claims = Array.from({ length: 21 }, (_, n) => ({
    ...{ type: 'page', anonymousId: `c${n}`, userId: 'ada@example.com', properties: { path: '/claimed' } },
    ...{ context: { page: { referrer: 'https://evil.example/' } }, timestamp: new Date() },
  }))
  await postEvents(app, key, claims)
  const { items } = await read(org, `/contacts/${contactId}`, 'kinds=web_event&limit=100')
  expect(items.filter(({ claimed }) => !claimed).map(({ title }) => title)).toEqual(['/real'])
  const touches = (await org.get(`/contacts/${contactId}/touches`)).body.data
  expect(touches).toMatchObject({ first_touch: { page: '/real' }, last_touch: null })
})

test('events that a server reports for a userId alone are in the timeline, and events that a page claims are not', async () => {
  const { org, key, server } = await newSite(app)
  const company = (await org.post('/companies', { name: 'Acme' })).body.data
  const contactId = await newContact(org, {
    ...{ external_ids: { user_id: 'user-7' }, company_id: company.company_id },
  })
  const paid = (event: string, userId: string, minutes: number) => ({
    ...{ type: 'track', event, userId, timestamp: new Date(Date.now() - minutes * minuteMs) },
  })
  const long = 10 * 24 * 60
  await postEvents(app, server, [
    paid('Paid', 'user-7', 0.5),
    paid('Old', 'user-7', long),
    paid('No', 'user-8', 1),
  ])
  await postEvents(app, key, [paid('Claimed', 'user-7', 1)])
  await view(server, 'a1', 'user-7', '/pricing', '/signup')
  const shown = ['track Paid', 'page /signup', 'page /pricing', 'track Old'].map(
    (title) => `web_event ${title}`,
  )
  const query = 'kinds=web_event&limit=1'
  const items = await readAll(org, `/contacts/${contactId}`, query)
  expect(words(items)).toEqual(shown)
  expect(items[0]).toMatchObject({ contact_id: contactId, visitor_id: null, claimed: false })
  expect(words(await readAll(org, `/companies/${company.company_id}`, query))).toEqual(shown)
  const testKey = await app.newKey(org.orgId, { mode: 'test' })
  expect(await readAll(testKey, `/contacts/${contactId}`, query)).toEqual([])

  const survivor = await newContact(org, { first_name: 'Ada' })
  await merge(org, 'contact', survivor, contactId)
  expect(words(await readAll(org, `/contacts/${survivor}`, query))).toEqual(shown)
})

test('the timeline of a company has its changes, and the notes, calls and web events of its people', async () => {
  const { org, server } = await newSite(app)
  const company = (await org.post('/companies', { name: 'Acme', domain: 'acme.example' })).body.data
  const contactId = await newContact(org, { email: 'ada@acme.example', company_id: company.company_id })
  await org.post('/notes', { entity_type: 'contact', record_id: contactId, text: 'About Ada' })
  await org.post('/notes', { entity_type: 'company', record_id: company.company_id, text: 'About Acme' })
  await view(server, 'a1', 'ada@acme.example', '/pricing')
  const path = `/companies/${company.company_id}`
  const items = (await read(org, path)).items
  expect(items.map(({ title, contact_id }) => [title, contact_id])).toEqual(
    expect.arrayContaining([
      ['About Ada', contactId],
      ['About Acme', null],
      ['/pricing', contactId],
    ]),
  )
  expect(items.filter(({ kind }) => kind === 'change')).toHaveLength(1)
  const client = await app.newKey(org.orgId, { permissions: ['companies:read', 'notes:read'] })
  expect(words((await read(client, path)).items)).toEqual(['note note About Acme'])
})
