import { lockExclusive, lockShared } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict } from '../platform/domain-error.ts'

export type Stages = Columns<'deal_pipeline', 'stages' | 'version'>

/** Writes of deals share this lock. A change of the stages locks it exclusively. */
const lockOf = (orgId: string) => `deal stages ${orgId}`

/** Reads the stages of deals, in their order. @throws DomainError conflict if the organization was deleted */
export async function readStages(tx: OrgTx): Promise<Stages> {
  const row = await tx.first(sql<Stages>`
    select stages, version from deal_pipeline where org_id = ${tx.orgId}`)
  if (!row) throw conflict('organization_deleted', 'This organization no longer exists')
  return row
}

/** Locks the stages for a write of deals: they stay unchanged until the transaction ends. */
export async function lockStagesShared(tx: OrgTx): Promise<string[]> {
  const [, { stages }] = await Promise.all([lockShared(tx, lockOf(tx.orgId)), readStages(tx)])
  return stages
}

/** Locks the stages for a change: no deal is written until the transaction ends. */
export async function lockStages(tx: OrgTx): Promise<Stages> {
  const [, stages] = await Promise.all([lockExclusive(tx, lockOf(tx.orgId)), readStages(tx)])
  return stages
}
