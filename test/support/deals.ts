import { expect } from 'vitest'
import type { TestOrg } from './app.ts'

export async function newDeal(
  org: TestOrg,
  fields: object = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answer, and assert its shape
): Promise<{ id: string; path: string; deal: any }> {
  const { status, body, text } = await org.post('/deals', { name: 'Website', ...fields })
  expect(status, text).toBe(201)
  return { id: body.data.deal_id, path: `/deals/${body.data.deal_id}`, deal: body.data }
}

/** The type and changed fields of each event, oldest first. */
export const eventsOf = async (org: TestOrg, id: string): Promise<string[]> =>
  (await org.get(`/events?object_id=${id}`)).body.data
    .map(({ type, changed }: { type: string; changed: string[] | null }) =>
      [type, ...(changed ?? [])].join(' '),
    )
    .reverse()

export const reasonFor = async (org: TestOrg, outcome: string): Promise<string> =>
  (await org.get('/deals/close-reasons')).body.data.close_reasons.find(
    (reason: { outcome: string }) => reason.outcome === outcome,
  ).close_reason_id
