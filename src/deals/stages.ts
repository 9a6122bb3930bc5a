import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import { keyHash } from '../records/keys.ts'

export type Stages = { stages: string[]; version: number }

/** Who writes deals holds this together with others, who changes the stages alone. */
const lockOf = (orgId: string) => keyHash({ kind: 'deal stages', value: orgId })

/** The stages that deals of the org may be in, in their order. */
export async function readStages(tx: Tx, orgId: string): Promise<Stages> {
  const row = await tx.first<Stages>({
    text: 'select stages, version from deal_pipeline where org_id = $1',
    values: [orgId],
  })
  if (!row) throw conflict('This organization no longer exists')
  return row
}

/** The same; none of them is dropped until the transaction ends. */
export async function holdStages(tx: Tx, orgId: string): Promise<string[]> {
  const [, { stages }] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock_shared($1::bigint)', values: [lockOf(orgId)] }),
    readStages(tx, orgId),
  ])
  return stages
}

/** The same, alone: nobody writes deals until the transaction ends. */
export async function holdStagesAlone(tx: Tx, orgId: string): Promise<Stages> {
  const [, stages] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lockOf(orgId)] }),
    readStages(tx, orgId),
  ])
  return stages
}
