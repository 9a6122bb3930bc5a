import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { createRecords } from '../support/finding.ts'

let app: TestApp
let org: TestOrg
// Both tests use this contact: the first one changes nothing.
let full: Awaited<ReturnType<typeof fullContact>>
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  full = await fullContact()
})
afterAll(() => app.close())

const emails = (from: number, count = 50) =>
  Array.from({ length: count }, (_, at) => `ada${from + at}@engine.example`)

const merge = (survivor_id: string, loser_ids: string[]) =>
  org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })

/** Makes a contact whose 40 ids have 50 email addresses each, and two more contacts. */
async function fullContact() {
  await org.patch('/duplicates/settings', { contact: { mode: 'off' } })
  const items = Array.from({ length: 40 }, (_, at) => ({ emails: emails(at * 50) }))
  const [root = '', ...losers] = await createRecords(org, 'contact', ...items)
  const [small, other] = await createRecords(
    org,
    'contact',
    { email: 'al@x.example' },
    { email: 'b@x.example' },
  )
  for (const some of [losers.slice(0, 20), losers.slice(20)]) {
    const merged = await merge(root, some)
    expect(merged.status, merged.text).toBe(200)
  }
  return { root, small, other }
}

test('a merge that would give the ids of a record more than 2,000 values in a list is refused', async () => {
  const { root, small } = full
  const refused = await merge(root, [small])
  expect([refused.status, refused.body.code]).toEqual([409, 'merge_too_large'])
  expect(refused.body.detail).toBe(
    'The ids of the merged record would have 2,001 values in emails, and may have at most 2,000: merge fewer records into it',
  )
  expect((await org.get(`/contacts/${root}`)).body.data.emails).toHaveLength(2_000)
})

test('a write cannot give the ids of a merged record more than 2,000 values in a list, and changes nothing', async () => {
  const { root, small, other } = full
  expect((await org.patch(`/contacts/${root}`, { emails: ['one@x.example'] })).status).toBe(200)
  const merged = await merge(root, [small])
  expect(merged.status, merged.text).toBe(200)
  const mergeId = merged.body.data.merges[0].merge_id

  const tooMany = await org.patch(`/contacts/${small}`, { emails: emails(5_000), last_name: 'Refused' })
  expect(tooMany.status).toBe(422)
  expect(tooMany.body.detail).toEqual([
    expect.objectContaining({
      loc: ['body', 'emails'],
      msg: expect.stringContaining(
        'the ids of this merged record have 1,952 values here, and may have at most 2,000: send fewer values',
      ),
    }),
  ])
  const batch = await org.post('/contacts/batch', {
    items: [
      { contact_id: small, emails: emails(5_000), last_name: 'Refused' },
      { contact_id: other, last_name: 'Hopper' },
    ],
  })
  expect(batch.body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['failed', 'updated'])
  expect((await org.get(`/contacts/${root}`)).body.data.last_name).toBe(null)

  const exactly = await org.patch(`/contacts/${small}`, { emails: emails(5_000, 49) })
  expect(exactly.status, exactly.text).toBe(200)
  const upsert = (fields: object) => org.post('/contacts/upsert', { match_on: 'email', ...fields })
  const added = await upsert({ email: emails(5_000)[0], emails: ['new@x.example'] })
  expect([added.status, added.text]).toEqual([422, expect.stringContaining('2,000')])

  // A write that adds no value works, and so do an undo and a redo.
  expect((await upsert({ email: emails(5_000)[0], last_name: 'Lovelace' })).status).toBe(200)
  expect((await org.patch(`/contacts/${root}`, { last_name: 'King' })).status).toBe(200)
  expect((await org.patch(`/contacts/${small}`, { emails: emails(5_000, 20) })).status).toBe(200)
  expect((await org.post(`/duplicates/undo-merge/${mergeId}`)).status).toBe(200)
  const redone = await org.post(`/duplicates/redo-merge/${mergeId}`)
  expect(redone.status, redone.text).toBe(200)
})
