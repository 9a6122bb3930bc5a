import { afterAll, describe, expect, test } from 'vitest'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { identityTools } from '../support/identity.ts'
import { createContact, merge, undo } from '../support/merges.ts'
import { newSite, postEvents, readData, sendEvents, visitorPath } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { applyNew, visitorOf } = identityTools(app)

const hour = 3_600_000

/** Sends events of the visitor `a1`, each so many hours ago, unless they say otherwise. */
async function send(key: string, ...events: { hoursAgo: number; path?: string }[]): Promise<void> {
  const batch = events.map(({ hoursAgo, path, ...event }) => ({
    ...{ type: path === undefined ? 'identify' : 'page', anonymousId: 'a1' },
    ...(path !== undefined && { properties: { path } }),
    timestamp: new Date(Date.now() - hoursAgo * hour),
    ...event,
  }))
  await postEvents(app, key, batch, { sentAt: new Date() })
  await applyNew()
}

type Item = { type: string; title: string | null; claimed: boolean; contact_id: string }

/** The web events of a timeline, newest first. Those that only a browser claims have a question mark. */
async function eventsOf(org: TestOrg, contactId: string): Promise<string[]> {
  const { items } = await readData(org, `/contacts/${contactId}/activity?kinds=web_event&limit=100`)
  return (items as Item[]).map(({ type, title, claimed }) => `${title ?? type}${claimed ? '?' : ''}`)
}

const touchesOf = async (org: TestOrg, contactId: string) => {
  const { first_touch: first, last_touch: last } = await readData(org, `/contacts/${contactId}/touches`)
  return [first, last].map((touch) => (touch as { page: string } | null)?.page ?? null)
}

const visitorsOf = async (org: TestOrg, contactId: string) =>
  ((await readData(org, `/visitors?contact_id=${contactId}`)).visitors as { visitor_id: string }[]).map(
    ({ visitor_id: id }) => id,
  )

/** Undoes the link of the visitor to a user. */
async function undoLink(org: TestOrg, userKey: string): Promise<void> {
  const link = (await visitorOf(org)).links.find(({ user_key: user }) => user === userKey)
  expect((await org.post(`${visitorPath(org)}/links/${link?.link_id}/undo`)).status).toBe(200)
}

/** Accepts the only claim of the visitor, and returns the id of the merge. */
async function acceptClaim(org: TestOrg, contactId?: string): Promise<string | null> {
  const [claim] = (await visitorOf(org)).claims
  const { status, body } = await org.post(`${visitorPath(org)}/claims/accept`, {
    ...{ claim_id: claim?.claim_id, ...(contactId && { contact_id: contactId }) },
  })
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data.merge_id
}

const campaign = (name: string) => ({ context: { campaign: { name, source: name } } })

