import { afterAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../src/auth/permissions.ts'
import { permissionsOf, type Role, roles } from '../../src/auth/roles.ts'
import { unlinkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp } from '../support/app.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { Browser, newMember, type SignedIn } from '../support/members.ts'
import { everyEndpoint } from '../support/walk.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** The rules of docs/explanation/members.md, written independently of the code. */
const writes =
  /^(contacts|companies|deals|notes|tasks|duplicates|personas|voice|signatures|forms|crm):(read|write)$/
function mayInDocs(role: Role, permission: string): boolean {
  if (role === 'owner' || role === 'admin') return true
  if (permission.startsWith('api_keys:')) return false
  return permission.endsWith(':read') || (role === 'member' && writes.test(permission))
}

const callerOf = (role: Role, narrowed: string[] | null = null) => ({
  ...{ apiKeyId: null, memberId: 'm', sessionId: 's', name: 'Ada', homeOrgId: 'o', payerId: 'o', orgId: 'o' },
  ...{ mode: 'live' as const, reachesClients: true, permissions: permissionsOf(role, narrowed) },
})

describe.each(roles)('the role %s', (role) => {
  test('the role may call exactly the endpoints that the docs list', () => {
    for (const [name, { permission }] of everyEndpoint) {
      if (permission === null) continue
      const expected = [permission].flat().some((one) => mayInDocs(role, one))
      expect([name, refusalOf(callerOf(role), permission) === null]).toEqual([name, expected])
    }
  })

  test('the permissions of a membership narrow the role, and never extend it', () => {
    const grants = ['*', 'contacts:*', 'contacts:read', 'api_keys:manage', 'members:manage', 'events:read']
    for (const grant of grants) {
      for (const [, { permission }] of everyEndpoint) {
        if (permission === null || refusalOf(callerOf(role, [grant]), permission) !== null) continue
        expect(refusalOf(callerOf(role), permission)).toBeNull()
        expect([permission].flat().some((one) => one.startsWith(grant.split(':')[0] ?? ''))).toBe(true)
      }
    }
  })

  test('the console’s API refuses a request that needs a permission which the role lacks', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, role)
    const tried: [string, string, string][] = [
      ['POST', '/api-keys', 'api_keys:manage'],
      ['GET', '/api-keys', 'api_keys:read'],
      ['POST', '/contacts', 'contacts:write'],
      ['POST', '/contacts/00000000-0000-7000-8000-000000000000/erase', 'contacts:manage'],
      ['PATCH', '/organization', 'organization:write'],
      ['GET', '/events', 'events:read'],
      ['GET', '/members', 'members:read'],
      ['GET', '/members/links', 'members:manage'],
      ['POST', '/members/invites', 'members:manage'],
    ]
    for (const [method, path, permission] of tried) {
      const { status, body } = await member.send(method, path)
      expect([path, status === 403]).toEqual([path, !mayInDocs(role, permission)])
      if (status === 403) expect(body.detail).toMatch(/^Your role lacks the permission/)
    }
  })

  test('a member with the role gives and removes only rights that the role has', async () => {
    const org = await app.newOrg()
    await newMember(app, org.orgId, 'owner')
    for (const other of roles) {
      // One member for each group: a member may send 20 requests a second.
      const member = await newMember(app, org.orgId, role)
      const allowed = role === 'owner' || (role === 'admin' && other !== 'owner')
      const target = await newMember(app, org.orgId, other)
      const viewer = await newMember(app, org.orgId, 'viewer')
      const { memberId } = target
      const acts = [
        await member.post('/members/invites', { email: `${other}-${role}@x.example`, role: other }),
        await member.post('/members/recovery-links', { member_id: memberId }),
        await member.patch(`/members/${viewer.memberId}`, { role: other }),
        await member.patch(`/members/${memberId}`, { role: 'viewer' }),
      ]
      expect([other, acts.map(({ status }) => status < 300)]).toEqual([other, acts.map(() => allowed)])
      const again = await newMember(app, org.orgId, other)
      expect((await member.delete(`/members/${again.memberId}`)).status).toBe(allowed ? 204 : 403)
    }
    const member = await newMember(app, org.orgId, role)
    const own = await member.patch(`/members/${member.memberId}`, { role: 'owner' })
    expect(own.status).toBe(role === 'owner' ? 200 : 403)
  })
})

