import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeat } from '../../platform/repeat.ts'
import type { EntityType } from '../entities.ts'
import { orgsWithoutKeys } from '../key-versions.ts'
import { beforeAll, noteKeys, writeMissingKeys } from './records.ts'

const lookMs = 10_000
const keysPerLot = 500

/**
 * Writes the match keys of orgs whose records are older than these, soon after the start. Any number of processes may do so
 * at once, and scans as well: what is there already is left. Returns how to stop.
 */
export function fillMatchKeys(scope: SystemScope, context: Context): () => Promise<void> {
  let stopping = false
  const stop = repeat(
    lookMs,
    () => fillAll(scope, context, () => stopping),
    (error) => context.log.warn({ err: error }, 'match keys were not written; later'),
  )
  return () => {
    stopping = true
    return stop()
  }
}

/** Writes all match keys that are missing. */
export async function fillAll(
  scope: SystemScope,
  { database, log }: Pick<Context, 'database' | 'log'>,
  stopping: () => boolean = () => false,
): Promise<void> {
  for (const { orgId, entityType } of await orgsWithoutKeys(scope)) {
    await fill(database.org(orgId), entityType, stopping)
    if (stopping()) return
    log.info({ org_id: orgId, entity: entityType }, 'match keys are written')
  }
}

async function fill(org: Org, entityType: EntityType, stopping: () => boolean): Promise<void> {
  for (let after: string | null = beforeAll; after !== null; ) {
    if (stopping()) return
    const from: string = after
    after = await org.transact((tx) => writeMissingKeys(tx, org.orgId, entityType, from, keysPerLot))
  }
  await org.transact((tx) => noteKeys(tx, org.orgId, entityType))
}
