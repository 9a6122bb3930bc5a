import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { accept, invite } from '../support/invitations.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

let [agency, client, stranger]: [TestOrg?, TestOrg?, TestOrg?] = []
beforeAll(async () => {
  ;[agency, client, stranger] = [await app.newAgency(), await app.newOrg(), await app.newOrg()]
  expect((await accept(client, (await invite(agency)).token)).status).toBe(201)
})

const send = (path: string, body: object, headers: Record<string, string>) =>
  agency!.post(path, body, { prefix: '', headers })
const eventsOf = async (org: TestOrg) =>
  (await org.get('/tracking/events')).body.data.events.map(({ name }: { name: string }) => name)

test('an agency key with X-Target-Org-Id sends web events to the client, with the key in a header or in the body', async () => {
  const target = { 'x-target-org-id': client!.orgId }
  const event = { anonymousId: 'visitor', event: 'In a header' }
  expect((await send('/v1/t', event, target)).status).toBe(200)
  const inBody = { writeKey: agency!.token, anonymousId: 'visitor', event: 'In the body' }
  const sent = await app.stranger.post('/v1/t', inBody, { prefix: '', headers: target })
  expect(sent.status, sent.text).toBe(200)
  expect((await eventsOf(client!)).sort()).toEqual(['In a header', 'In the body'])
  expect(await eventsOf(agency!)).toEqual([])
})

test('a person whom an agency key identifies becomes a contact of the client', async () => {
  const traits = { email: 'grace@x.example' }
  const target = { 'x-target-org-id': client!.orgId.toUpperCase() }
  expect((await send('/v1/identify', { userId: 'grace', traits }, target)).status).toBe(200)
  const found = async (org: TestOrg) =>
    (await org.get('/contacts?email=grace@x.example')).body.pagination.total
  await vi.waitFor(async () => expect(await found(client!)).toBe(1), patience)
  expect(await found(agency!)).toBe(0)
})

test('without the header, an agency key sends web events to the agency', async () => {
  expect((await send('/v1/t', { anonymousId: 'visitor', event: 'Own' }, {})).status).toBe(200)
  expect(await eventsOf(agency!)).toEqual(['Own'])
})

test('a header that names no client of the agency is refused, as in the API', async () => {
  const event = { anonymousId: 'visitor', event: 'Refused' }
  for (const [name, value, status, code] of [
    ['x-target-org-id', stranger!.orgId, 403, 'client_not_linked'],
    ['x-target-org-id', '', 400, 'target_org_empty'],
    ['target-org-id', client!.orgId, 400, 'header_misspelled'],
    ['x-org-id', client!.orgId, 403, 'org_id_mismatch'],
  ] as const) {
    const { status: answered, body } = await send('/v1/t', event, { [name]: value })
    expect([name, answered, body.code]).toEqual([name, status, code])
  }
  for (const org of [agency!, client!, stranger!]) expect(await eventsOf(org)).not.toContain('Refused')
})

test('a cut of the link ends it', async () => {
  const [other, target] = [await app.newOrg(), (id: string) => ({ 'x-target-org-id': id })]
  expect((await accept(other, (await invite(agency!)).token)).status).toBe(201)
  const event = { anonymousId: 'visitor', event: 'Before the cut' }
  expect((await send('/v1/t', event, target(other.orgId))).status).toBe(200)
  expect((await agency!.delete(`/agency/clients/${other.orgId}`)).status).toBe(200)
  const refused = await send('/v1/t', { ...event, event: 'After the cut' }, target(other.orgId))
  expect([refused.status, refused.body.code]).toEqual([403, 'client_not_linked'])
  expect(await eventsOf(other)).toEqual(['Before the cut'])
})
