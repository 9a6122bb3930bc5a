import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { checkAll } from '../../src/duplicates/checks/check-loop.ts'
import { linkOrgs } from '../../src/orgs/operator.ts'
import type { Context } from '../../src/platform/context.ts'
import { system } from '../../src/platform/db/system.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close({ leavesJobs: true }))

const batches = 3
const perBatch = 50

/** Checks of records that do not exist, which end at once. */
const addChecks = (orgId: string) =>
  runAsOwner(
    app.databaseUrl,
    `insert into duplicate_check (org_id, entity, record_id)
     select '${orgId}', 1, gen_random_uuid() from generate_series(1, ${batches * perBatch})`,
  )

test('the checks of an organization take turns with the checks of all clients of an agency together', async () => {
  const agency = await app.newAgency(randomUUID())
  const clients = await Promise.all(Array.from({ length: 5 }, () => app.newOrg()))
  for (const { orgId } of clients) await app.operate((tx) => linkOrgs(tx, agency.orgId, orgId))
  const neighbor = await app.newOrg()
  for (const { orgId } of [...clients, neighbor]) await addChecks(orgId)
  const { context } = app.app
  const served: string[] = []
  const watched: Context = {
    ...context,
    database: Object.assign(Object.create(context.database), {
      org: (orgId: string) => {
        served.push(orgId)
        return context.database.org(orgId)
      },
    }),
  }
  await checkAll(system(context.database), watched)
  expect(served.slice(0, 2 * batches).filter((orgId) => orgId === neighbor.orgId)).toHaveLength(batches)
  expect(new Set(served)).toEqual(new Set([...clients, neighbor].map(({ orgId }) => orgId)))
})
