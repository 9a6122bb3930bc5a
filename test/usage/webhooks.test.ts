import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const [hour, day] = [3_600, 86_400]
type Series = { name: string; points: [number, number][] }

test('requests to all webhook endpoints of the mode count for their hour, by their outcome', async () => {
  const org = await app.newOrg()
  const tester = await app.newKey(org.orgId, { mode: 'test' })
  const at = (Math.floor(Date.now() / 1000 / day) - 1) * day
  for (const [client, delivered, failed] of [
    [org, 5, 1],
    [org, 2, 0],
    [tester, 9, 9],
  ] as const) {
    const { body } = await client.post('/webhooks/endpoints', {
      url: 'https://crm.example.com/hook',
      types: ['*'],
    })
    await app.operateOn(org.orgId, (tx) =>
      tx.run(sql`
        insert into webhook_hour (org_id, endpoint_id, hour, delivered, failed, duration_ms)
        values (${org.orgId}, ${body.data.endpoint_id}, to_timestamp(${at}), ${delivered}, ${failed}, 30)`),
    )
  }
  const { body } = await org.get(`/usage?from=${at - hour}&to=${at + hour}`)
  const read = Object.fromEntries(body.data.series.map(({ name, points }: Series) => [name, points]))
  expect([read.webhooks_delivered, read.webhooks_failed]).toEqual([
    [
      [at - hour, 0],
      [at, 7],
    ],
    [
      [at - hour, 0],
      [at, 1],
    ],
  ])
})
