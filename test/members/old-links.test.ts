import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp } from '../support/app.ts'
import { Browser, newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const password = 'seven green bicycles'
const tokenIn = (url: string) => url.split('#')[1]

let invited = 0
async function inviteBy(inviter: Browser, role = 'member') {
  const email = `invited-${++invited}@acme.example`
  const { status, body } = await inviter.post('/members/invites', { email, role })
  expect(status).toBe(201)
  return tokenIn(body.data.url)
}

const join = async (token: string | undefined) =>
  (await new Browser(app.address, null).post('/links/use', { token, name: 'Eve', password })).status

describe('links of a person', () => {
  test('links that a person created stop working when the person is removed', async () => {
    const { orgId } = await app.newOrg()
    const [owner, admin] = [await newMember(app, orgId), await newMember(app, orgId, 'admin')]
    const victim = await newMember(app, orgId, 'member')
    const invitation = await inviteBy(admin, 'admin')
    const recovery = await admin.post('/members/recovery-links', { member_id: victim.memberId })
    const ofOwner = await inviteBy(owner)
    expect((await owner.delete(`/members/${admin.memberId}`)).status).toBe(204)
    expect(await join(invitation)).toBe(404)
    expect(await join(tokenIn(recovery.body.data.url))).toBe(404)
    expect(await join(ofOwner)).toBe(200)
  })

  test('links of a person stop working when the person gets fewer rights, and continue to work with more rights', async () => {
    const { orgId } = await app.newOrg()
    const [owner, second, admin] = [
      await newMember(app, orgId),
      await newMember(app, orgId),
      await newMember(app, orgId, 'admin'),
    ]
    const kept = await inviteBy(admin)
    expect((await owner.patch(`/members/${admin.memberId}`, { role: 'owner' })).status).toBe(200)
    expect(await join(kept)).toBe(200)
    const ofOwner = await inviteBy(second, 'owner')
    expect((await owner.patch(`/members/${second.memberId}`, { role: 'admin' })).status).toBe(200)
    expect(await join(ofOwner)).toBe(404)
  })

  test('links that a removed person created in a client of the agency stop working too', async () => {
    const agency = await app.newAgency()
    const [owner, admin] = [await newMember(app, agency.orgId), await newMember(app, agency.orgId, 'admin')]
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const session = await admin.get('/session')
    expect(session.status).toBe(200)
    admin.orgId = client
    const invitation = await inviteBy(admin)
    expect((await owner.delete(`/members/${admin.memberId}`)).status).toBe(204)
    expect(await join(invitation)).toBe(404)
  })
})

test('an invited person begins with the record access of the invitation', async () => {
  const owner = await newMember(app, (await app.newOrg()).orgId)
  const invite = (role: string) =>
    owner.post('/members/invites', { email: 'nina@acme.example', role, record_access: 'own' })
  const refused = await invite('admin')
  expect([refused.status, refused.body.detail?.[0].loc]).toEqual([422, ['body', 'record_access']])
  const { url } = (await invite('viewer')).body.data
  expect((await owner.get('/members/links')).body.data).toMatchObject([{ record_access: 'own' }])
  const nina = new Browser(app.address, null)
  expect((await nina.post('/links/use', { token: tokenIn(url), name: 'Nina', password })).status).toBe(200)
  expect((await nina.get('/session')).body.data.memberships).toMatchObject([{ record_access: 'own' }])
})

test('using a link does not confirm the session of a signed-in person', async () => {
  const [{ orgId }, other] = [await app.newOrg(), await newMember(app, (await app.newOrg()).orgId)]
  const person = await newMember(app, orgId)
  await app.operate((tx) =>
    tx.run(sql`
      update session set confirmed_at = now() - interval '11 minutes' where member_id = ${person.memberId}`),
  )
  const { url } = (await other.post('/members/invites', { email: person.email, role: 'member' })).body.data
  const used = await person.post('/links/use', { token: tokenIn(url) })
  expect([used.status, used.body.data.memberships.length]).toEqual([200, 2])
  const act = await person.post('/api-keys', { name: 'X' })
  expect([act.status, act.body.code]).toEqual([403, 'confirmation_required'])
})
