import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { sweepOnce } from '../../src/sandboxes/purge.ts'
import { stepsOf } from '../../src/sandboxes/purge-steps.ts'
import { startTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilNoJobs } from '../support/jobs/left-jobs.ts'
import { patience } from '../support/patience.ts'
import { makeObject } from '../support/walk.ts'

const app = await startTestApp()
afterAll(() => app.close())

const path = '/organization/sandboxes'
const sweep = (stopping?: () => boolean) => sweepOnce(system(app.app.context.database), stopping)

async function newSandbox(org: TestOrg, body: object = {}): Promise<TestOrg> {
  const { data } = (await org.post(path, { name: 'Trial', ...body })).body
  return Object.assign(app.client(data.api_key_token), {
    ...{
      orgId: data.org_id,
      apiKeyId: data.api_key_id,
      newAgency: org.newAgency,
      newConnectedApp: org.newConnectedApp,
    },
  })
}

/** How many rows each table of the catalog has of an organization. */
async function rowsOf(orgId: string): Promise<Record<string, number>> {
  const tables = await runAsOwner<{ name: string }>(
    app.databaseUrl,
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id'`,
  )
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::int as rows from "${name}" where org_id = $1`,
  )
  const found = await runAsOwner<{ name: string; rows: number }>(
    app.databaseUrl,
    counts.join(' union all '),
    [orgId],
  )
  return Object.fromEntries(found.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]))
}

const kinds = [
  ...['contact_id', 'company_id', 'deal_id', 'close_reason_id', 'persona_id', 'suppression_id', 'call_id'],
  ...['import_id', 'scan_id', 'undone_merge_id', 'shadow_merge_id', 'installed_mailbox_id', 'rollout_id'],
  ...['failed_job_id', 'merge_id', 'note_id', 'task_id'],
]

async function fill(trial: TestClient): Promise<void> {
  for (const kind of kinds) await makeObject(kind, trial)
  const [contact, company] = [await makeObject('contact_id', trial), await makeObject('company_id', trial)]
  await trial.patch(`/contacts/${contact}`, {
    company_id: company,
    consent: { phone: 'denied' },
    phone: '+14155550123',
  })
  await trial.post('/deals', { name: 'Both', company_id: company, contact_ids: [contact] })
  await trial.patch('/duplicates/settings', { contact: { review_threshold: 0.95 } })
  await trial.patch('/integrations/crm-sync/settings', { threshold: 10 })
  const credentials = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'hidden-token' }
  await trial.patch('/voice/settings', { provider: 'twilio', credentials })
  await trial.post('/contacts', { first_name: 'Kept' }, { headers: { 'idempotency-key': 'one' } })
  await trial.post('/api-keys', { name: 'Second', mode: 'test' })
}

describe('deletion', () => {
  test('deleting a sandbox deletes all of its rows in every table, and no row of another organization', async () => {
    const [org, neighbor] = [await app.newOrg(), await app.newOrg()]
    const trial = await newSandbox(org)
    await Promise.all([fill(trial), fill(neighbor)])
    await untilNoJobs(app.databaseUrl)
    const before = await rowsOf(trial.orgId)
    expect(Object.keys(before).length).toBeGreaterThan(30)
    const others = async () => {
      const rows = await rowsOf(neighbor.orgId)
      // Leave out tables of totals and counted requests: background work changes them.
      return Object.entries(rows).filter(([name]) => !/_(delta|total)$|^usage_hour$/.test(name))
    }
    const neighbors = await others()

    expect((await org.delete(`${path}/${trial.orgId}`)).status).toBe(204)
    await sweep()
    await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
    expect(await others()).toEqual(neighbors)
    expect((await neighbor.get('/contacts')).body.pagination.total).toBeGreaterThan(5)
  })

  test('deleting a sandbox continues where a process stopped, after any step', async () => {
    const org = await app.newOrg()
    const trial = await newSandbox(org)
    for (const kind of ['merge_id', 'undone_merge_id', 'rollout_id']) await makeObject(kind, trial)
    await org.delete(`${path}/${trial.orgId}`)
    // Stop each sweep after more steps than the previous sweep, as a kill would.
    for (let steps = 1; steps < 40; steps += 3) {
      let left = steps
      await sweep(() => left-- <= 0)
    }
    await sweep()
    await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
  })

  test('several processes can delete one sandbox concurrently, and each row is deleted once', async () => {
    const org = await app.newOrg()
    const trials = [await newSandbox(org), await newSandbox(org, { copy: 'settings' })]
    for (const trial of trials) await makeObject('merge_id', trial)
    for (const trial of trials) await org.delete(`${path}/${trial.orgId}`)
    await Promise.all([sweep(), sweep(), sweep()])
    for (const trial of trials)
      await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
  })

  test('deleting a sandbox also deletes rows that a request or job writes after the first pass', async () => {
    const org = await app.newOrg()
    const trial = await newSandbox(org)
    await org.delete(`${path}/${trial.orgId}`)
    await sweep()
    await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
    const late = `insert into voice_number (org_id, number_id, number) values ($1, gen_random_uuid(), '+14155550100')`
    await runAsOwner(app.databaseUrl, late, [trial.orgId])
    const soon = 'update sandbox set purge_at = now() where sandbox_org_id = $1'
    await runAsOwner(app.databaseUrl, soon, [trial.orgId])
    await sweep()
    await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
    const old = `update sandbox set purge_at = now(), deleted_at = now() - interval '61 minutes' where sandbox_org_id = $1`
    await runAsOwner(app.databaseUrl, old, [trial.orgId])
    await sweep()
    const left = 'select from sandbox where sandbox_org_id = $1'
    await vi.waitFor(
      async () => expect(await runAsOwner(app.databaseUrl, left, [trial.orgId])).toEqual([]),
      patience,
    )
  })
})

test('while a large sandbox is deleted, a small one of another organization does not wait for all of its rows', async () => {
  const api = await startTestApp({ role: 'api' })
  const rows = async (orgId: string) =>
    (
      await runAsOwner<{ rows: number }>(
        api.databaseUrl,
        'select count(*)::int as rows from contact_key where org_id = $1',
        [orgId],
      )
    )[0]!.rows
  const [first, second] = [await api.newOrg(), await api.newOrg()]
  const make = async (org: TestOrg) => (await org.post(path, { name: 'Trial' })).body.data
  const large = await make(first)
  const tags = (at: number) => Array.from({ length: 50 }, (_, tag) => `${at} ${tag}`)
  const items = Array.from({ length: 400 }, (_, at) => ({ first_name: `${at}`, tags: tags(at) }))
  expect((await api.client(large.api_key_token).post('/contacts/batch', { items })).status).toBe(200)
  const small = await make(second)
  await api.client(small.api_key_token).post('/contacts', { email: 'ada@example.com' })
  await first.delete(`${path}/${large.org_id}`)
  await second.delete(`${path}/${small.org_id}`)

  let isSmallDone = false
  const sweeping = sweepOnce(system(api.app.context.database), () => isSmallDone, 0)
  await expect.poll(() => rows(small.org_id), patience).toBe(0)
  isSmallDone = true
  await sweeping
  expect(await rows(large.org_id)).toBeGreaterThan(0)
  await sweepOnce(system(api.app.context.database))
  expect(await rows(large.org_id)).toBe(0)
  await api.close()
})

test('an expired sandbox is deleted, and its keys end', async () => {
  const org = await app.newOrg()
  const trial = await newSandbox(org)
  await makeObject('contact_id', trial)
  await runAsOwner(app.databaseUrl, 'update sandbox set expires_at = now() where sandbox_org_id = $1', [
    trial.orgId,
  ])
  await sweep()
  await vi.waitFor(async () => expect(await rowsOf(trial.orgId)).toEqual({}), patience)
  await vi.waitFor(async () => expect((await trial.get('/organization')).status).toBe(401), patience)
  expect((await org.get(path)).body.data).toEqual([])
  expect((await org.get('/events?type=sandbox.deleted')).body.data).toMatchObject([
    { object_id: trial.orgId, api_key_id: null },
  ])
})

test('deleting the organization that made a sandbox ends the keys of the sandbox', async () => {
  const org = await app.newOrg()
  const trial = await newSandbox(org)
  await runAsOwner(app.databaseUrl, 'delete from org where org_id = $1', [org.orgId])
  await vi.waitFor(async () => expect((await trial.get('/organization')).status).toBe(401), patience)
})

test('the purge empties each table before the tables that it refers to, for any set of references', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  // References always lead from a later name to an earlier one, so there is no circle.
  const reference = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })).map(([one, other]) => ({
    table: names[Math.max(one, other)]!,
    referenced: names[Math.min(one, other)]!,
    column: 'x',
  }))
  fc.assert(
    fc.property(fc.array(reference), fc.shuffledSubarray(names, { minLength: 6 }), (references, tables) => {
      const steps = stepsOf(tables, references)
      const emptied = steps.flatMap(({ table, referrersOnly }) => (referrersOnly === null ? [table] : []))
      expect(emptied.toSorted()).toEqual(names)
      for (const { table, referenced } of references) {
        if (table !== referenced) expect(emptied.indexOf(table)).toBeLessThan(emptied.indexOf(referenced))
        else
          expect(steps.findIndex((step) => step.table === table && step.referrersOnly === 'x')).toBeLessThan(
            steps.findIndex((step) => step.table === table && step.referrersOnly === null),
          )
      }
    }),
  )
})