describe('the timeline of a contact', () => {
  test('the timeline of a contact has the anonymous events of a linked visitor, and loses them when the link is undone', async () => {
    const { org, key, server } = await newSite(app)
    const ada = await createContact(org, { email: 'ada@example.com', external_ids: { user_id: 'u1' } })
    await send(server, { hoursAgo: 800, path: '/old' })
    await send(key, { hoursAgo: 9, path: '/blog', ...campaign('May') })
    expect(await eventsOf(org, ada)).toEqual([])
    await send(server, { hoursAgo: 8, userId: 'u1' } as never)
    await send(key, { hoursAgo: 7, path: '/pricing' })
    expect(await eventsOf(org, ada)).toEqual(['/pricing', 'identify', '/blog'])
    expect(await touchesOf(org, ada)).toEqual(['/blog', '/blog'])
    expect(await visitorsOf(org, ada)).toEqual([visitorIdOf(org.orgId, 'a1')])
    await undoLink(org, 'u1')
    expect(await eventsOf(org, ada)).toEqual(['identify'])
    expect(await touchesOf(org, ada)).toEqual([null, null])
    await send(server, { hoursAgo: 6, userId: 'u1' } as never)
    expect(await eventsOf(org, ada)).toEqual(['identify', '/pricing', 'identify', '/blog'])
  })

  test('the timeline of a contact has only the time in which the person used a shared browser', async () => {
    const { org, key, server } = await newSite(app)
    const ada = await createContact(org, { external_ids: { user_id: 'u1' } })
    const eve = await createContact(org, { external_ids: { user_id: 'u2' } })
    await send(server, { hoursAgo: 8, userId: 'u1' } as never, { hoursAgo: 4, userId: 'u2' } as never)
    await send(
      key,
      { hoursAgo: 9, path: '/first', ...campaign('May') },
      { hoursAgo: 5, path: '/of-ada' },
      { hoursAgo: 3, path: '/of-eve', ...campaign('June') },
    )
    expect(await eventsOf(org, ada)).toEqual(['/of-ada', 'identify', '/first'])
    expect(await eventsOf(org, eve)).toEqual(['/of-eve', 'identify'])
    expect(await touchesOf(org, ada)).toEqual(['/first', '/first'])
    expect(await touchesOf(org, eve)).toEqual([null, '/of-eve'])
    expect([await visitorsOf(org, ada), await visitorsOf(org, eve)]).toEqual(
      Array(2).fill([visitorIdOf(org.orgId, 'a1')]),
    )
  })

  test('the timeline of a contact has the anonymous events of a claim only after somebody accepted it', async () => {
    const { org, key } = await newSite(app)
    const ada = await createContact(org, { email: 'ada@example.com' })
    const other = await createContact(org, { email: 'other@example.com' })
    await send(key, { hoursAgo: 3, path: '/blog' }, { hoursAgo: 2, userId: 'ada@example.com' } as never)
    expect(await eventsOf(org, ada)).toEqual(['identify?'])
    await acceptClaim(org, ada)
    expect(await eventsOf(org, ada)).toEqual(['identify', '/blog'])
    await merge(org, 'contact', other, ada).then(async ([merged]) => {
      expect(await eventsOf(org, other)).toEqual(['identify', '/blog'])
      expect(await visitorsOf(org, other)).toHaveLength(1)
      expect((await undo(org, merged?.merge_id ?? '')).status).toBe(200)
    })
    expect(await eventsOf(org, other)).toEqual([])
    await undoLink(org, 'ada@example.com')
    expect(await eventsOf(org, ada)).toEqual(['identify?'])
  })

  test('the anonymous events of a claim that was accepted for another contact are only in the timeline of that contact', async () => {
    const { org, key } = await newSite(app)
    const claimed = await createContact(org, { email: 'ada@example.com' })
    const named = await createContact(org, { email: 'augusta@example.com' })
    await send(key, { hoursAgo: 3, path: '/blog' }, { hoursAgo: 2, userId: 'ada@example.com' } as never)
    await acceptClaim(org, named)
    expect(await eventsOf(org, named)).toEqual(['identify', '/blog'])
    expect(await eventsOf(org, claimed)).toEqual(['identify?'])
  })

  test('the timeline of a contact has the events of the visitor whose statements made the contact, except events of other people', async () => {
    const { org, key, server } = await newSite(app)
    await org.patch('/tracking/settings', { identify_creates: true })
    const ada = await createContact(org, { email: 'ada@example.com' })
    const claim = { hoursAgo: 8, userId: 'u7', traits: { email: 'ada@example.com', firstName: 'A' } }
    await send(key, { hoursAgo: 9, path: '/blog' }, claim as never)
    await send(server, { hoursAgo: 4, userId: 'u2' } as never)
    await send(key, { hoursAgo: 3, path: '/of-u2' })
    const own = (await visitorOf(org)).own_contact_id ?? ''
    expect(await eventsOf(org, own)).toEqual(['identify?', '/blog?'])
    expect(await touchesOf(org, own)).toEqual(['/blog', null])
    expect(await visitorsOf(org, own)).toEqual([visitorIdOf(org.orgId, 'a1')])
    expect(await eventsOf(org, ada)).toEqual([])
    const other = await createContact(org, { email: 'other@example.com' })
    const [merged] = await merge(org, 'contact', other, own)
    expect(await eventsOf(org, other)).toEqual(['identify?', '/blog?'])
    expect((await undo(org, merged?.merge_id ?? '')).status).toBe(200)
    expect(await eventsOf(org, other)).toEqual([])
    const mergeId = await acceptClaim(org, ada)
    expect(await eventsOf(org, ada)).toEqual(['identify', '/blog'])
    await undoLink(org, 'u7')
    expect(await eventsOf(org, ada)).toEqual([])
    expect((await undo(org, mergeId ?? '')).status).toBe(200)
    // Without the claim, the link to `u2` is the first one, and has the events of the 30 days before it.
    expect(await eventsOf(org, own)).toEqual([])
  })

  test('the timeline of a contact has the anonymous events of a visitor whose page views alone name the person', async () => {
    const { org, key } = await newSite(app)
    const ada = await createContact(org, { email: 'ada@example.com' })
    await sendEvents(app, key, { userId: 'ada@example.com', properties: { path: '/named' } })
    await send(key, { hoursAgo: 1, path: '/before' })
    expect(await eventsOf(org, ada)).toEqual(['/named?', '/before?'])
  })
})

test('the timeline of a company has the events of the links of its people, and of contacts that they absorbed', async () => {
  const { org, key, server } = await newSite(app)
  const company = (await org.post('/companies', { name: 'Acme' })).body.data.company_id
  const employee = (user: string) =>
    createContact(org, { company_id: company, external_ids: { user_id: user } })
  const [ada, eve] = [await employee('u1'), await employee('u2')]
  const absorbed = await createContact(org, { external_ids: { user_id: 'u3' } })
  const at = (hoursAgo: number, userId: string) => ({ hoursAgo, userId }) as never
  await send(server, at(8, 'u1'), at(5, 'u2'), at(3, 'u9'))
  await send(server, { hoursAgo: 8, userId: 'u3', anonymousId: 'a3' } as never)
  await send(
    key,
    ...[
      { hoursAgo: 7, path: '/of-ada' },
      { hoursAgo: 4, path: '/of-eve' },
      { hoursAgo: 2, path: '/of-u9' },
    ],
    { hoursAgo: 6, path: '/of-absorbed', anonymousId: 'a3' } as never,
  )
  await merge(org, 'contact', ada, absorbed)
  const people = async () => {
    const { items } = await readData(org, `/companies/${company}/activity?kinds=web_event&limit=100`)
    return (items as Item[]).map(({ title, type, contact_id: id }) => [title ?? type, id])
  }
  const rest = [
    ['identify', eve],
    ['/of-absorbed', ada],
    ['/of-ada', ada],
    ['identify', ada],
    ['identify', ada],
  ]
  expect(await people()).toEqual([['/of-eve', eve], ...rest])
  await undoLink(org, 'u2')
  expect(await people()).toEqual([['/of-eve', ada], ...rest])
})
