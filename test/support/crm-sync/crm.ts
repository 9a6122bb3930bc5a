import { expect, vi } from 'vitest'
import { wakeChannel } from '../../../src/platform/jobs/engine/wake.ts'
import type { TestApp, TestClient, TestOrg } from '../app.ts'
import { runAsOwner } from '../database.ts'
import { eventually } from '../eventually.ts'
import { patience } from '../patience.ts'
import { EspoStandIn } from '../stand-ins/espocrm.ts'

export const crmBase = '/integrations/crm-sync'

/** Returns the id of a connection to the sandbox, or to the provider in `body`. */
export async function connect(org: TestClient, body: object = {}): Promise<string> {
  const answer = await org.post(`${crmBase}/connections`, { provider: 'sandbox', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.connection_id
}

export async function newContact(org: TestClient, body: object): Promise<string> {
  const answer = await org.post('/contacts', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.contact_id
}

export function untilJobEnds(org: TestClient, jobId: string, { timeout }: { timeout: number } = patience) {
  return eventually(async () => {
    const { body } = await org.get(`${crmBase}/jobs/${jobId}`)
    expect(['queued', 'running'], body.error).not.toContain(body.status)
    return body
  }, timeout)
}

export async function push(org: TestClient, body: object, kind = 'leads'): Promise<string> {
  const answer = await org.post(`${crmBase}/${kind}/push`, body)
  expect(answer.status, answer.text).toBe(202)
  return answer.body.job_id
}

export const pushAndWait = async (org: TestClient, body: object, kind = 'leads') =>
  untilJobEnds(org, await push(org, body, kind))

/** Makes a job retry an unreachable CRM now. */
export const retryNow = (app: TestApp, jobId: string) =>
  runAsOwner(
    app.databaseUrl,
    `
    with hurried as (
      update pgboss.job_common set start_after = now()
      where name = 'crm_push' and data ->> 'job_id' = '${jobId}' and start_after > now() returning 1
    ) select pg_notify('${wakeChannel}', '') from hurried`,
  )

/** Like `pushAndWait`, but a job that waits is retried at once. */
export async function pushWithoutDelays(app: TestApp, org: TestClient, body: object) {
  const jobId = await push(org, body)
  const hurried = setInterval(() => void retryNow(app, jobId).catch(() => {}), 50)
  return untilJobEnds(org, jobId).finally(() => clearInterval(hurried))
}

export async function itemsOf(org: TestClient, jobId: string, query = '') {
  const { status, body, text } = await org.get(`${crmBase}/jobs/${jobId}/items?limit=100${query}`)
  expect(status, text).toBe(200)
  return body.data as {
    contact_id: string
    outcome: string | null
    external_id: string | null
    error: { code: string; message: string } | null
  }[]
}

export async function newContacts(org: TestClient, items: readonly object[]): Promise<string[]> {
  const { body, text } = await org.post('/contacts/batch', { items })
  const made = body.data as { outcome: string; contact_id: string }[]
  for (const { outcome } of made) expect(outcome, text).toBe('created')
  return made.map(({ contact_id }) => contact_id)
}

export const people = (org: TestClient, count: number, more: (index: number) => object = () => ({})) =>
  newContacts(
    org,
    Array.from({ length: count }, (_, index) => ({
      ...{ last_name: `Person ${index}`, email: `p${index}@example.com` },
      ...more(index),
    })),
  )

export const leadsOf = async (org: TestClient, connectionId: string) =>
  (await org.get(`${crmBase}/connections/${connectionId}/sandbox?limit=100`)).body.data as {
    record_key: string
    external_id: string
  }[]

export const jobOf = async (org: TestClient, jobId: string) =>
  (await org.get(`${crmBase}/jobs/${jobId}`)).body
export const preview = async (org: TestClient, body: object) =>
  (await org.post(`${crmBase}/leads/previews`, body)).body.data

export const eventsOf = async (org: TestClient, objectId: string) => {
  const { body } = await org.get('/events?limit=100')
  const events = body.data as { type: string; object_id: string; data: Record<string, unknown> | null }[]
  return events.filter(({ object_id }) => object_id === objectId).reverse()
}

/** An org whose EspoCRM waits `ms` before and after each step. */
export async function newSlowOrg(
  app: TestApp,
  ms: number,
): Promise<{ org: TestOrg; connection_id: string; espo: EspoStandIn }> {
  const slow = await EspoStandIn.start()
  slow.server.delayMs = () => ms
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'espocrm', credentials: slow.credentials })
  return { org, connection_id, espo: slow }
}

export const untilRequests = (standIn: EspoStandIn, count: number) =>
  vi.waitFor(() => expect(standIn.all().length).toBeGreaterThanOrEqual(count), {
    ...patience,
    interval: 2,
  })

/** Accepts `count` Leads at once. Other Leads wait until `release` is called. */
export function holdAfter({ server }: EspoStandIn, count: number): { release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let made = 0
  server.hold = ({ method }) => (method === 'POST' && ++made > count ? promise : undefined)
  return { release: resolve }
}
