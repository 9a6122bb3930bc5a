import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { newId } from '../../platform/db/new-id.ts'
import { type Cluster, joinClusters } from './cluster.ts'
import { factsOf } from './facts.ts'
import { derivingView } from './view.ts'

const ids = Array.from({ length: 20 }, () => newId())
const [rootId = '', ...absorbed] = ids
const emailOf = (id: string) => `${id}@example.com`

function single(recordId: string): Cluster {
  const state = contacts.apply(null, { emails: [emailOf(recordId)] }, { defaultCountry: null }, false)
  return { rootId: recordId, members: new Map([[recordId, factsOf(contacts, state)]]), links: [] }
}

test('the columns of a contact that absorbed others are derived in steps, so that other work can run between its ids', () => {
  const cluster = absorbed.reduce(
    (into, loserId, index) =>
      joinClusters(into, single(loserId), {
        mergeId: newId(),
        loserId,
        survivorId: rootId,
        seq: index + 1,
        policies: null,
      }),
    single(rootId),
  )
  const deriving = derivingView(contacts, cluster)
  for (const _id of ids) expect(deriving.next().done).toBe(false)
  let step = deriving.next()
  while (!step.done) step = deriving.next()
  expect(step.value.emails).toEqual(ids.map(emailOf))
})
