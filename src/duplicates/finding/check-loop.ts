import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeat } from '../../platform/repeat.ts'
import { readRecords, type Stored } from '../../records/lock.ts'
import { isRelated, reconsider } from '../deciding/consider.ts'
import { readJudging } from '../deciding/judging.ts'
import { openProposals } from '../deciding/proposals.ts'
import { type Subject as Drawn, standingFor, subjectOf } from '../deciding/subjects.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { lookAtImported } from './after-import.ts'
import { type Check, endChecks, losable, orgsWithChecks, putOff, takeChecks } from './checks.ts'
import { lookUpOthers } from './look-up.ts'

// NOTIFY would have every writer wait at its commit for those before it; four looks a second at an empty table cost nothing.
const lookMs = 250
const lotSize = 50
const triesMost = 8

type RecordCheck = Check & { recordId: string }

/** A record that is to be looked at: the notes that say so, and whom it is to be compared with. */
type Subject = { recordId: string; checks: Check[]; others: string[] }

/**
 * Looks at records that changed, soon after they did, and does what the org's settings say of their duplicates. Orgs take
 * turns, a lot of records each. Any number of processes may do so at once. Returns how to stop.
 */
export function checkDuplicates(scope: SystemScope, context: Context): () => Promise<void> {
  let stopping = false
  const stop = repeat(
    lookMs,
    () => checkAll(scope, context, () => stopping),
    (error) => context.log.warn({ err: error }, 'changed records were not looked at for duplicates; later'),
  )
  return () => {
    stopping = true
    return stop()
  }
}

/** Looks at all records that are due, until there are none. */
export async function checkAll(
  scope: SystemScope,
  context: Context,
  stopping: () => boolean = () => false,
): Promise<void> {
  for (let orgIds = await orgsWithChecks(scope); orgIds.length > 0; orgIds = await orgsWithChecks(scope)) {
    let taken = 0
    for (const orgId of orgIds) {
      if (stopping()) return
      taken += await checkLot(context.database.org(orgId), context)
    }
    // Others have them.
    if (taken === 0) return
  }
}

/** Looks at a lot of an org's changed records; how many there were. */
export async function checkLot(org: Org, context: Context): Promise<number> {
  const checks = await org.transact((tx) => takeChecks(tx, org.orgId, lotSize))
  for (const [entityType, some] of Map.groupBy(checks, (check) => check.entityType)) {
    for (const check of some) if (check.importId !== null) await checkImport(org, context, check)
    const ofRecords = some.filter((check): check is RecordCheck => check.recordId !== null)
    if (ofRecords.length > 0) await checkRecords(org, context, entityType, ofRecords)
  }
  return checks.length
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

async function checkRecords(
  org: Org,
  context: Context,
  entityType: EntityType,
  checks: readonly RecordCheck[],
): Promise<void> {
  const { alone, together } = await sort(org, entityType, checks)
  if (alone.length > 0)
    await org.transact((tx) => Promise.all([losable(tx), endChecks(tx, org.orgId, alone)]))
  for (const { recordId, checks, others } of together) {
    try {
      await org.transact(async (tx) => {
        await reconsider(tx, org.orgId, entityType, recordId, others, context.jobs)
        await endChecks(tx, org.orgId, checks)
      })
    } catch (error) {
      if (isUnavailable(error)) throw error
      await giveUpOrPutOff(org, context, checks, error)
    }
  }
}

/** What there is to do: most records are like no other, and nothing is proposed of them. */
async function sort(
  org: Org,
  entityType: EntityType,
  checks: readonly RecordCheck[],
): Promise<{ alone: Check[]; together: Subject[] }> {
  const { orgId } = org
  const byRecord = Map.groupBy(checks, ({ recordId }) => recordId)
  const recordIds = [...byRecord.keys()]
  const type = recordTypes[entityType]
  return org.read(async (tx) => {
    const [judging, found, ofRecords] = await Promise.all([
      readJudging(tx, orgId, entityType),
      readRecords(tx, orgId, type, recordIds),
      openProposals(tx, orgId, entityType, recordIds),
    ])
    const merged = found.filter(({ status }) => status === 'merged').map(({ recordId }) => recordId)
    const roots = merged.length > 0 ? await standingFor(tx, orgId, entityType, merged) : new Map()
    const rootOf = (recordId: string): string => roots.get(recordId) ?? recordId
    const [standing, ofRoots] =
      merged.length > 0
        ? await Promise.all([
            readRecords(tx, orgId, type, [...new Set<string>(roots.values())]),
            openProposals(tx, orgId, entityType, [...new Set<string>(roots.values())]),
          ])
        : [[], []]
    const active = [...found, ...standing].filter(({ status }) => status === 'active')
    const othersOf = await lookUpOthers(tx, orgId, entityType, active)
    const drawn = new Map<string, Drawn>()
    const draw = (records: readonly Stored[]) => {
      for (const each of records) drawn.set(each.recordId, subjectOf(entityType, each, judging.matcher))
    }
    draw(active)
    const unread = new Set([...othersOf.values()].flat().filter((id) => !drawn.has(id)))
    // Whoever has keys stands for itself.
    if (unread.size > 0) draw(await readRecords(tx, orgId, type, [...unread]))
    const proposals = [...ofRecords, ...ofRoots]
    const proposed = new Set(proposals.flatMap((each) => [each.survivor_id, each.loser_id]))
    const alone: Check[] = []
    const together: Subject[] = []
    for (const [recordId, ofRecord] of byRecord) {
      const subject = drawn.get(rootOf(recordId))
      const related = (othersOf.get(rootOf(recordId)) ?? []).filter((id) => {
        const other = drawn.get(id)
        return subject && other && isRelated(entityType, judging, subject, other)
      })
      if (related.length > 0 || proposed.has(recordId) || proposed.has(rootOf(recordId)))
        together.push({ recordId, checks: ofRecord, others: related })
      else alone.push(...ofRecord)
    }
    return { alone, together }
  })
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
