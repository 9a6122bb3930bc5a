import { afterAll, expect, test } from 'vitest'
import { limitReports } from '../../src/tracking/reports/limit-reports.ts'
import { readOverview } from '../../src/tracking/reports/reports.ts'
import { type Answer, sharedTestApp } from '../support/app.ts'
import { whileLocked } from '../support/locked-table.ts'
import { withShortTimeouts } from '../support/short-timeouts.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test.each(['overview', 'pages', 'forms'])(
  'few reports (%s) of an organization run at once, and reports of other organizations do not wait',
  async (name) => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const path = `/tracking/reports/${name}?step=day`
    const table = name === 'forms' ? 'form_submission' : 'web_report'
    let reads: Promise<Answer>[] = []
    await whileLocked(app, table, async (waiting) => {
      reads = Array.from({ length: 8 }, () => org.get(path))
      await waiting.until(1)
      // More reports would begin during these requests. A lock wait ends after 10 s, so they must be few.
      for (let index = 0; index < 3; index++) await other.get('/contacts')
      const ofOrg = await waiting.count()
      expect(ofOrg).toBeLessThanOrEqual(2)
      reads.push(other.get(path))
      await waiting.until(ofOrg + 1)
    })
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(9).fill(200))
  },
)

test('a report that the database stops asks for a shorter range', async () => {
  const { orgId } = await app.newOrg()
  const report = withShortTimeouts(app, async ({ database }) => {
    let read: Promise<unknown> = Promise.resolve()
    await whileLocked(app, 'web_report', async () => {
      read = limitReports(orgId, database.org(orgId), (tx) => readOverview(tx, { step: 'day' }))
      await read.catch(() => {})
    })
    return read
  })
  await expect(report).rejects.toMatchObject({ code: 'query_too_slow', kind: 'invalid' })
})
