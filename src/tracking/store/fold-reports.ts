import { tryLockExclusive } from '../../platform/db/advisory-lock.ts'
import { FoldFloor, type FoldStep, notBelow, snapshotColumns } from '../../platform/db/fold-floor.ts'
import { repeatAfterCommits } from '../../platform/db/repeat-after-commits.ts'
import { rawSql, sql, unprepared } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { rest } from '../../platform/jobs/rest.ts'
import type { Log } from '../../platform/log.ts'
import { type KeyCounts, type Place, placeCounts } from './report-keys.ts'

const intervalMs = 500
/** One step must not block the thread for long: a hostile page sends a new key with each event. */
const deltasMax = 2_000

/** The sum of some differences, with the step that read them. `rows` and `last` describe this sum. */
type Delta = Place & { key: string; hour: number; n: number } & FoldStep

/**
 * Adds the oldest differences to the totals of reports. One transaction folds at a time: the subtraction of a
 * key must be folded after its addition.
 * @returns whether more differences wait
 */
export async function foldReportsOnce(scope: SystemScope, floor = new FoldFloor()): Promise<boolean> {
  const { from } = floor
  // Planning the statement below takes longer than asking whether there is anything to fold.
  const waiting = await scope.readRows(
    sql`select from web_report_delta where ${notBelow(from)} order by delta_id limit 1`,
  )
  if (waiting.length === 0) return false
  const step = await scope.transact(async (tx) => {
    if (!(await tryLockExclusive(tx, 'folding reports'))) return null
    const deltas = await takeDeltas(tx, from)
    if (deltas.length === 0) return null
    const [stored, sizes] = await Promise.all([readKeys(tx, deltas), readSizes(tx, deltas)])
    await store(tx, placeCounts(deltas, stored, sizes))
    return stepOf(deltas)
  })
  if (step === null) return false
  floor.note(step, deltasMax)
  return step.rows >= deltasMax
}

/** The step that took all these differences. */
function stepOf(deltas: readonly Delta[]): FoldStep {
  const [first] = deltas
  return {
    rows: deltas.reduce((sum, { rows }) => sum + rows, 0),
    last: deltas.reduce((max, { last }) => Math.max(max, last), 0),
    ...{ xmin: first?.xmin ?? 0, xmax: first?.xmax ?? 0 },
  }
}

/**
 * Folds twice a second, until the returned function is called. Many processes can run this at once. While more differences
 * wait, it rests after each step as long as the step took.
 */
export function foldReports(scope: SystemScope, log: Log): () => Promise<void> {
  const floor = new FoldFloor()
  return repeatAfterCommits(
    scope,
    { everyMs: intervalMs },
    async (stopping) => {
      for (;;) {
        const startedAt = performance.now()
        if (!(await foldReportsOnce(scope, floor)) || stopping()) return
        await rest(performance.now() - startedAt)
      }
    },
    (error) =>
      log.warn({ err: error }, 'reports of web pages were not folded; they stay exact, and are folded later'),
  )
}

/** Deletes the oldest differences, and returns their sums. The statement is planned each time: the table can be empty or full. */
function takeDeltas(tx: Tx, from: number): Promise<Delta[]> {
  return tx.rows(
    unprepared(sql<Delta>`
      with taken as (
        delete from web_report_delta
        where ctid = any(array(
          select ctid from web_report_delta where ${notBelow(from)} order by delta_id limit ${rawSql(String(deltasMax))}))
        returning org_id, dimension, hour at time zone 'UTC' as hour, key, n, delta_id
      )
      select org_id, dimension, hour::date::text as day, key, extract(hour from hour)::int as hour, sum(n)::bigint as n,
        count(*)::int as rows, max(delta_id) as last, ${rawSql(snapshotColumns)}
      from taken group by 1, 2, 3, 4, 5`),
  )
}

/** The stored numbers of the keys of some differences. */
function readKeys(tx: Tx, deltas: readonly Delta[]): Promise<KeyCounts[]> {
  return tx.rows(sql<KeyCounts>`
    select r.org_id, r.dimension, r.day::text as day, r.key, to_json(r.by_hour) as by_hour
    from (
      select * from unnest(${deltas.map((each) => each.org_id)}::uuid[], ${deltas.map((each) => each.dimension)}::text[],
        ${deltas.map((each) => each.day)}::date[], ${deltas.map((each) => each.key)}::text[])
      union select org_id, dimension, day, '' from unnest(${deltas.map((each) => each.org_id)}::uuid[],
        ${deltas.map((each) => each.dimension)}::text[], ${deltas.map((each) => each.day)}::date[])
        as p (org_id, dimension, day)
    ) as d (org_id, dimension, day, key)
    join web_report r using (org_id, dimension, day, key)`)
}

/** How many keys each organization, dimension and day of some differences has. */
function readSizes(tx: Tx, deltas: readonly Delta[]): Promise<(Place & { keys: number })[]> {
  return tx.rows(sql<Place & { keys: number }>`
    select p.org_id, p.dimension, p.day::text as day, (
      select count(*)::int from web_report r
      where r.org_id = p.org_id and r.dimension = p.dimension and r.day = p.day and r.key <> ''
    ) as keys
    from (
      select distinct * from unnest(${deltas.map((each) => each.org_id)}::uuid[],
        ${deltas.map((each) => each.dimension)}::text[], ${deltas.map((each) => each.day)}::date[])
    ) as p (org_id, dimension, day)`)
}

/** Stores the numbers of keys. Keys whose numbers are all 0 are deleted. */
async function store(tx: Tx, keys: readonly KeyCounts[]): Promise<void> {
  const of = <Field extends keyof KeyCounts>(field: Field) => keys.map((each) => each[field])
  const sent = sql`unnest(${of('org_id')}::uuid[], ${of('dimension')}::text[], ${of('day')}::date[], ${of('key')}::text[],
    ${keys.map(({ by_hour }) => by_hour.reduce((sum, n) => sum + n, 0))}::bigint[],
    ${keys.map(({ by_hour }) => `{${by_hour.join()}}`)}::text[]) as s (org_id, dimension, day, key, n, by_hour)`
  await tx.run(sql`
    insert into web_report as r (org_id, dimension, day, key, n, by_hour)
    select org_id, dimension, day, key, n, by_hour::bigint[] from ${sent} where n <> 0
    on conflict (org_id, dimension, day, key) do update set n = excluded.n, by_hour = excluded.by_hour`)
  await tx.run(sql`
    delete from web_report r using ${sent}
    where s.n = 0 and r.org_id = s.org_id and r.dimension = s.dimension and r.day = s.day and r.key = s.key`)
}
