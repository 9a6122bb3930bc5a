import { Client } from 'pg'
import { expect } from 'vitest'
import { pushPeople } from '../../src/crm-sync/jobs/push.ts'
import type { TestApp, TestOrg } from '../support/app.ts'
import type { itemsOf } from '../support/crm-sync/crm.ts'
import { runAsOwner } from '../support/database.ts'
import type { Child } from '../support/processes.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'
import type { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'
import type { StandInServer } from '../support/stand-ins/server.ts'
import { startWorker } from './new-worker.ts'

export type Crm = {
  provider: 'espocrm' | 'salesforce'
  credentials: object
  server: StandInServer
  /** The CRM's ids of the Leads of each key. */
  leads(): Map<string, string[]>
  /** The address of each Lead, by key. */
  addresses(): Map<string, unknown>
}

type Lead = { key: unknown; id: string; email: unknown }

function tellingOf(records: () => readonly Lead[]): Pick<Crm, 'leads' | 'addresses'> {
  return {
    leads: () => {
      const leads = Map.groupBy(records(), ({ key }) => String(key))
      return new Map([...leads].map(([key, some]) => [key, some.map(({ id }) => id)]))
    },
    addresses: () => new Map(records().map(({ key, email }) => [String(key), email])),
  }
}

export async function newEspo(): Promise<Crm> {
  const standIn = await EspoStandIn.start()
  const records = () =>
    standIn.all().map(({ crosswalkId: key, id, emailAddress: email }) => ({ key, id, email }))
  return {
    ...{ provider: 'espocrm', credentials: standIn.credentials, server: standIn.server },
    ...tellingOf(records),
  }
}

/** Creates another org in the same Salesforce. */
export function newSalesforce(standIn: SalesforceStandIn): Crm {
  const { org, credentials } = standIn.newOrg()
  const records = () =>
    org.records.Lead!.map(({ Crosswalk_Id__c: key, Id: id, Email: email }) => ({ key, id, email }))
  return { provider: 'salesforce', credentials, server: standIn.server, ...tellingOf(records) }
}

export const startCrmWorker = (app: TestApp, salesforce: SalesforceStandIn): Promise<Child> =>
  startWorker(app, { OUTBOUND_ALLOW_PRIVATE: '1', SALESFORCE_LOGIN_URL: salesforce.server.url })

export async function stop(workers: readonly Child[]): Promise<void> {
  for (const worker of workers) worker.kill('SIGTERM')
  for (const worker of workers) expect((await worker.ended).code, worker.stderr).toBe(0)
}

/** Requeues the jobs of a dead process now. The job engine would first wait for heartbeats. */
export async function giveUp(app: TestApp): Promise<void> {
  const text = `
    update pgboss.job_common set state = 'retry', start_after = now()
    where name = 'crm_push' and state = 'active'`
  await runAsOwner(app.databaseUrl, text)
}

export async function deliverAgain(app: TestApp, org: TestOrg, jobId: string, connectionId: string) {
  const payload = { org_id: org.orgId, job_id: jobId, connection_id: connectionId }
  const { context } = app.app
  await context.database.org(org.orgId).transact((tx) => context.jobs.enqueue(tx, pushPeople, payload))
}

export async function fill(app: TestApp, org: TestOrg, count: number, name = 'p'): Promise<string[]> {
  const client = new Client({ connectionString: app.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ contact_id: string }>(
      `insert into contact (org_id, contact_id, first_name, last_name, email, emails, search, created_at, updated_at)
       select $1, app.uuid_v7(), 'Ada', $3 || n, $3 || n || '@example.com', array[$3 || n || '@example.com'], '', now(), now()
       from generate_series(1, $2) as n returning contact_id`,
      [org.orgId, count, name],
    )
    return rows.map((row) => row.contact_id)
  } finally {
    await client.end()
  }
}

async function allItems(org: TestOrg, jobId: string) {
  const items = []
  for (let cursor = ''; ; ) {
    const { body } = await org.get(`/integrations/crm-sync/jobs/${jobId}/items?limit=100${cursor}`)
    items.push(...(body.data as Awaited<ReturnType<typeof itemsOf>>))
    if (body.pagination.next_cursor === null) return items
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
}

export type EndedJob = { job_id: string; status: string; population: number; counts: Record<string, number> }

/** Checks that a job, its items and the CRM agree: everyone is there once. */
export async function expectTrue(org: TestOrg, crm: Crm, job: EndedJob): Promise<void> {
  const items = await allItems(org, job.job_id)
  const leads = crm.leads()
  for (const ids of leads.values()) expect(ids).toHaveLength(1)
  const there = new Set([...leads.values()].flat())
  const counted = { processed: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  for (const { outcome, external_id: id, error } of items) {
    if (outcome === null) continue
    counted.processed++
    counted[outcome as 'created']++
    expect(['created', 'updated', 'unchanged', 'skipped'], error?.message ?? '').toContain(outcome)
    if (outcome !== 'skipped') expect(there).toContain(id)
  }
  expect(job.counts).toEqual(counted)
  expect(items).toHaveLength(job.population)
  if (job.status !== 'canceled') expect(counted.processed).toBe(job.population)
}
