import { afterAll, beforeEach, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
let org: TestOrg
beforeEach(async () => {
  org = await app.newOrg()
})

const define = (fields: object) => org.post('/fields', { entity: 'contact', type: 'text', ...fields })

test('a CRM field map that misspells a defined field is refused, and other members of custom are accepted', async () => {
  await define({ key: 'tier', label: 'Customer tier' })
  const connect = (field_map: object) =>
    org.post('/integrations/crm-sync/connections', { provider: 'sandbox', field_map })
  for (const name of ['custom.Tier', 'custom.teir', 'custom.customer_tier']) {
    const { status, body } = await connect({ [name]: 'tier' })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'field_map', name]])
    expect(body.detail[0].msg).toContain('custom.tier')
  }
  expect((await connect({ 'custom.tier': 'tier', 'custom.plan': 'plan' })).status).toBe(201)
})

test('a CRM field map is refused with all members that misspell a defined field, however many', async () => {
  for (const key of ['region_of_sale', 'x_name']) await define({ key })
  const many = Array.from({ length: 12 }, (_, index) => [
    `custom.region_of_sal${'abcdfghijklm'[index]}`,
    `r${index}`,
  ])
  const field_map = { ...Object.fromEntries(many), 'custom.X-Name': 'x' }
  const { status, body } = await org.post('/integrations/crm-sync/connections', {
    provider: 'sandbox',
    field_map,
  })
  const refused = body.detail.map(({ loc }: { loc: string[] }) => loc[2])
  expect([status, refused]).toEqual([422, [...many.map(([name]) => name), 'custom.X-Name']])
})
