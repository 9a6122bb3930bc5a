import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('the merge in the answer to a dry run cannot be undone', async () => {
  const org = await app.newOrg()
  const ids = []
  for (const first_name of ['Ada', 'Augusta'])
    ids.push((await org.post('/contacts', { first_name })).body.data.contact_id)
  const [survivor_id, loser_id] = ids
  const order = { entity_type: 'contact', survivor_id, loser_ids: [loser_id] }
  const dry = (await org.post('/duplicates/merge', { ...order, dry_run: true })).body.data
  expect(dry).toMatchObject({
    dry_run: true,
    merges: [{ can_undo: false, undo_blocked_reason: 'dry_run' }],
  })
  const real = (await org.post('/duplicates/merge', order)).body.data
  expect(real).toMatchObject({ dry_run: false, merges: [{ can_undo: true, undo_blocked_reason: null }] })
})
