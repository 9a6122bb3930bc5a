import { z } from 'zod'
import { entityTypes } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { runTurn } from '../../platform/jobs/run-turn.ts'
import { minUuid } from '../../records/min-uuid.ts'
import type { RecordType, Referrer } from '../../records/record-type.ts'
import { lockCanonical } from '../../records/references.ts'
import { moveBatch, moveReferrers, type ReferenceMove } from '../../records/referrers.ts'
import { recordTypes } from '../entities.ts'

/**
 * A request moves at most this many references. If there are more, a job moves them: the request would hold its locks
 * for too long.
 */
const movedAtOnceMax = 10_000

/**
 * Moves references to a record whose canonical record changed in a merge or an undo. For more than 10,000 referrers,
 * enqueues a job. Until the job ends, reads replace the ids (records/pending-moves.ts).
 * @returns the number of referrers
 */
export async function moveReferencesOrEnqueue(
  tx: OrgTx,
  type: RecordType,
  move: ReferenceMove,
  mergeId: string,
  jobs: Jobs,
): Promise<number> {
  const referrers = await countReferrers(tx, type, move.from, move.rawIds)
  if (referrers <= movedAtOnceMax) return moveReferrers(tx, type, move)
  await insertPendingMove(tx, type, mergeId, move)
  await jobs.enqueue(tx, moveReferences, {
    org_id: tx.orgId,
    merge_id: mergeId,
    entity_type: type.entity,
    api_key_id: tx.actor.apiKeyId,
    member_id: tx.actor.memberId,
    mode: tx.actor.mode,
  })
  return referrers
}

/** Returns the ids that have referrers. Absorbed referrers count. */
export async function referredAmong(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const found = await Promise.all(
    type.referrers.map(({ entity, column, table }) =>
      tx.rows(sql<{ id: string }>`
        select about.id from unnest(${recordIds}::uuid[]) as about (id)
        where exists (
          select from ${rawSql(table ?? entity)} l where l.org_id = ${tx.orgId} and l.${rawSql(column)} = about.id offset 0)`),
    ),
  )
  return new Set(found.flat().map(({ id }) => id))
}

/**
 * Counts the referrers of a record; absorbed referrers do not count.
 * @param rawIds counts only references that were written with one of these ids; null: all
 */
export async function countReferrers(
  tx: OrgTx,
  type: RecordType,
  recordId: string,
  rawIds: readonly string[] | null = null,
): Promise<number> {
  const counts = await Promise.all(
    type.referrers.map((referrer) => {
      const [column, rawColumn] = [rawSql(referrer.column), rawSql(referrer.rawColumn)]
      const [table, id] = [rawSql(referrer.entity), rawSql(`${referrer.entity}_id`)]
      const named = rawIds === null ? sql`` : sql`and l.${rawColumn} = any(${rawIds}::uuid[])`
      const refers = sql`l.org_id = ${tx.orgId} and l.${column} = ${recordId} ${named}`
      return tx.first(
        referrer.table
          ? sql<{ referrers: number }>`
            select count(distinct l.${id})::int as referrers from ${rawSql(referrer.table)} l
            join ${table} r on r.org_id = l.org_id and r.${id} = l.${id} and r.status <> 'merged'
            where ${refers}`
          : sql<{ referrers: number }>`
            select count(*)::int as referrers from ${table} l where ${refers} and l.status <> 'merged'`,
      )
    }),
  )
  return counts.reduce((sum, row) => sum + (row?.referrers ?? 0), 0)
}

const payload = z.object({
  org_id: z.string(),
  merge_id: z.string(),
  entity_type: z.enum(entityTypes),
  api_key_id: z.string().nullable(),
  member_id: z.string().nullable().default(null),
  mode: z.enum(['live', 'test']),
  // Where this turn begins: at a type of referrers, after an id. The first turn has no place.
  place: z
    .object({ version: z.string().regex(/^\d+$/), referrer: z.int().min(0), after: z.guid() })
    .optional(),
})

