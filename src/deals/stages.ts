import { lockExclusive, lockShared } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict } from '../platform/domain-error.ts'

export type Stages = Columns<'deal_pipeline', 'stages' | 'version'>

/** Writes of deals share the lock. A change of the stages needs it alone. */
const lockOf = (orgId: string) => `deal stages ${orgId}`

export async function readStages(tx: OrgTx): Promise<Stages> {
  const row = await tx.first(sql<Stages>`
    select stages, version from deal_pipeline where org_id = ${tx.orgId}`)
  if (!row) throw conflict('organization_deleted', 'This organization no longer exists')
  return row
}

/** A shared lock: the stages stay unchanged until the transaction ends. */
export async function lockStagesShared(tx: OrgTx): Promise<string[]> {
  const [, { stages }] = await Promise.all([lockShared(tx, lockOf(tx.orgId)), readStages(tx)])
  return stages
}

/** An exclusive lock: no deal is written until the transaction ends. */
export async function lockStages(tx: OrgTx): Promise<Stages> {
  const [, stages] = await Promise.all([lockExclusive(tx, lockOf(tx.orgId)), readStages(tx)])
  return stages
}
