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
  'while others are served, one of the %s of an organization runs at a time, and other organizations do not wait',
  async (_, table, pathOf) => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const [path, otherPath] = [await pathOf(org), await pathOf(other)]
    await other.get('/contacts')
    let reads: Promise<Answer>[] = []
    await whileLocked(app, table, async (waiting) => {
      reads = Array.from({ length: 8 }, () => org.get(path))
      await waiting.until(1)
      // A second read would begin during these requests. A lock wait ends after 10 s, so they must be few.
      for (let index = 0; index < 3; index++) await other.get('/contacts')
      expect(await waiting.count()).toBe(1)
      reads.push(other.get(otherPath))
      await waiting.until(2)
    })
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(9).fill(200))
  },
)
