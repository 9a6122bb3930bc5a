import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { repeat } from '../../platform/repeat.ts'
import { entityTypes } from '../entities.ts'
import { lookAtImported } from './after-import.ts'
import { type Check, endChecks, holdChecks, orgsWithChecks, putOff, takeChecks } from './checks.ts'
import { lookAt } from './look-at.ts'

// NOTIFY would have every writer wait at its commit for those before it; four looks a second at an empty table cost nothing.
const lookMs = 250
const lotSize = 50
const triesMost = 8

type RecordCheck = Check & { recordId: string }

/**
 * Looks at records that changed, soon after they did, and does what the org's settings say of their duplicates. Orgs take
 * turns, a lot of records each. Any number of processes may do so at once. Returns how to stop.
 */
export function checkDuplicates(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    lookMs,
    (stopping) => checkAll(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'changed records were not looked at for duplicates; later'),
  )
}

/** Looks at all records that are due, until there are none. @throws what kept it from an org, once all others had their turns */
export async function checkAll(
  scope: SystemScope,
  context: Context,
  stopping: () => boolean = () => false,
): Promise<void> {
  const failed = new Map<string, unknown>()
  const due = async () => (await orgsWithChecks(scope)).filter((orgId) => !failed.has(orgId))
  for (let orgIds = await due(); orgIds.length > 0; orgIds = await due()) {
    let taken = 0
    for (const orgId of orgIds) {
      if (stopping()) return
      try {
        taken += await checkLot(context.database.org(orgId), context)
      } catch (error) {
        failed.set(orgId, error)
      }
    }
    // Others have them.
    if (taken === 0) break
  }
  for (const error of failed.values()) throw error
}

/** Looks at a lot of an org's changed records; how many there were. */
export async function checkLot(org: Org, context: Context): Promise<number> {
  const { orgId } = org
  const { checks, left } = await org
    .transact(async (tx) => {
      const checks = await holdChecks(tx, orgId, lotSize)
      const left = new Set(checks.length > 0 ? await checkTogether(tx, orgId, checks, context) : [])
      const done = checks.filter((check) => !left.has(check))
      const [taken] = await Promise.all([takeChecks(tx, orgId, [...left]), endChecks(tx, orgId, done)])
      return { checks, left: taken }
    })
    .catch(async (error) => {
      if (isUnavailable(error)) throw error
      // One that fails holds up no other: then each by itself.
      const take = async (tx: Tx) => takeChecks(tx, orgId, await holdChecks(tx, orgId, lotSize))
      const taken = await org.transact(take)
      return { checks: taken, left: taken }
    })
  for (const each of left.filter(isOfImport)) await checkImport(org, context, each)
  const ofRecords = Map.groupBy(left.filter(isOfRecord), ({ recordId }) => recordId)
  for (const each of ofRecords.values()) await checkRecord(org, context, each)
  return checks.length
}

const isOfRecord = (check: Check): check is RecordCheck => check.recordId !== null
const isOfImport = (check: Check): boolean => check.importId !== null

/** Looks at all records of a lot but those that are to be merged: each merge has a transaction of its own. Returns what is left. */
async function checkTogether(
  tx: Tx,
  orgId: string,
  checks: readonly Check[],
  { jobs }: Context,
): Promise<Check[]> {
  const left = checks.filter(isOfImport)
  for (const entityType of entityTypes) {
    const some = checks.filter(isOfRecord).filter((check) => check.entityType === entityType)
    if (some.length === 0) continue
    const recordIds = [...new Set(some.map(({ recordId }) => recordId))]
    const merging = await lookAt(tx, orgId, entityType, recordIds, jobs, false)
    left.push(...some.filter(({ recordId }) => merging.has(recordId)))
  }
  return left
}

async function checkImport(org: Org, context: Context, check: Check): Promise<void> {
  try {
    await org.transact(async (tx) => {
      await lookAtImported(tx, org.orgId, check.entityType, check.importId!, context.jobs)
      await endChecks(tx, org.orgId, [check])
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    await giveUpOrPutOff(org, context, [check], error)
  }
}

async function checkRecord(org: Org, context: Context, checks: readonly RecordCheck[]): Promise<void> {
  const { entityType, recordId } = checks[0]!
  try {
    await org.transact(async (tx) => {
      await lookAt(tx, org.orgId, entityType, [recordId], context.jobs, true)
      await endChecks(tx, org.orgId, checks)
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    await giveUpOrPutOff(org, context, checks, error)
  }
}

/** A record that cannot be looked at holds up no other: it is tried again later, and in the end left to the next scan. */
async function giveUpOrPutOff(
  org: Org,
  { log }: Context,
  checks: readonly Check[],
  error: unknown,
): Promise<void> {
  const tries = Math.max(...checks.map((check) => check.tries))
  const about = { err: error, org_id: org.orgId, tries }
  if (tries < triesMost) {
    log.warn(about, 'a record could not be looked at for duplicates; it will be tried again')
    await org.transact((tx) => putOff(tx, org.orgId, checks, 2 ** tries))
  } else {
    log.error(about, 'a record could not be looked at for duplicates; it is left to the next scan')
    await org.transact((tx) => endChecks(tx, org.orgId, checks))
  }
}
