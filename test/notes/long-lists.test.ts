import { afterAll, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { whileLocked } from '../support/locked-table.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const newCompany = async (org: TestOrg) =>
  (await org.post('/companies', { name: 'Acme' })).body.data.company_id as string

const long: [string, string, (org: TestOrg) => Promise<string>][] = [
  ['lists of notes', 'note', async () => '/notes'],
  ['lists of tasks', 'task', async () => '/tasks'],
  ['timelines of companies', 'note', async (org) => `/companies/${await newCompany(org)}/activity`],
]

test.each(long)(
  'few %s of an organization run at once, and only its own others wait',
  async (_, table, pathOf) => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const [path, otherPath] = [await pathOf(org), await pathOf(other)]
    let reads: Promise<Answer>[] = []
    await whileLocked(app, table, async (waiting) => {
      reads = Array.from({ length: 8 }, () => org.get(path))
      await waiting.until(1)
      // More reads would begin during these requests. A lock wait ends after 10 s, so they must be few.
      for (let index = 0; index < 3; index++) await other.get('/contacts')
      const ofOrg = await waiting.count()
      expect(ofOrg).toBeLessThanOrEqual(2)
      reads.push(other.get(otherPath))
      await waiting.until(ofOrg + 1)
    })
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(9).fill(200))
  },
)
