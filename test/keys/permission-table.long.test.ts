import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { refusalOf, resources } from '../../src/auth/permissions.ts'
import { linkOrgs } from '../../src/orgs/operator.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'
import { call, everyEndpoint, unknownIds } from '../support/walk.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const agency = await app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
const client = await app.newOrg({ name: 'Client' })
await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))

const actions = ['read', 'write', 'manage', '*'] as const
const grants = ['*', ...resources.flatMap((resource) => actions.map((action) => `${resource}:${action}`))]

const holds: Record<string, string[]> = Object.fromEntries(
  resources.flatMap((resource) => {
    const [read, write, manage] = [`${resource}:read`, `${resource}:write`, `${resource}:manage`]
    return [
      [read, [read]],
      [write, [read, write]],
      [manage, [read, write, manage]],
      [`${resource}:*`, [read, write, manage]],
    ]
  }),
)
holds['*'] = Object.values(holds).flat()

type Key = { permissions: string[] | null; isAgency: boolean; onClient: boolean; mode?: 'live' | 'test' }

/** Whether a key may call an endpoint, according to docs/reference/api.md. */
function may(
  { permissions, isAgency, onClient }: Key,
  { permission }: Pick<Endpoint, 'permission'>,
): boolean {
  if (permission === null) return true
  const needed = [permission].flat()
  const held = new Set((permissions ?? ['*']).flatMap((grant) => holds[grant]!))
  if (!needed.some((one) => held.has(one))) return false
  return !needed.some((one) => one.startsWith('agency:')) || (isAgency && !onClient)
}

/** Sends unknown ids, and an invalid body or query, so that a permitted request fails too and changes nothing. */
async function prove(key: Key, sender: TestOrg, endpoint: Endpoint): Promise<void> {
  const headers = key.onClient ? { 'x-target-org-id': client.orgId } : {}
  const asked = Object.keys(endpoint.example ?? {}).map((name) => `${name}=`)
  const raw = endpoint.body ? { raw: 'no JSON' } : asked.length > 0 ? { query: `?${asked.join('&')}` } : {}
  const { status, body } = await call(endpoint, sender, unknownIds(endpoint), { headers, ...raw })
  // An agency's key cuts only the link of its own agency, and the ids here are unknown.
  if (endpoint.name === 'cut_agency' && key.onClient && may(key, endpoint))
    expect([status, body.code]).toEqual([403, 'role_too_low'])
  else if (may(key, endpoint)) expect([200, 404, 422], `${endpoint.name}: ${status}`).toContain(status)
  else {
    expect([endpoint.name, status]).toEqual([endpoint.name, 403])
    const missing = [endpoint.permission!].flat()
    const held = new Set((key.permissions ?? ['*']).flatMap((grant) => holds[grant]!))
    if (missing.some((one) => held.has(one))) expect(body.detail).toMatch(/agency/i)
    else for (const one of missing) expect(body.detail).toContain(one)
  }
}

const normal = (permissions: string[] | null, more: Partial<Key> = {}): Key => ({
  ...{ permissions, isAgency: false, onClient: false },
  ...more,
})
// test/http/every-endpoint.long.test.ts tests a key without permissions.
const keys: [string, Key][] = [
  ['everything', normal(null)],
  ['test mode', normal(null, { mode: 'test' })],
  ['test mode, restricted', normal(['deals:write'], { mode: 'test' })],
  ...grants.map((grant): [string, Key] => [grant, normal([grant])]),
  ['read all', normal(resources.map((resource) => `${resource}:read`))],
  ['some of each', normal(['contacts:read', 'deals:write', 'close_reasons:manage'])],
  ['agency', normal(null, { isAgency: true })],
  ['agency on a client', normal(null, { isAgency: true, onClient: true })],
  ['restricted agency', normal(['agency:*', 'deals:read'], { isAgency: true })],
  ['restricted agency on a client', normal(['agency:*', 'deals:read'], { isAgency: true, onClient: true })],
]