test('an organization keeps its last owner, even if two owners remove each other at once', async () => {
  const org = await app.newOrg()
  const [one, other] = [await newMember(app, org.orgId), await newMember(app, org.orgId)]
  const answers = await Promise.all([
    one.delete(`/members/${other.memberId}`),
    other.delete(`/members/${one.memberId}`),
  ])
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  const left = answers[0]?.status === 204 ? one : other
  for (const refused of [
    await left.delete(`/members/${left.memberId}`),
    await left.patch(`/members/${left.memberId}`, { role: 'admin' }),
    await left.patch(`/members/${left.memberId}`, { permissions: ['contacts:read'] }),
  ])
    expect([refused.status, refused.body.code]).toEqual([409, 'last_owner'])
})

test.each(['member', 'viewer'] as const)(
  'a %s can leave, but chooses nobody who gets the records',
  async (role) => {
    const org = await app.newOrg()
    const owner = await newMember(app, org.orgId)
    const leaver = await newMember(app, org.orgId, role)
    const other = await newMember(app, org.orgId, 'viewer')
    const { contact_id: contactId } = (
      await owner.post('/contacts', { first_name: 'Ada', owner_id: leaver.memberId })
    ).body.data
    for (const refused of [
      await leaver.delete(`/members/${other.memberId}`),
      await leaver.delete(`/members/${leaver.memberId}?reassign_to=${other.memberId}`),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, 'role_too_low'])
    expect((await leaver.delete(`/members/${leaver.memberId}`)).status).toBe(204)
    expect((await leaver.get('/contacts')).body.code).toBe('membership_missing')
    const left = (await owner.get('/members')).body.data.map((each: { member_id: string }) => each.member_id)
    expect(left.sort()).toEqual([owner.memberId, other.memberId].sort())
    await expectWithin(
      10_000,
      async () => (await owner.get(`/contacts/${contactId}`)).body.data.owner_id,
      null,
    )
  },
)

test('a change of a member with an old version is refused', async () => {
  const org = await app.newOrg()
  const [owner, member] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'viewer')]
  const path = `/members/${member.memberId}`
  const first = await owner.patch(
    path,
    { role: 'member' },
    { body: { role: 'member' }, headers: { 'if-match': '"1"' } },
  )
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"'])
  const second = await owner.patch(path, {}, { body: { role: 'admin' }, headers: { 'if-match': '"1"' } })
  expect([second.status, second.body.code]).toEqual([409, 'version_conflict'])
})

test('a change of role applies to the next request of a session, whose token stays the same', async () => {
  const org = await app.newOrg()
  const [owner, member] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'viewer')]
  const { cookie } = member
  for (const [role, status] of [
    ['viewer', 403],
    ['member', 201],
    ['viewer', 403],
  ] as const) {
    expect((await owner.patch(`/members/${member.memberId}`, { role })).status).toBe(200)
    expect((await member.post('/contacts', { first_name: 'Ada' })).status).toBe(status)
  }
  expect(member.cookie).toBe(cookie)
})

test('an admin with reduced rights cannot give other rights', async () => {
  const org = await app.newOrg()
  const owner = await newMember(app, org.orgId)
  const admin = await newMember(app, org.orgId, 'admin')
  const permissions = ['members:manage', 'contacts:read']
  expect((await owner.patch(`/members/${admin.memberId}`, { permissions })).status).toBe(200)
  expect((await admin.post('/members/invites', { email: 'more@x.example', role: 'admin' })).status).toBe(403)
  expect((await admin.patch(`/members/${admin.memberId}`, { permissions: null })).status).toBe(403)
  expect((await admin.post('/api-keys', { name: 'More' })).status).toBe(403)
})

