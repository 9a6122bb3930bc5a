import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { newId } from '../../platform/db/new-id.ts'
import { factsOf } from '../../records/clusters/facts.ts'
import type { StoredRecord } from '../../records/record-type.ts'
import { makingCanonicalRecords } from './canonical-records.ts'
import { defaultMatcher } from './decision-model.ts'

test('a contact that absorbed others is prepared in steps, so that other work can run between its ids', () => {
  const emails = Array.from({ length: 50 }, (_, at) => `ada${at}@example.com`)
  const state = contacts.apply(null, { first_name: 'Ada', emails }, { defaultCountry: null }, false)
  const ids = Array.from({ length: 20 }, () => newId())
  const [recordId = ''] = ids
  const members = new Map(ids.map((id) => [id, factsOf(contacts, state)]))
  const cluster = { rootId: recordId, members, links: [] }
  const stored = { recordId, version: 1, status: 'active', state, wasMerged: true, cluster } as StoredRecord
  const making = makingCanonicalRecords('contact', [stored], defaultMatcher('contact', 20).matcher)
  for (const _id of ids) expect(making.next().done).toBe(false)
  const { done, value } = making.next()
  expect(done).toBe(true)
  expect(value?.[0]?.members.map((member) => member.recordId)).toEqual(ids)
})
