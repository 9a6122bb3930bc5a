import { recordEvents } from '../../events/record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { notFound } from '../../platform/domain-error.ts'
import { eraseEvents, hasEvents } from '../store/erase.ts'

/** Erases all events of a visitor. @throws DomainError not_found if there are none */
export async function eraseVisitor(tx: OrgTx, visitorId: string): Promise<void> {
  if (!(await hasEvents(tx, visitorId)))
    throw notFound('object_not_found', 'No visitor of this organization has this id')
  await eraseEvents(tx, { visitorIds: [visitorId], userKeys: [], emails: [] })
  await recordEvents(tx, [{ type: 'visitor.erased', objectId: visitorId }])
}
