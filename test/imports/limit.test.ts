import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp } from '../support/app.ts'
import { uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const csv = 'email\nada@example.com\n'

test('while 100 imports of an organization wait or run, it can begin no other; ended ones and other organizations do not count', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const add = (count: number, status: string) =>
    runAsOwner(
      app.databaseUrl,
      `insert into import (org_id, import_id, entity, status, mode, created_at)
       select $1, id, 'contact', $2, 'live', now() from unnest($3::uuid[]) as id`,
      [org.orgId, status, Array.from({ length: count }, newId)],
    )
  await add(100, 'succeeded')
  await add(99, 'queued')
  const { status, body } = await uploadCsv(org, csv)
  expect(status).toBe(202)
  expect((await org.post(`/imports/${body.data.import_id}/cancel`)).status).toBeLessThan(500)
  await add(1, 'running')
  const refused = await uploadCsv(org, csv)
  expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])

  // A member who sees only own imports.
  const limited = await newMember(app, org.orgId, 'member')
  await app.operate((tx) =>
    tx.run(sql`update membership set record_access = 'own' where member_id = ${limited.memberId}`),
  )
  await expect.poll(async () => (await limited.get('/imports')).body.data?.length, { timeout: 2_000 }).toBe(0)
  expect((await uploadCsv(limited, csv)).body.code).toBe('limit_reached')
  expect((await uploadCsv(other, csv)).status).toBe(202)
  await runAsOwner(app.databaseUrl, 'delete from import where org_id = $1 and status = $2', [
    org.orgId,
    'running',
  ])
  expect((await uploadCsv(org, csv)).status).toBe(202)
})
