import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from './app.ts'

const app = await startTestApp({ checksDuplicates: true })
afterAll(() => app.close())

async function contact(org: TestOrg, fields: object): Promise<string> {
  const { status, body } = await org.post('/contacts', fields)
  expect([status, body.detail]).toEqual([201, undefined])
  return body.data.contact_id
}

const shadows = async (org: TestOrg) => {
  const { body } = await org.get('/duplicates/recent-merges?include_shadow=true&limit=100')
  return body.data as { survivor_id: string; loser_id: string; is_shadow: boolean; rule: string | null }[]
}

describe('a record that is written', () => {
  test('is proposed to be merged with its double, soon after', async () => {
    const org = await app.newOrg()
    const first = await contact(org, { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@acme-works.com' })
    const second = await contact(org, { first_name: 'Ada', last_name: 'Lovelace', email: 'ADA@acme-works.com' })
    await expect.poll(() => shadows(org)).toMatchObject([{ survivor_id: first, loser_id: second, is_shadow: true }])
  })
})

async function scanned(org: TestOrg, entity_type = 'contact') {
  const { status, body } = await org.post('/duplicates/scans', { entity_type })
  expect([status, body.detail]).toEqual([202, undefined])
  const path = `/duplicates/scans/${body.data.scan_id}`
  await expect.poll(async () => (await org.get(path)).body.data.status, { timeout: 20_000 }).toBe('succeeded')
  return (await org.get(path)).body.data
}

describe('a scan', () => {
  test('finds', async () => {
    const org = await app.newOrg()
    await contact(org, { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@acme-works.com' })
    await contact(org, { first_name: 'Ada', last_name: 'Lovelace', email: 'ADA@acme-works.com' })
    console.log(await scanned(org), await shadows(org))
  })
})
