import { afterAll, expect, test } from 'vitest'
import { checkAll } from '../../src/duplicates/checks/check-loop.ts'
import { fillAllMatchKeys } from '../../src/duplicates/fill-match-keys.ts'
import { system } from '../../src/platform/db/system.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { createRecords, rowsOf } from '../support/finding.ts'

const app = await startTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engine', city: 'London' }

/** Makes a contact that has absorbed others. */
async function largeContact(org: TestOrg, ids: number): Promise<string> {
  const items = Array.from({ length: ids }, () => ada)
  const { body } = await org.post('/contacts/batch', { items })
  const [survivor_id, ...losers] = body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  for (let at = 0; at < losers.length; at += 20) {
    const loser_ids = losers.slice(at, at + 20)
    const merged = await org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })
    expect(merged.status, merged.text).toBe(200)
  }
  return survivor_id
}

test('a check does not compare two contacts with hundreds of merged ids, and still proposes a small duplicate', async () => {
  const org = await app.newOrg()
  const turn = async (mode: string) =>
    expect((await org.patch('/duplicates/settings', { contact: { mode } })).status).toBe(200)
  await turn('off')
  const large = [await largeContact(org, 320), await largeContact(org, 320)]
  await turn('shadow')
  const { context } = app.app
  await fillAllMatchKeys(system(context.database), context)
  const [small] = await createRecords(org, 'contact', ada)
  await checkAll(system(context.database), context)
  const proposals = await rowsOf(org, 'shadow')
  expect(proposals).toHaveLength(1)
  const [proposal] = proposals
  expect([proposal!.survivor_id, proposal!.loser_id]).toContain(small)
  expect(large.some((id) => [proposal!.survivor_id, proposal!.loser_id].includes(id))).toBe(true)
})
