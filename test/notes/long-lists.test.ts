import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { rawSql, sql } from '../../src/platform/db/sql.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'

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
  'two %s of an organization run at once, and only its own others wait',
  async (_, table, pathOf) => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const [path, otherPath] = [await pathOf(org), await pathOf(other)]
    const reading = () =>
      app.operate((tx) =>
        tx.run(sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where l.relation = ${table}::regclass and not l.granted and a.usename like '%app'`),
      )
    let reads: Promise<Answer>[] = []
    await app.operate(async (tx) => {
      await tx.run(sql`lock table ${rawSql(table)} in access exclusive mode`)
      reads = Array.from({ length: 8 }, () => org.get(path))
      while ((await reading()) < 2) await delay(10)
      // A third read would begin during these requests. A lock wait ends after 10 s, so they must be few.
      for (let index = 0; index < 3; index++) await other.get('/contacts')
      expect(await reading()).toBe(2)
      reads.push(other.get(otherPath))
      while ((await reading()) < 3) await delay(10)
    })
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(9).fill(200))
  },
)
