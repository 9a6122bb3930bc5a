import { afterAll, expect, test } from 'vitest'
import { strangersTo } from '../../src/platform/secrets/rotate.ts'
import { sharedTestApp } from '../support/app.ts'
import { withClientOf } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('a change of the encryption key does not invent an address that PostgreSQL hides from its role', async () => {
  await app.newOrg()
  await withClientOf(app.databaseUrl, async (client) => {
    // This role has no pg_read_all_stats. So it sees the names of the connections, but not their addresses.
    await client.query('set role crosswalk_app')
    const strangers = await strangersTo(client, Buffer.alloc(32, 'another key'))
    expect(strangers).toMatch(
      /^processes of Crosswalk at an unknown address \(PostgreSQL process \d+\) do not know/,
    )
  })
})