/** Moves each batch in its own transaction, in turns of a second. After a crash, it moves the rest. */
export const moveReferences: Job<z.output<typeof payload>> = job({
  name: 'move_children',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, entity_type: type }) => `children of ${type} ${orgId}`,
  run: async (work) => {
    const { payload } = work
    const { org_id: orgId, merge_id: mergeId, entity_type: entityType, mode } = payload
    const type = recordTypes[entityType]
    const org = work.org(orgId, { mode, apiKeyId: payload.api_key_id, memberId: payload.member_id })
    const version = await org.read((tx) => pendingMoveVersion(tx, mergeId))
    if (version === null) return
    let place = payload.place ?? { version, referrer: 0, after: minUuid }
    // An undo or redo has replaced the move, and has enqueued a job of its own.
    if (place.version !== version) return
    const step = async () => {
      const referrer = type.referrers[place.referrer]
      if (referrer) {
        const last = await org.transact((tx) => moveNext(tx, type, mergeId, referrer, place.after))
        if (last === null) place = { version, referrer: place.referrer + 1, after: minUuid }
        else place = { ...place, after: last }
        return false
      }
      await org.transact((tx) => deletePendingMove(tx, mergeId, version))
      return true
    }
    await runTurn(work, step, () => ({ ...payload, place }))
  },
})

/** Moves the next references of a type of referrers. Returns the id after which the next step continues; null: none is left. */
async function moveNext(
  tx: OrgTx,
  type: RecordType,
  mergeId: string,
  referrer: Referrer,
  after: string,
): Promise<string | null> {
  let last: string | null = null
  for (const move of await lockPendingMoves(tx, type, mergeId)) {
    const batch = await moveBatch(tx, referrer, move, after)
    if (batch.last !== null && (last === null || batch.last < last)) last = batch.last
  }
  return last
}

async function insertPendingMove(
  tx: OrgTx,
  type: RecordType,
  mergeId: string,
  { from, rawIds }: Pick<ReferenceMove, 'from' | 'rawIds'>,
): Promise<void> {
  await tx.run(sql`
    insert into child_move (org_id, entity, from_id, merge_id, raw_ids)
    values (${tx.orgId}, ${type.entity}, ${from}, ${mergeId}, ${rawIds})
    on conflict (org_id, merge_id) do update set from_id = excluded.from_id, raw_ids = excluded.raw_ids`)
}

/**
 * Reads and locks the canonical records of a merge's pending moves. Other merges and undos may have changed them
 * since the move was stored.
 */
async function lockPendingMoves(tx: OrgTx, type: RecordType, mergeId: string): Promise<ReferenceMove[]> {
  const row = await tx.first(sql<{ from_id: string; raw_ids: string[] }>`
    select from_id, raw_ids from child_move where org_id = ${tx.orgId} and merge_id = ${mergeId}`)
  if (!row) return []
  const canonicalIds = await lockCanonical(tx, type.entity, row.raw_ids)
  return [...Map.groupBy(canonicalIds, ([, to]) => to)]
    .filter(([to]) => to !== row.from_id)
    .map(([to, named]) => ({ rawIds: named.map(([rawId]) => rawId), from: row.from_id, to }))
}

/** Returns the version of the pending move; null: none. Each undo and redo of the merge changes the version. */
async function pendingMoveVersion(tx: OrgTx, mergeId: string): Promise<string | null> {
  const row = await tx.first(sql<{ version: string }>`
    select xmin::text as version from child_move where org_id = ${tx.orgId} and merge_id = ${mergeId}`)
  return row?.version ?? null
}

/** Deletes the pending move, unless a later undo or redo has replaced it. */
async function deletePendingMove(tx: OrgTx, mergeId: string, version: string): Promise<void> {
  await tx.run(sql`
    delete from child_move where org_id = ${tx.orgId} and merge_id = ${mergeId} and xmin::text = ${version}`)
}
