import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { cleanUp } from '../support/processes.ts'
import { deviations, noDeviations } from '../support/sync/deviations.ts'
import { GuideProgram } from '../support/sync/guide-program.ts'
import { RandomWrites } from '../support/sync/random-writes.ts'

const app = await sharedTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

test('the copy of the program in docs/guides/sync.md is exact two rounds after all writes stop', async () => {
  const org = await app.newOrg()
  const writes = new RandomWrites(org)
  await writes.create(150)
  const program = new GuideProgram(org, 0.2)
  await writes.run(8, 4)
  // Repeat on a busy machine until there was each kind of write.
  while (!writes.done.create || !writes.done.change) await writes.run(8, 1)
  await program.completes(1)
  expect(await deviations(app.databaseUrl, org.orgId, program.copied())).toEqual(noDeviations)
  expect(writes.done).toMatchObject({ create: expect.any(Number), change: expect.any(Number) })
  await program.stop()
})

test('the program of docs/guides/sync.md copies a change that commits 30 s after its updated_at', async () => {
  const org = await app.newOrg()
  const [slow, quick] = [
    await org.post('/contacts', { first_name: 'Slow' }),
    await org.post('/contacts', { first_name: 'Quick' }),
  ]
  const { contact_id: slowId } = slow.body.data
  const program = new GuideProgram(org, 0.1)
  await withClient(app, async (client) => {
    await client.query('begin')
    // A transaction that commits after 30 s.
    await client.query(
      `update contact set version = version + 1, updated_at = clock_timestamp() - interval '30 seconds'
       where contact_id = $1`,
      [slowId],
    )
    await org.patch(`/contacts/${quick.body.data.contact_id}`, { city: 'Leith' })
    await program.completes(1)
    expect(program.copied().get(slowId)).toBe(1)
    await client.query('commit')
  })
  await program.completes(1)
  expect(program.copied().get(slowId)).toBe(2)
  expect(await deviations(app.databaseUrl, org.orgId, program.copied())).toEqual(noDeviations)
  await program.stop()
})
