import { afterAll, describe, expect, test } from 'vitest'
import { recordEvents } from '../../src/events/record.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sharedTestApp, type TestClient } from '../support/app.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Shown = {
  type: string
  object_id: string
  created_at: number
  actor: { kind: string; id: string | null }
}

async function list(client: TestClient, query: string): Promise<Shown[]> {
  const { status, body } = await client.get(`/events?limit=100&${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  expect(body.pagination.total).toBe(body.data.length)
  return body.data
}

describe('the list of events', () => {
  test('the list of events filters by the kind of actor and by the actor, and each event has one kind', async () => {
    const org = await app.newOrg()
    const [key, member, other] = [
      await app.newKey(org.orgId),
      await newMember(app, org.orgId),
      await newMember(app, org.orgId),
    ]
    await key.post('/contacts', { first_name: 'Ada' })
    await key.patch('/organization', { name: 'By key' })
    await member.post('/contacts', { first_name: 'Grace' })
    await other.post('/deals', { name: 'Website' })
    await app.app.context.database
      .org(org.orgId)
      .transact((tx) => recordEvents(tx, [{ type: 'import.finished', objectId: newId() }]))
    const all = await list(org, '')
    const kinds = ['api_key', 'member', 'operator', 'system']
    for (const kind of kinds)
      expect(await list(org, `actor_kind=${kind}`)).toEqual(all.filter(({ actor }) => actor.kind === kind))
    expect(new Set(all.map(({ actor }) => actor.kind))).toEqual(new Set(kinds))
    for (const id of [key.apiKeyId, member.memberId, other.memberId]) {
      const some = await list(org, `actor_id=${id}`)
      expect(some.length).toBeGreaterThan(0)
      expect(some).toEqual(all.filter(({ actor }) => actor.id === id))
    }
    expect(await list(org, `actor_id=${member.memberId}&actor_kind=api_key`)).toEqual([])
    expect(await list(org, `actor_id=${newId()}`)).toEqual([])
    const neighbor = await app.newOrg()
    expect(await list(neighbor, `actor_id=${key.apiKeyId}`)).toEqual([])
  })

  test('the list of events filters by several types and patterns, and by a period', async () => {
    const org = await app.newOrg()
    const contact = (await org.post('/contacts', { first_name: 'Ada' })).body.data.contact_id
    await org.patch(`/contacts/${contact}`, { city: 'London' })
    await org.post('/deals', { name: 'Website' })
    const all = await list(org, '')
    expect((await list(org, 'types=contact.*,deal.created')).map(({ type }) => type)).toEqual([
      'deal.created',
      'contact.updated',
      'contact.created',
    ])
    expect(await list(org, 'types=*')).toEqual(all)
    expect((await list(org, `types=contact.*&type=contact.created&object_id=${contact}`)).length).toBe(1)
    const last = all[0]!.created_at
    expect(await list(org, `created_until=${last + 1}`)).toEqual(all)
    for (const query of [`created_since=${last}`, `created_until=${last}`])
      expect(await list(org, query)).toEqual(
        all.filter(({ created_at: at }) => (query.includes('since') ? at >= last : at < last)),
      )
    expect(await list(org, `created_since=${last}&created_until=${last}`)).toEqual([])
  })

  test.each([
    ['actor_kind=robot', 'actor_kind'],
    ['actor_id=me', 'actor_id'],
    ['types=contact.flown', 'types'],
    ['created_until=later', 'created_until'],
  ])('a list of events with %s gets 422 at %s', async (query, at) => {
    const { status, body } = await (await app.newOrg()).get(`/events?${query}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', at]])
  })

  test('a cursor of a filtered list is refused for another filter', async () => {
    const org = await app.newOrg()
    await org.post('/contacts', { first_name: 'Ada' })
    await org.post('/contacts', { first_name: 'Grace' })
    const { body } = await org.get('/events?limit=1&actor_kind=api_key')
    const cursor = encodeURIComponent(body.pagination.next_cursor)
    expect((await org.get(`/events?limit=1&actor_kind=api_key&cursor=${cursor}`)).status).toBe(200)
    expect((await org.get(`/events?limit=1&actor_kind=member&cursor=${cursor}`)).status).toBe(422)
  })
})
