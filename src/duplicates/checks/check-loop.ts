import { entityTypes } from '../../matching/entity-type.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { repeatAfterCommits } from '../../platform/db/repeat-after-commits.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { SlowLanes } from '../../platform/slow-lanes.ts'
import { checkImported } from './after-import.ts'
import { checkRecords } from './check-records.ts'
import {
  type Check,
  claimChecks,
  countChecks,
  type DueOrg,
  deleteChecks,
  lockChecks,
  orgsWithChecks,
  postponeChecks,
} from './checks.ts'
import { Turns } from './turns.ts'

// Poll: with NOTIFY, the commits of writers would wait for each other.
const pollMs = 250
const batchSize = 50
/** After this time, organizations with new checks get their turn. */
const roundMs = 1_000
const triesMax = 8
/** A batch that takes longer probably waits for a lock. The batches of other organizations then begin. */
const patienceMs = 500

type RecordCheck = Check & { recordId: string }
type ImportCheck = Check & { importId: string }

/**
 * Checks changed records in the background. Payers alternate, one batch at a time, and so do the organizations of one
 * payer. Many processes can run this at once.
 * @returns a function that stops it
 */
export function checkDuplicates(scope: SystemScope, context: Context): () => Promise<void> {
  const lanes = new SlowLanes(patienceMs)
  const stop = repeatAfterCommits(
    scope,
    { everyMs: pollMs },
    async (stopping) => {
      await checkRound(scope, context, lanes, stopping)
      // The remaining checks run in another process, or are due later.
      return (await countChecks(scope, 1)) > 0 ? 'unfinished' : 'finished'
    },
    (error) => warn(context, error),
  )
  return async () => {
    await stop()
    await lanes.end()
  }
}

const warn = ({ log }: Context, error: unknown) =>
  log.warn({ err: error }, 'changed records were not checked for duplicates; retrying')

/** Runs all due checks. @throws the errors of failed orgs, after all other orgs are done */
export async function checkAll(scope: SystemScope, context: Context): Promise<void> {
  const lanes = new SlowLanes(patienceMs)
  for (let left = true; left; ) {
    await checkRound(scope, context, lanes)
    left = lanes.busy.length > 0
    await lanes.end()
  }
}

/**
 * Runs due checks. Returns when only slow organizations have any left; their batches continue.
 * @throws an error of an organization, after all others are done
 */
async function checkRound(
  scope: SystemScope,
  context: Context,
  lanes: SlowLanes,
  stopping: () => boolean = () => false,
): Promise<void> {
  const failed = new Map<string, unknown>()
  let isOver = false
  const turns = new Turns()
  const mayRun = ({ orgId, payerId }: DueOrg) =>
    !failed.has(orgId) && !lanes.busy.includes(orgId) && !lanes.busyPayers.includes(payerId)
  const due = async () => (await orgsWithChecks(scope)).filter(mayRun)
  for (let waiting = await due(); waiting.length > 0; waiting = await due()) {
    const end = performance.now() + roundMs
    let claimed = 0
    /** The organizations without further checks. */
    const emptied = new Set<string>()
    for (const each of turns.order(waiting)) {
      const { orgId } = each
      if (stopping()) return
      if (claimed > 0 && performance.now() >= end) break
      if (emptied.has(orgId) || !mayRun(each)) continue
      turns.note(each)
      await lanes.run({ orgId, payer: each.payerId }, async () => {
        try {
          const some = await checkBatch(context.database.org(orgId), context)
          claimed += some
          if (some < batchSize) emptied.add(orgId)
        } catch (error) {
          failed.set(orgId, error)
          if (isOver) warn(context, error)
        }
      })
    }
    // Other processes have claimed the rest.
    if (claimed === 0) break
  }
  isOver = true
  for (const error of failed.values()) throw error
}

/** Runs the next due checks of an organization, at most 50. Returns how many this process claimed. */
export async function checkBatch(org: Org, context: Context): Promise<number> {
  const { checks, left } = await org
    .transact(async (tx) => {
      const checks = await lockChecks(tx, batchSize)
      const left = new Set(checks.length > 0 ? await checkTogether(tx, checks, context) : [])
      const done = checks.filter((check) => !left.has(check))
      const [claimed] = await Promise.all([claimChecks(tx, [...left]), deleteChecks(tx, done)])
      return { checks, left: claimed }
    })
    .catch(async (error) => {
      if (isUnavailable(error)) throw error
      // A check failed. Run each check alone, so that the failing one does not block the others.
      const claim = async (tx: OrgTx) => claimChecks(tx, await lockChecks(tx, batchSize))
      const claimed = await org.transact(claim)
      return { checks: claimed, left: claimed }
    })
  for (const check of left.filter(isOfImport))
    await runAlone(org, context, [check], (tx) =>
      checkImported(tx, check.entityType, check.importId, context.jobs),
    )
  const ofRecords = Map.groupBy(left.filter(isOfRecord), ({ recordId }) => recordId)
  for (const [recordId, [first, ...others]] of ofRecords)
    if (first)
      await runAlone(org, context, [first, ...others], (tx) =>
        checkRecords(tx, first.entityType, [recordId], context.jobs, true),
      )
  return checks.length
}

const isOfRecord = (check: Check): check is RecordCheck => check.recordId !== null
const isOfImport = (check: Check): check is ImportCheck => check.importId !== null

/**
 * Runs a batch of checks in one transaction.
 * @returns the checks that need a merge, which needs a transaction of its own
 */
async function checkTogether(tx: OrgTx, checks: readonly Check[], { jobs }: Context): Promise<Check[]> {
  const left: Check[] = checks.filter(isOfImport)
  for (const entityType of entityTypes) {
    const some = checks.filter(isOfRecord).filter((check) => check.entityType === entityType)
    if (some.length === 0) continue
    const recordIds = [...new Set(some.map(({ recordId }) => recordId))]
    const merging = await checkRecords(tx, entityType, recordIds, jobs, false)
    left.push(...some.filter(({ recordId }) => merging.has(recordId)))
  }
  return left
}

/** Runs `run`, which does these checks, in a transaction of its own. */
async function runAlone(
  org: Org,
  context: Context,
  checks: readonly Check[],
  run: (tx: OrgTx) => Promise<unknown>,
): Promise<void> {
  try {
    await org.transact(async (tx) => {
      await run(tx)
      await deleteChecks(tx, checks)
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    await postponeOrDelete(org, context, checks, error)
  }
}

/** Postpones failed checks. After 8 attempts a check is deleted; the next scan finds the record. */
async function postponeOrDelete(
  org: Org,
  { log }: Context,
  checks: readonly Check[],
  error: unknown,
): Promise<void> {
  const tries = Math.max(...checks.map((check) => check.tries))
  const about = { err: error, org_id: org.orgId, tries }
  if (tries < triesMax) {
    log.warn(about, 'a check for duplicates failed; retrying later')
    await org.transact((tx) => postponeChecks(tx, checks, 2 ** tries))
  } else {
    log.error(about, 'a check for duplicates failed 8 times; the next scan will compare the record')
    await org.transact((tx) => deleteChecks(tx, checks))
  }
}
