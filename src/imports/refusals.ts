import { toCell } from '../csv/cell.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from '../platform/http/list.ts'
import { findImport } from './imports.ts'
import type { RowRefusal } from './prepare.ts'
import type { Import, Refusal } from './schema.ts'

const reasonLengthMax = 1_000

/** Stores refused rows, each reason with at most 1,000 characters. */
export async function saveRefusals(
  tx: OrgTx,
  importId: string,
  refused: readonly RowRefusal[],
): Promise<void> {
  const lines = refused.map(({ line }) => line)
  const codes = refused.map(({ code }) => code)
  const reasons = refused.map(({ reason }) => reason.slice(0, reasonLengthMax))
  await tx.run(sql`
    insert into import_refusal (org_id, import_id, line, code, reason)
    select ${tx.orgId}, ${importId}, r.line, r.code, r.reason
    from unnest(${lines}::bigint[], ${codes}::text[], ${reasons}::text[]) as r (line, code, reason)`)
}

/**
 * The refused rows in the order of the file.
 * @param admit throws an error if the caller may not read the import
 * @throws DomainError not_found
 */
export async function listRefusals(
  org: Org,
  cursors: Cursors,
  importId: string,
  query: ListQuery,
  admit: (found: Import) => void,
): Promise<{ rows: Refusal[]; pagination: Pagination }> {
  const list = `refusals ${importId}`
  const start = startOf(cursors, org.orgId, list, query)
  const { counts, rows } = await org.read(async (tx) => {
    const found = await findImport(tx, importId)
    admit(found)
    const rows = await refusalsAfter(tx, importId, Number(start.after ?? 0), start.limit + 1, start.skip)
    return { counts: found.counts, rows }
  })
  const shown = rows.slice(0, start.limit)
  return {
    rows: shown.map((row) => ({ ...row, outcome: 'refused' })),
    pagination: paginationOf(cursors, org.orgId, list, start, {
      last: shown.at(-1)?.line.toString() ?? null,
      hasNext: rows.length > start.limit,
      total: counts.refused,
    }),
  }
}

/** The number of rows in a piece of the file of refused rows. More would block the thread. */
const rowsPerPiece = 250

/** The refused rows as a CSV file, in the order of the imported file, in pieces. */
export async function* exportRefusals(org: Org, importId: string): AsyncGenerator<string, void> {
  let text = 'line,code,reason\r\n'
  for (let after = 0; ; ) {
    const rows = await org.read((tx) => refusalsAfter(tx, importId, after, rowsPerPiece, 0))
    yield text + rows.map(({ line, code, reason }) => `${line},${code},${toCell(reason)}\r\n`).join('')
    text = ''
    if (rows.length < rowsPerPiece) return
    after = rows.at(-1)?.line ?? after
  }
}

/** A reason why rows were refused, the number of these rows, and the first three of their lines. */
export type RefusalReason = { reason: string; rows: number; lines: number[] }

/** Returns the most frequent reasons why rows of an import were refused, at most `limit`. */
export function frequentReasons(tx: OrgTx, importId: string, limit: number): Promise<RefusalReason[]> {
  // pg reads float8 arrays as numbers, but bigint arrays as text.
  return tx.rows(sql<RefusalReason>`
    select reason, count(*) as rows, (array_agg(line::float8 order by line))[:3] as lines from import_refusal
    where org_id = ${tx.orgId} and import_id = ${importId}
    group by reason order by count(*) desc, min(line) limit ${limit}`)
}

/** Up to `limit` refused rows that come after a line, in the order of the file. */
function refusalsAfter(
  tx: OrgTx,
  importId: string,
  line: number,
  limit: number,
  skip: number,
): Promise<RowRefusal[]> {
  return tx.rows(sql<RowRefusal>`
    select line, code, reason from import_refusal
    where org_id = ${tx.orgId} and import_id = ${importId} and line > ${line}
    order by line limit ${limit} offset ${skip}`)
}