test('people of an agency cannot recover members of a client, because the access would outlast the link', async () => {
  const { agency, client } = await linkedByInvitation(app)
  const agent = await newMember(app, agency.orgId)
  const target = await newMember(app, client.orgId)
  agent.orgId = client.orgId
  const { status, body } = await agent.post('/members/recovery-links', { member_id: target.memberId })
  expect([status, body.code]).toEqual([403, 'recovery_by_operator'])
})

describe('people of an agency in a client', () => {
  const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)
  const use = (token: string, name: string) =>
    new Browser(app.address, null).post('/links/use', { token, name, password: 'seven green bicycles' })

  test('if a client has an owner, people of its agency can neither make nor change owners', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const agent = await newMember(app, agency.orgId)
    agent.orgId = client.orgId
    const founder = await agent.post('/members/invites', {
      email: 'founder@northwind.example',
      role: 'owner',
    })
    expect(founder.status).toBe(201)
    const [owner, admin] = [await newMember(app, client.orgId), await newMember(app, client.orgId, 'admin')]
    await newMember(app, client.orgId)
    for (const refused of [
      await agent.post('/members/invites', { email: 'plant@agency.example', role: 'owner' }),
      await agent.patch(`/members/${admin.memberId}`, { role: 'owner' }),
      await agent.patch(`/members/${owner.memberId}`, { role: 'viewer' }),
      await agent.delete(`/members/${owner.memberId}`),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, 'role_too_low'])
    expect((await agent.patch(`/members/${admin.memberId}`, { role: 'member' })).status).toBe(200)
  })

  test.each(['agency', 'client'] as const)(
    'if the %s cuts the link, open invitations by people of the agency end, and the answer names the members whom they invited',
    async (side) => {
      const { agency, client } = await linkedByInvitation(app)
      const [agent, owner] = [await newMember(app, agency.orgId), await newMember(app, client.orgId)]
      agent.orgId = client.orgId
      const invite = async (by: SignedIn, email: string) =>
        tokenIn((await by.post('/members/invites', { email, role: 'admin' })).body.data.url)
      const stays = await use(await invite(agent, `kim-${side}@agency.example`), 'Kim')
      expect(stays.status).toBe(200)
      await use(await invite(owner, `lee-${side}@northwind.example`), 'Lee')
      const open = await invite(agent, `late-${side}@agency.example`)
      const own = await invite(owner, `own-${side}@northwind.example`)

      const cut =
        side === 'agency'
          ? await agency.delete(`/agency/clients/${client.orgId}`)
          : await client.delete(`/organization/agencies/${agency.orgId}`)
      const { member_id: id } = stays.body.data.member
      expect(cut.body.data.members).toEqual([{ member_id: id, name: 'Kim', role: 'admin' }])
      expect((await use(open, 'Late')).status).toBe(404)
      expect((await use(own, 'Own')).status).toBe(200)
      const marked = (await owner.get('/members')).body.data.filter(
        (member: { invited_by_org_id: string | null }) => member.invited_by_org_id !== null,
      )
      expect(marked).toMatchObject([{ member_id: id, invited_by_org_id: agency.orgId }])
      expect((await owner.delete(`/members/${id}`)).status).toBe(204)
    },
  )

  test('an operator who cuts the link gets the same list of members', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const agent = await newMember(app, agency.orgId)
    agent.orgId = client.orgId
    const invite = async (email: string) =>
      tokenIn((await agent.post('/members/invites', { email, role: 'viewer' })).body.data.url)
    await use(await invite('ops@agency.example'), 'Ops')
    const open = await invite('later@agency.example')
    const { members } = await app.operate((tx) => unlinkOrgs(tx, agency.orgId, client.orgId))
    expect(members).toMatchObject([{ name: 'Ops', role: 'viewer' }])
    expect((await use(open, 'Later')).status).toBe(404)
  })
})
