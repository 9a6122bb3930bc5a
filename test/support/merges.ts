import { expect } from 'vitest'
import { checkMergedRecords } from '../../src/duplicates/check-merged-records.ts'
import type { Answer, TestApp, TestOrg } from './app.ts'

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

// Returns the answer unchecked, because it may be a refusal.
export const undo = (org: TestOrg, mergeId: string): Promise<Answer> =>
  org.post(`/duplicates/undo-merge/${mergeId}`)
export const redo = (org: TestOrg, mergeId: string): Promise<Answer> =>
  org.post(`/duplicates/redo-merge/${mergeId}`)
export const tryMerge = (org: TestOrg, survivor_id: string, ...loser_ids: string[]): Promise<Answer> =>
  org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })

export const createContact = async (org: TestOrg, fields: object): Promise<string> =>
  (await org.post('/contacts', fields)).body.data.contact_id

/** Checks that merged records show what follows from their facts and merges. */
export async function expectRightViews({ app }: TestApp, org: TestOrg): Promise<void> {
  const { deviations } = await checkMergedRecords(app.context.database.org(org.orgId))
  expect(deviations).toEqual([])
}
