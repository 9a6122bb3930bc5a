import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { approvalEndpoints } from '../../src/approvals/routes.ts'
import { refusalOf } from '../../src/auth/permissions.ts'
import { permissionsOf, type Role, roles } from '../../src/auth/roles.ts'
import type { MemberDeps } from '../../src/members/member-deps.ts'
import { memberEndpoints } from '../../src/members/routes.ts'
import { type ConsentParts, consentEndpoints } from '../../src/oauth/routes.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { sharedTestApp } from '../support/app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { everyEndpoint } from '../support/walk.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

// The handlers need the dependencies, but are not called here.
const consoleOnly = [
  ...memberEndpoints({} as MemberDeps),
  ...consentEndpoints({} as ConsentParts),
  ...approvalEndpoints,
]
const all: Endpoint[] = [...everyEndpoint.map(([, endpoint]) => endpoint), ...consoleOnly]
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
/** The path with ids that no object has. */
const pathOf = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, () => randomUUID())
const send = (member: SignedIn, each: Endpoint, body: unknown = {}) =>
  member.send(each.method, pathOf(each), each.method === 'GET' ? {} : { body })

let addresses = 0

/**
 * Works on all `items`, with a new member for every 15, and a new organization for every 75: a member may send 20
 * requests a second, and all members of an organization 100.
 */
async function withMembers<Item>(
  role: Role,
  items: readonly Item[],
  work: (member: SignedIn, item: Item) => Promise<void>,
): Promise<void> {
  let org = await app.newOrg()
  for (let from = 0; from < items.length; from += 15) {
    if (from % 75 === 0) {
      org = await app.newOrg()
      // The last owner cannot leave.
      await newMember(app, org.orgId)
    }
    const member = await newMember(app, org.orgId, role, `10.3.0.${++addresses & 255}`)
    for (const item of items.slice(from, from + 15)) await work(member, item)
  }
}

async function setSession(member: SignedIn, change: ReturnType<typeof sql>): Promise<void> {
  await app.operate((tx) => tx.run(sql`update session set ${change} where member_id = ${member.memberId}`))
  app.app.context.forgetMember(member.memberId)
}

test.each(roles)(
  'the role %s gets 403 from exactly the endpoints whose permission it lacks',
  async (role) => {
    const caller = {
      ...{
        apiKeyId: null,
        memberId: 'm',
        sessionId: 's',
        name: 'Ada',
        homeOrgId: 'o',
        payerId: 'o',
        orgId: 'o',
      },
      ...{ mode: 'live' as const, reachesClients: false, permissions: permissionsOf(role, null) },
    }
    const checked = all.filter(({ permission, shape }) => permission !== null && shape !== 'file')
    expect(checked.length).toBeGreaterThan(100)
    await withMembers(role, checked, async (member, each) => {
      const refusal = refusalOf(caller, each.permission ?? [])
      const { status, body } = await send(member, each)
      if (refusal) expect([nameOf(each), status, body.code]).toEqual([nameOf(each), 403, refusal.code])
      else expect([nameOf(each), body?.code]).not.toEqual([nameOf(each), 'permission_missing'])
    })
  },
)

/** Endpoints for keys, members, secrets, erasure, agencies and single sign-on. */
const confirmed = [
  'DELETE /agency/clients/{org_id}',
  'DELETE /api-keys/{api_key_id}',
  'DELETE /members/{member_id}',
  'DELETE /organization/agencies/{org_id}',
  'DELETE /organization/sandboxes/{org_id}',
  'DELETE /session/passkeys/{passkey_id}',
  'DELETE /session/totp',
  'DELETE /sso',
  'DELETE /teams/{team_id}',
  'DELETE /tracking/identity-secret',
  'PATCH /api-keys/{api_key_id}',
  'PATCH /integrations/crm-sync/connections/{connection_id}',
  'PATCH /members/{member_id}',
  'PATCH /signatures/settings',
  'PATCH /teams/{team_id}',
  'PATCH /voice/settings',
  'POST /api-keys',
  'POST /api-keys/{api_key_id}/rotate',
  'POST /companies/{company_id}/erase',
  'POST /connect/{uid}/allow',
  'POST /contacts/{contact_id}/erase',
  'POST /deals/{deal_id}/erase',
  'POST /integrations/crm-sync/connections',
  'POST /members/invites',
  'POST /members/recovery-links',
  'POST /organization/agencies',
  'POST /organization/sandboxes',
  'POST /session/passkeys',
  'POST /session/passkeys/options',
  'POST /session/totp/offer',
  'POST /session/totp/recovery-codes',
  'POST /teams',
  'POST /tracking/identity-secret/rotate',
  'POST /visitors/{visitor_id}/erase',
  'POST /webhooks/endpoints',
  'POST /webhooks/endpoints/{endpoint_id}/rotate-secret',
  'PUT /session/totp',
  'PUT /sso',
]

