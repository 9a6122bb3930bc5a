import { expect } from 'vitest'
import type { TestOrg } from './app.ts'

/** Merges `losers` into `survivor`; the merge of each. */
export async function merge(
  org: TestOrg,
  entity_type: 'contact' | 'company' | 'deal',
  survivor_id: string,
  ...loser_ids: string[]
): Promise<{ merge_id: string }[]> {
  const { status, body } = await org.post('/duplicates/merge', { entity_type, survivor_id, loser_ids })
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data.merges
}
