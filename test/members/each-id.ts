import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { parameterKindsOf } from '../support/path-kinds.ts'
import { call, everyEndpoint, makeObject, type Params, unknownIds } from '../support/walk.ts'

/** The endpoints with an id in the path. */
export const withIds: [string, Endpoint][] = everyEndpoint.filter(([, { path }]) => path.includes('{'))

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Declares the tests that a member sees and changes nothing of another organization with these endpoints. */
export async function testOtherOrganizations(endpoints: readonly [string, Endpoint][]): Promise<void> {
  const named = endpoints.map(([, endpoint]) => endpoint)
  const app = await sharedTestApp()
  afterAll(() => app.close())

  let [mine, other]: [TestOrg?, TestOrg?] = []
  const theirs: Params = {}
  beforeAll(async () => {
    mine = await app.newAgency()
    other = await app.newAgency()
    const kinds = new Set(named.flatMap((endpoint) => parameterKindsOf(endpoint).map(([, kind]) => kind)))
    for (const kind of kinds) theirs[kind] = await makeObject(kind, other)
  })

  /**
   * Works on every endpoint, with a new owner for every 8, and a new organization for every 40: a member may send 20
   * requests a second, and all members of an organization 100.
   */
  async function each(
    work: (owner: Awaited<ReturnType<typeof newMember>>, endpoint: Endpoint) => Promise<void>,
  ) {
    for (let from = 0; from < named.length; from += 8) {
      if (from % 40 === 0) mine = await app.newAgency()
      const owner = await newMember(app, mine?.orgId ?? '')
      for (const endpoint of named.slice(from, from + 8)) await work(owner, endpoint)
    }
  }
  const theirsFor = (endpoint: Endpoint): Params =>
    Object.fromEntries(parameterKindsOf(endpoint).map(([name, kind]) => [name, theirs[kind] ?? '']))

  test('every id of another organization gets the same answer as an unknown id', async () => {
    await each(async (owner, endpoint) => {
      const known = await call(endpoint, owner, theirsFor(endpoint))
      const unknown = await call(endpoint, owner, unknownIds(endpoint))
      expect([nameOf(endpoint), known.status, known.body]).toEqual([nameOf(endpoint), 404, unknown.body])
    })
  })

  test('an owner cannot name another organization in a header, with ids of that organization', async () => {
    await each(async (owner, endpoint) => {
      for (const [header, code] of [
        ['x-org-id', 'membership_missing'],
        ['x-target-org-id', undefined],
      ] as const) {
        const headers = { [header]: other?.orgId ?? '' }
        const { status, body } = await call(endpoint, owner, theirsFor(endpoint), { headers })
        const isRefused = status >= 400 && status !== 429
        expect([nameOf(endpoint), header, isRefused]).toEqual([nameOf(endpoint), header, true])
        if (code) expect([nameOf(endpoint), status, body.code]).toEqual([nameOf(endpoint), 403, code])
      }
    })
  })
}
