import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { DeliveryAttempt } from './store-attempts.ts'

/**
 * Removes excerpts of answers about contacts that were erased while the request ran. Also removes excerpts about
 * objects of clients, because a client's erasure does not reach the agency's rows. The contacts stay locked until `tx`
 * ends: an erasure either came first, or finds the attempts.
 */
export async function blankErased(
  tx: OrgTx,
  attempts: readonly DeliveryAttempt[],
): Promise<DeliveryAttempt[]> {
  const hasExcerpt = attempts.filter(({ trial }) => trial.excerpt !== null)
  if (hasExcerpt.length === 0) return [...attempts]
  const ids = hasExcerpt.flatMap(({ objectId }) => objectId ?? []).sort()
  const rows = await tx.rows(sql<Columns<'contact', 'contact_id' | 'status'>>`
    select contact_id, status from contact
    where org_id = ${tx.orgId} and contact_id = any (${ids}::uuid[]) order by contact_id for share`)
  const erased = new Set(rows.flatMap((row) => (row.status === 'erased' ? [row.contact_id] : [])))
  return attempts.map((attempt) => {
    const { objectId, sourceOrgId, trial } = attempt
    const mayStay = sourceOrgId === tx.orgId && !(objectId !== null && erased.has(objectId))
    return mayStay ? attempt : { ...attempt, trial: { ...trial, excerpt: null } }
  })
}

/** Removes the excerpts of answers about erased contacts. */
export async function eraseExcerpts(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update webhook_attempt set response_excerpt = null
    where source_org_id = ${tx.orgId} and object_id = any (${contactIds}::uuid[]) and response_excerpt is not null`)
}
