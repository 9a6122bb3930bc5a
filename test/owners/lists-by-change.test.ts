import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember, type SignedIn } from '../support/members.ts'

let app: TestApp
let org: TestOrg
let own: SignedIn
let mate: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  org = await app.newOrg()
  const owner = await newMember(app, org.orgId, 'owner')
  ;[own, mate] = [await newMember(app, org.orgId, 'member'), await newMember(app, org.orgId, 'member')]
  await owner.post('/teams', { name: 'North', member_ids: [own.memberId, mate.memberId] })
})

const limit = (access: 'own' | 'team') =>
  runAsOwner(app.databaseUrl, 'update membership set record_access = $1 where member_id = $2', [
    access,
    own.memberId,
  ])

/** Reads all pages with cursors. */
async function listed(path: string): Promise<string[]> {
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await own.get(`${path}${cursor}`)
    expect(status, text).toBe(200)
    names.push(...body.data.map(({ name }: { name: string }) => name))
    if (!body.pagination.has_next) {
      expect(body.pagination.total).toBe(names.length)
      return names
    }
    cursor = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`
  }
}

describe('a list in the order of changes', () => {
  test.each<['own' | 'team', string[]]>([
    ['own', ['C', 'E', 'A']],
    ['team', ['C', 'D', 'E', 'B', 'A']],
  ])(
    'of a member with the access "%s" has the records that the member sees, on every page',
    async (access, newestFirst) => {
      const owners = { A: own, B: mate, C: own, D: mate, E: own, F: null, G: own }
      const ids: Record<string, string> = {}
      for (const [name, owner] of Object.entries(owners)) {
        const { body } = await org.post('/companies', { name, owner_id: owner?.memberId ?? null })
        ids[name] = body.data.company_id
      }
      for (const name of ['F', 'D', 'C']) await org.patch(`/companies/${ids[name]}`, { industry: 'Tea' })
      await org.delete(`/companies/${ids.G}`)
      await limit(access)
      expect(await listed('/companies?sort=-updated_at&limit=2')).toEqual(newestFirst)
      expect(await listed('/companies?sort=updated_at&limit=2')).toEqual(newestFirst.toReversed())
      const second = await own.get('/companies?sort=-updated_at&limit=2&page=2')
      expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual(newestFirst.slice(2, 4))
      expect(await listed('/companies?sort=-updated_at&industry=Tea')).toEqual(
        newestFirst.filter((name) => ['C', 'D'].includes(name)),
      )
      expect(await listed('/companies?sort=-updated_at&archived=true')).toEqual(['G'])
    },
  )
})
