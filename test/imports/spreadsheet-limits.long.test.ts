import { afterAll, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp } from '../support/app.ts'
import { xlsxOf } from '../support/xlsx.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const small = xlsxOf([['email'], ['ada@example.com']])
/** 20 KB that unpack to 300,000 texts. */
const large = xlsxOf([['email'], ['ada@example.com']], {
  parts: { 'xl/sharedStrings.xml': `<sst>${'<si><t>email</t></si>'.repeat(300_000)}</sst>` },
})

test.each([
  ['/contacts/imports/inspect', 200],
  ['/contacts/imports', 202],
])(
  'POST %s unpacks the spreadsheets of an agency one after another, in all clients together',
  async (path, done) => {
    const agency = await app.newAgency()
    const clients = [await app.newOrg(), await app.newOrg()]
    await app.operate(async (tx) => {
      for (const { orgId } of clients) await linkOrgs(tx, agency.orgId, orgId)
    })
    const send = async (client: number, file: Buffer) => {
      const headers = { 'content-type': type, 'x-target-org-id': clients[client]?.orgId ?? '' }
      const { status, text } = await agency.post(path, undefined, { headers, raw: new Uint8Array(file) })
      expect(status, text).toBe(done)
    }
    let isLargeDone = false
    const sent = send(0, large).then(() => {
      isLargeDone = true
    })
    let smallDone = 0
    for (; !isLargeDone; smallDone++) await send(1, small)
    await sent
    // A few may arrive before the large one.
    expect(smallDone).toBeLessThan(10)
  },
)