/** Valid bodies of the endpoints that are not in openapi.json, and have no example. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /connect/{uid}/allow': { org_id: randomUUID(), permissions: ['contacts:read'] },
  'POST /members/invites': { email: 'grace@acme.example', role: 'viewer' },
  'POST /members/recovery-links': { member_id: randomUUID() },
  'POST /session/passkeys': { name: 'Laptop', credential: {} },
  'POST /teams': { name: 'North' },
  'PUT /session/totp': { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', code: '123456' },
  'PUT /sso': {
    issuer: 'https://login.acme.example',
    client_id: 'crosswalk',
    client_secret: 'secret',
    domains: ['acme.example'],
    newcomer_role: 'viewer',
    is_required: false,
  },
}

test('exactly the listed endpoints need a confirmation within the last 10 minutes', async () => {
  expect(
    all
      .filter(({ confirm }) => confirm)
      .map(nameOf)
      .toSorted(),
  ).toEqual(confirmed)
  const org = await app.newAgency()
  const listed = all.filter((each) => confirmed.includes(nameOf(each)))
  for (let from = 0; from < listed.length; from += 7) {
    const member = await newMember(app, org.orgId)
    for (const [change, code] of [
      [sql`confirmed_at = now() - interval '10 minutes'`, 'confirmation_required'],
      [sql`confirmed_at = now()`, undefined],
    ] as const) {
      await setSession(member, change)
      for (const each of listed.slice(from, from + 7)) {
        // The body is valid, because it is checked before the confirmation.
        const { body } = await send(member, each, bodies[nameOf(each)] ?? (each.body && each.example))
        const isRefused = body?.code === 'confirmation_required'
        expect([nameOf(each), isRefused]).toEqual([nameOf(each), code !== undefined])
      }
    }
  }
})

test('a session without its second factor reaches only the second factor and the end of the session', async () => {
  const open = ['GET /session', 'DELETE /session', 'POST /session/totp']
  const closed = all.filter(
    (each) => each.access !== 'anyone' && each.shape !== 'file' && !open.includes(nameOf(each)),
  )
  await withMembers('owner', closed, async (member, each) => {
    await setSession(member, sql`is_partial = true`)
    const { status, body } = await send(member, each)
    expect([nameOf(each), status, body.code]).toEqual([nameOf(each), 401, 'session_ended'])
  })
})

describe('agencies', () => {
  test('only owners can cut the link between an agency and a client', async () => {
    const agency = await app.newAgency()
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const [admin, owner] = [await newMember(app, agency.orgId, 'admin'), await newMember(app, agency.orgId)]
    const refused = await admin.delete(`/agency/clients/${client}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'role_too_low'])
    const inClient = await newMember(app, client, 'admin')
    const other = await inClient.delete(`/organization/agencies/${agency.orgId}`)
    expect([other.status, other.body.code]).toEqual([403, 'role_too_low'])
    expect((await owner.delete(`/agency/clients/${client}`)).status).toBe(200)
  })
})

test('a member makes keys in a sandbox of the organization, with the role in the organization', async () => {
  const org = await app.newOrg()
  const { org_id: sandbox } = (await org.post('/organization/sandboxes', { name: 'Play' })).body.data
  for (const [role, status] of [
    ['owner', 201],
    ['member', 403],
  ] as const) {
    const member = await newMember(app, org.orgId, role)
    member.orgId = sandbox
    expect((await member.post('/contacts', { first_name: 'Ada' })).status).toBe(201)
    expect((await member.post('/api-keys', { name: 'Key', mode: 'test' })).status).toBe(status)
  }
})

test('the event of a revoked link names the link and the member', async () => {
  const org = await app.newOrg()
  const owner = await newMember(app, org.orgId)
  const { link_id: id } = (await owner.post('/members/invites', { email: 'r@x.example', role: 'viewer' }))
    .body.data
  expect((await owner.delete(`/members/links/${id}`)).status).toBe(204)
  const [event] = (await org.get('/events?type=member.link_revoked')).body.data
  expect(event).toMatchObject({ object_id: id, actor: { kind: 'member', id: owner.memberId } })
})

test('a request of a session with an Idempotency-Key takes effect once, even if it is sent twice at once', async () => {
  const org = await app.newOrg()
  const member = await newMember(app, org.orgId, 'member')
  const headers = { 'idempotency-key': randomUUID() }
  const create = () => member.post('/contacts', { first_name: 'Ada' }, { headers })
  await Promise.all([create(), create()])
  const again = await create()
  expect(again.status).toBe(201)
  expect((await member.get('/contacts')).body.data).toHaveLength(1)
})
