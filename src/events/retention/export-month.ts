import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql, unprepared } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { type Exported, type Month, renewClaim } from './months.ts'

const rowsAtOnce = 1_000
const renewEveryMs = 60_000

type Line = { org_id: string; event_id: string; line: string }

/** The events of a month as lines of JSON, in the order of organizations and ids. Counts them by organization. */
async function* linesOf(
  scope: SystemScope,
  month: Month,
  counts: Record<string, number>,
  stopping: () => boolean,
): AsyncGenerator<string> {
  let renewedAt = performance.now()
  let last = {
    org_id: '00000000-0000-0000-0000-000000000000',
    event_id: '00000000-0000-0000-0000-000000000000',
  }
  for (;;) {
    if (stopping()) throw new Error('the process stops')
    if (performance.now() - renewedAt > renewEveryMs) {
      await scope.transact((tx) => renewClaim(tx, month))
      renewedAt = performance.now()
    }
    // Unprepared: PostgreSQL knows the month when it plans, and reads its primary key in order.
    const rows = await scope.readRows(
      unprepared(sql<Line>`
        select e.org_id, e.event_id, row_to_json((select line from (
          select e.event_id, e.org_id, e.type, e.object_id, e.mode, e.api_key_id, e.member_id, e.connected_app_id,
            e.by_operator, e.changed, e.data, e.traceparent, e.created_at) as line))::text || E'\n' as line
        from event e
        where e.event_id >= ${month.firstId}::uuid and e.event_id < ${month.untilId}::uuid
          and (e.org_id, e.event_id) > (${last.org_id}::uuid, ${last.event_id}::uuid)
        order by e.org_id, e.event_id limit ${rowsAtOnce}`),
    )
    for (const row of rows) counts[row.org_id] = (counts[row.org_id] ?? 0) + 1
    yield rows.map(({ line }) => line).join('')
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)!
  }
}

const rowsIn = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The file of a month: `events-2026-11.jsonl.gz`, or `events-before-months.jsonl.gz`. */
export const fileOf = (folder: string, { name }: Month): string =>
  join(folder, `events-${name.replace(/^m(?=\d)/, '').replace('_', '-')}.jsonl.gz`)

/**
 * Writes the events of a month to a file in `folder`, and reads the file again.
 * @param folder null: only counts the events
 * @throws Error if the file cannot be written, or does not have the expected lines
 */
export async function exportMonth(
  scope: SystemScope,
  month: Month,
  { folder, late, stopping }: { folder: string | null; late: number; stopping: () => boolean },
): Promise<Exported> {
  const counts: Record<string, number> = {}
  const lines = linesOf(scope, month, counts, stopping)
  if (folder === null) {
    for await (const _ of lines);
    return { late, file: null, sha256: null, rows: rowsIn(counts), counts }
  }
  const file = fileOf(folder, month)
  const partial = `${file}.partial`
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(Readable.from(lines), createGzip(), hashed, createWriteStream(partial, { mode: 0o600 }))
  await sync(partial)
  await rename(partial, file)
  // The month is dropped next: a crash of the machine must not lose the new name.
  await sync(folder)
  const done = { late, file, sha256: hash.digest('hex'), rows: rowsIn(counts), counts }
  await verifyExport(done)
  return done
}

/** Waits until a file, or the names in a folder, are on the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Reads the file of an export again. @throws Error if it is missing, or was changed, or has another number of lines */
export async function verifyExport({ file, sha256, rows }: Exported): Promise<void> {
  if (file === null) return
  const hash = createHash('sha256')
  let lines = 0
  const source = createReadStream(file)
  source.on('data', (chunk) => hash.update(chunk))
  await pipeline(source, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks)
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  })
  if (hash.digest('hex') !== sha256 || lines !== rows)
    throw new Error(
      `${file} is not the export that was written: it has ${lines} lines, and should have ${rows}`,
    )
}
