import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const sorts = [
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'name',
  '-name',
  'custom.rank',
  '-custom.rank',
] as const

/** The ids of a list, page by page. `between` runs after each page. */
async function walk(
  org: TestOrg,
  query: string,
  limit: number,
  between: () => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await org.get(
      `/contacts?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
    )
    expect([status, body.detail]).toEqual([200, undefined])
    ids.push(...body.data.map(({ contact_id }: { contact_id: string }) => contact_id))
    cursor = body.pagination.next_cursor
    await between()
  }
  return ids
}

test('reading all pages during concurrent writes returns each unchanged record exactly once, in order', async () => {
  const org = await app.newOrg()
  const names = [undefined, 'A', 'a', 'Bea', 'é', 'B b']
  const items = Array.from({ length: 12 }, (_, n) => ({
    ...{
      first_name: names[n % 3],
      last_name: names[(n * 5) % 6],
      city: n % 2 ? 'Rome' : 'Oslo',
      source: `${n}`,
      custom: n % 4 === 0 ? {} : { rank: [n % 3, `${-n / 2}`, 'high'][n % 4] },
    },
    ...{ email: `p${n}@x.example` },
  }))
  const made = await org.post('/contacts/batch', { items })
  const still: string[] = made.body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  const { body } = await org.post('/contacts', { first_name: 'Changing', city: 'Rome' })
  const changing: string = body.data.contact_id
  const filters = ['', 'city=Rome', 'email[starts_with]=p', 'version[gte]=1'] as const
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sorts),
      fc.constantFrom(...filters),
      fc.integer({ min: 1, max: 5 }),
      async (sort, filter, limit) => {
        const query = `sort=${sort}&${filter}`
        const whole = await walk(org, query, 500, async () => {})
        const written: string[] = []
        const ids = await walk(org, query, limit, async () => {
          await org.patch(`/contacts/${changing}`, {
            first_name: `${Math.random()}`,
            last_name: `${Math.random()}`,
          })
          if (written.length > 2) return
          const one = await org.post('/contacts', { first_name: `New ${written.length}`, city: 'Rome' })
          written.push(one.body.data.contact_id)
        })
        const isStill = (id: string) => still.includes(id)
        expect(ids.filter(isStill)).toEqual(whole.filter(isStill))
        for (const id of written) await org.post(`/contacts/${id}/erase`)
      },
    ),
    { numRuns: runs(2, 10) },
  )
})
