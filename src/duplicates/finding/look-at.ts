import type { Tx } from '../../platform/db/tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readRecords } from '../../records/lock.ts'
import { readRoots } from '../../records/root.ts'
import { considerFound, isRelated } from '../deciding/consider.ts'
import { readJudging } from '../deciding/judging.ts'
import { openProposals } from '../deciding/proposals.ts'
import { type Subject, subjectOf } from '../deciding/subjects.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { lookUpOthers } from './look-up.ts'

/**
 * Looks at records that changed: looks up who may be the same, and does what the org's settings say of those. Most records
 * are like no other, and nothing is proposed of them: then nothing is held, and nothing done. Of a record that was merged,
 * the one that stands for it is looked at.
 * @param mayMerge false: nothing is done about records of whom some are to be merged
 * @returns the ids of those
 */
export async function lookAt(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
  jobs: Jobs,
  mayMerge: boolean,
): Promise<Set<string>> {
  const type = recordTypes[entityType]
  const [judging, found, ofRecords] = await Promise.all([
    readJudging(tx, orgId, entityType),
    readRecords(tx, orgId, type, recordIds),
    openProposals(tx, orgId, entityType, recordIds),
  ])
  const merged = found.filter(({ status }) => status === 'merged').map(({ recordId }) => recordId)
  const roots = merged.length > 0 ? await readRoots(tx, orgId, entityType, merged) : new Map()
  const rootOf = (recordId: string): string => roots.get(recordId) ?? recordId
  const rootIds = [...new Set<string>(roots.values())]
  const [standing, ofRoots] =
    rootIds.length > 0
      ? await Promise.all([
          readRecords(tx, orgId, type, rootIds),
          openProposals(tx, orgId, entityType, rootIds),
        ])
      : [[], []]
  const records = new Map([...found, ...standing].map((record) => [record.recordId, record]))
  const asked = [...records.values()].filter(({ status }) => status === 'active')
  const { idsOf, records: others } = await lookUpOthers(tx, orgId, entityType, asked)
  const near = others.filter(({ status }) => status === 'active')
  const subjects = new Map<string, Subject>(
    [...asked, ...near].map((each) => [each.recordId, subjectOf(entityType, each, judging.matcher)]),
  )
  const proposed = new Set([...ofRecords, ...ofRoots].flatMap((each) => [each.survivor_id, each.loser_id]))
  const groups = recordIds.flatMap((recordId) => {
    const rootId = rootOf(recordId)
    const subject = subjects.get(rootId)
    const related = (idsOf.get(rootId) ?? []).filter((id) => {
      const other = subjects.get(id)
      return subject && other && isRelated(entityType, judging, subject, other)
    })
    const isDecided = related.length === 0 && !proposed.has(recordId) && !proposed.has(rootId)
    return isDecided ? [] : [[...new Set([recordId, rootId, ...related])]]
  })
  if (groups.length === 0) return new Set()
  const given = { matcher: judging.matcher, subjects, groups }
  const left = await considerFound(tx, orgId, entityType, given, jobs, mayMerge)
  return new Set(left.map(([recordId]) => recordId!))
}
