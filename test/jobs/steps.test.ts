import { afterAll, beforeAll, expect, test } from 'vitest'
import { runStep } from '../../src/platform/jobs/steps.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connect, crmBase, jobOf, push } from '../support/crm-sync/crm.ts'
import { uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
let others: TestOrg
beforeAll(async () => {
  app = await startTestApp()
  org = await app.newOrg()
  others = await app.newOrg()
})
afterAll(() => app.close())

/** How far a job is: a value that changes when its first transaction commits. */
type Job = { name: string; ask: () => Promise<() => Promise<unknown>> }

const dataAt = async (path: string) => (await org.get(path)).body.data

const jobs: Job[] = [
  {
    name: 'import_records',
    ask: async () => {
      const { import_id: id } = (await uploadCsv(org, 'email\nimported@example.com\n')).body.data
      return async () => (await dataAt(`/imports/${id}`)).status
    },
  },
  {
    name: 'change_records',
    ask: async () => {
      const filter = { field: 'first_name', value: 'Ada' }
      const body = { entity: 'contact', filter, change: { add_tags: ['new'] } }
      const { bulk_change_id: id } = (await org.post('/bulk-changes', body)).body.data
      return async () => (await dataAt(`/bulk-changes/${id}`)).status
    },
  },
  {
    name: 'reassign_records',
    ask: async () => {
      const [sam, kim] = [
        await newMember(app, org.orgId, 'member'),
        await newMember(app, org.orgId, 'member'),
      ]
      await org.post('/deals', { name: 'Website', owner_id: sam.memberId })
      await org.post(`/owners/${sam.memberId}/reassign`, { to_owner_id: kim.memberId })
      return async () => (await dataAt('/deals'))[0].owner_id === kim.memberId
    },
  },
  {
    name: 'convert_field',
    ask: async () => {
      const field = { entity: 'contact', key: 'seats', label: 'Seats', type: 'number', existing: 'convert' }
      const { field_id: id } = (await org.post('/fields', field)).body.data
      return async () => (await dataAt(`/fields/${id}`)).conversion.converted
    },
  },
  {
    name: 'scan_duplicates',
    ask: async () => {
      const { scan_id: id } = (await org.post('/duplicates/scans', { entity_type: 'contact' })).body.data
      return async () => (await dataAt(`/duplicates/scans/${id}`)).status
    },
  },
  {
    name: 'count_segments',
    ask: async () => {
      const body = { entity: 'contact', name: 'Some', filter: { field: 'first_name', value: 'Ada' } }
      const { segment_id: id } = (await org.post('/segments', body)).body.data
      return async () => (await dataAt(`/segments/${id}`)).count_state
    },
  },
  {
    name: 'crm_push',
    ask: async () => {
      const [contact] = await dataAt('/contacts')
      const jobId = await push(org, { connection_id: await connect(org), contact_ids: [contact.contact_id] })
      return async () => (await jobOf(org, jobId)).status
    },
  },
  {
    name: 'crm_forget_connection',
    ask: async () => {
      const id = await connect(org)
      await runAsOwner(
        app.databaseUrl,
        `insert into crm_link (org_id, connection_id, mode, kind, contact_id)
         values ('${org.orgId}', '${id}', 'live', 'lead', app.uuid_v7())`,
      )
      await org.delete(`${crmBase}/connections/${id}`)
      return () => runAsOwner(app.databaseUrl, `select from crm_link where connection_id = '${id}'`)
    },
  },
  {
    name: 'fill_sandbox',
    ask: async () => {
      const body = { name: 'Trial', copy: 'sample' }
      const { org_id: id } = (await org.post('/organization/sandboxes', body)).body.data
      return async () =>
        (await dataAt('/organization/sandboxes')).find((each: { org_id: string }) => each.org_id === id)
          .status
    },
  },
]

const isClaimed = async (name: string) => {
  const rows = await runAsOwner(
    app.databaseUrl,
    `select from pgboss.job_common where name = '${name}' and state = 'active'`,
  )
  return rows.length > 0
}

test.each(jobs)(
  'beside others, $name waits while another job of its organization runs a step',
  async ({ name, ask }) => {
    await org.post('/contacts', { first_name: 'Ada', custom: { seats: '5' } })
    await others.get('/contacts')
    const held = Promise.withResolvers<void>()
    const step = runStep(org.orgId, () => held.promise)
    const read = await ask()
    await expect.poll(() => isClaimed(name), patience).toBe(true)
    const before = await read()
    // A job that does not wait would change something in this time.
    for (let n = 0; n < 20; n++) await others.get('/contacts')
    expect(await read()).toEqual(before)
    held.resolve()
    await step
    await expect.poll(read, patience).not.toEqual(before)
  },
)