const some = (all: readonly Endpoint[], count: number) =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: count, maxLength: count }), 1).flat()

/**
 * The endpoints to try with a key. For a key with one grant, these are the endpoints of its resource and others. Keys
 * with several grants, or with the same rights as an earlier key, try some; with `npm run test:properties`, all.
 * The property test below covers all endpoints and any grants, without HTTP.
 */
function triedWith({ permissions, mode }: Key): Endpoint[] {
  const all = everyEndpoint.map(([, endpoint]) => endpoint)
  if (mode === 'test' || permissions?.[0] === '*') return some(all, runs(60, all.length))
  // Of the keys with all permissions, those in live mode try every endpoint.
  if (permissions?.length !== 1) return permissions ? some(all, runs(120, all.length)) : all
  const resource = permissions[0]!.split(':')[0]!
  const isNamed = ({ permission }: Endpoint) =>
    [permission ?? []].flat().some((one) => one.startsWith(`${resource}:`))
  return [...new Set([...all.filter(isNamed), ...some(all, runs(4, 12))])]
}

describe('requests', () => {
  test.each(keys)(
    'every endpoint requires the permission that it declares from a key with %s',
    async (_name, key) => {
      const { permissions, isAgency, mode = 'live' } = key
      const sender = await app.newKey(agency.orgId, { permissions, isAgency, mode })
      for (const endpoint of triedWith(key)) await prove(key, sender, endpoint)
    },
  )

  test('every permission that an endpoint requires can be granted', () => {
    for (const [name, { permission }] of everyEndpoint)
      for (const one of [permission ?? []].flat()) expect(grants, name).toContain(one)
  })
})

describe('properties', () => {
  const anyKey = fc.record({
    permissions: fc.option(fc.uniqueArray(fc.constantFrom(...grants), { maxLength: 6 })),
    isAgency: fc.boolean(),
    onClient: fc.boolean(),
  })
  const callerOf = ({ permissions, isAgency, onClient }: Key) => ({
    ...{
      apiKeyId: '',
      memberId: null,
      sessionId: null,
      name: '',
      homeOrgId: 'own',
      payerId: 'own',
      orgId: isAgency && onClient ? 'client' : 'own',
    },
    ...{ mode: 'live' as const, reachesClients: isAgency, permissions },
  })

  test('the permission check agrees with an independent implementation for every key and endpoint', () => {
    fc.assert(
      fc.property(anyKey, fc.constantFrom(...everyEndpoint), (key, [, endpoint]) => {
        if (endpoint.permission === null) return
        const onClient = key.isAgency && key.onClient
        const expected = may({ ...key, onClient }, endpoint)
        expect(refusalOf(callerOf(key), endpoint.permission) === null).toBe(expected)
      }),
      { numRuns: 5000 },
    )
  })

  test('the permission check allows the archive endpoint exactly if can_manage is true', async () => {
    const reasonId = (await client.get('/deals/close-reasons')).body.data.close_reasons[0].close_reason_id
    const related = grants.filter((grant) => /^\*|^(deals|close_reasons|contacts):/.test(grant))
    const sets = fc.option(fc.uniqueArray(fc.constantFrom(...related), { maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(sets, fc.boolean(), async (permissions, isAgency) => {
        const sender = await app.newKey(isAgency ? agency.orgId : client.orgId, { permissions, isAgency })
        const on = { headers: { 'x-target-org-id': client.orgId } }
        const listed = await sender.get('/deals/close-reasons', on)
        const archived = await sender.post(`/deals/close-reasons/${reasonId}/archive`, undefined, on)
        expect([200, 403]).toContain(archived.status)
        if (listed.status === 200) expect(listed.body.data.can_manage).toBe(archived.status === 200)
        else expect([listed.status, archived.status]).toEqual([403, 403])
      }),
      { numRuns: runs(25, 80) },
    )
  })
})
