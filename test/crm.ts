import { expect, vi } from 'vitest'
import type { TestClient } from './app.ts'

export const crmBase = '/integrations/crm-sync'

/** A new connection's id; to the sandbox, unless `body` says otherwise. */
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

/** A job, once it has ended. */
export function ended(org: TestClient, jobId: string, timeout = 20_000) {
  return vi.waitFor(
    async () => {
      const { body } = await org.get(`${crmBase}/jobs/${jobId}`)
      expect(['queued', 'running'], body.error).not.toContain(body.status)
      return body
    },
    { timeout },
  )
}

/** Asks for a push; the job's id. */
export async function push(org: TestClient, body: object, kind = 'leads'): Promise<string> {
  const answer = await org.post(`${crmBase}/${kind}/push`, body)
  expect(answer.status, answer.text).toBe(202)
  return answer.body.job_id
}

/** Pushes; the job, once it has ended. */
export const pushed = async (org: TestClient, body: object, kind = 'leads') =>
  ended(org, await push(org, body, kind))

/** What became of the people of a job. */
export async function itemsOf(org: TestClient, jobId: string, query = '') {
  const { status, body, text } = await org.get(`${crmBase}/jobs/${jobId}/items?limit=100${query}`)
  expect(status, text).toBe(200)
  return body.data as {
    contact_id: string
    outcome: string | null
    external_id: string | null
    error: string | null
  }[]
}
