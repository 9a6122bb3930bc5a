import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { rowsOf } from '../support/finding.ts'
import { createContact } from '../support/merges.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ checksDuplicates: true })
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@engine.example', phone: '+14155550100' }

const proposals = async (org: TestOrg) => (await rowsOf(org, 'shadow')).length

test('the checks of an organization for duplicates do not wait for the locked contacts of others', async () => {
  const locked = await Promise.all(Array.from({ length: 3 }, () => app.newOrg()))
  const org = await app.newOrg()
  for (const each of locked) {
    expect((await each.patch('/duplicates/settings', { contact: { mode: 'auto' } })).status).toBe(200)
    await createContact(each, ada)
  }
  await createContact(org, ada)
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact for update')
    for (const each of locked) await createContact(each, ada)
    await withClient(app, (other) => untilBlocked(other))
    await createContact(org, ada)
    await expectWithin(8_000, () => proposals(org), 1)
    await client.query('commit')
  })
})
