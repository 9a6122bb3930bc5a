import { recordEventForEach, recordEvents } from '../../events/record.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal } from '../../platform/db/record-totals.ts'
import { sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { minUuid } from '../../records/min-uuid.ts'
import { requireNumber } from '../require-number.ts'
import type { CreateSuppression, Suppression, SuppressionQuery } from './schema.ts'

const wire = new JsonColumns('s', {
  suppression_id: 'uuid',
  number: 'text',
  reason: 'text',
  source: 'text',
  since: 'seconds',
  created_at: 'seconds',
})

const columns = sql`
  suppression_id, number, reason, source, floor(extract(epoch from since))::bigint as since,
  floor(extract(epoch from created_at))::bigint as created_at`

const rowsPerStatement = 500

export type NewSuppression = {
  /** The suppressed number, as E.164. */
  number: string
  reason: string | null
  source: string | null
  /** When the person asked, in Unix seconds; null: now. The number is suppressed at once in any case. */
  since: number | null
}

/** Lists the org's suppressions, newest first. */
export function listSuppressions(
  org: Org,
  cursors: Cursors,
  query: SuppressionQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { number } = query
  const filter = new Filter(org.orgId, 's').where(number, (p) => sql`s.number = ${p}`)
  const total =
    number === undefined
      ? exactTotal(org.orgId, 'voice_suppression')
      : sql`select count(*) from voice_suppression s where ${filter.conditions}`
  const list = JSON.stringify(['suppressions', number])
  const source = { list, from: sql`voice_suppression s`, id: sql`s.suppression_id`, wire, filter, total }
  return readPage(org, cursors, source, query)
}

/** A suppression as answers show it. @throws DomainError not_found */
export async function findSuppression(tx: OrgTx, suppressionId: string): Promise<Suppression> {
  const row = await tx.first(sql<Suppression>`
    select ${columns} from voice_suppression where org_id = ${tx.orgId} and suppression_id = ${suppressionId}`)
  if (!row) throw suppressionNotFound()
  return row
}

/** Up to `limit` suppressions after the id `after`, oldest first. */
export function readSuppressionsAfter(org: Org, after: string | null, limit: number): Promise<Suppression[]> {
  return org.readRows(sql<Suppression>`
    select ${columns} from voice_suppression
    where org_id = ${org.orgId} and suppression_id > ${after ?? minUuid}
    order by suppression_id limit ${limit}`)
}

/**
 * Suppresses a number. If it is already suppressed, its entry is unchanged.
 * @throws ValidationError if it is not a phone number
 */
export async function createSuppression(
  tx: OrgTx,
  input: CreateSuppression,
): Promise<Suppression & { outcome: 'created' | 'existing' }> {
  const number = await requireNumber(tx, input.number)
  const { reason, source, since } = input
  const created = await suppress(tx, [
    { number, reason: reason || null, source: source || 'api', since: since ?? null },
  ])
  const suppression = await tx.first(sql<Suppression>`
    select ${columns} from voice_suppression where org_id = ${tx.orgId} and number = ${number}`)
  // The entry was deleted between the two statements.
  if (!suppression) return createSuppression(tx, input)
  return { ...suppression, outcome: created > 0 ? 'created' : 'existing' }
}

/** Suppresses numbers, each with its event. Returns the number of new entries. */
export async function suppress(tx: OrgTx, suppressions: readonly NewSuppression[]): Promise<number> {
  // Lock in the order of numbers: two imports of the same numbers would deadlock otherwise.
  const sorted = suppressions.toSorted((a, b) => (a.number < b.number ? -1 : 1))
  let created = 0
  // Write in parts: serializing all rows at once would delay other requests.
  for (let start = 0; start < sorted.length; start += rowsPerStatement)
    created += await insert(tx, sorted.slice(start, start + rowsPerStatement))
  return created
}

async function insert(tx: OrgTx, suppressions: readonly NewSuppression[]): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const rows = suppressions.map(({ number, reason, source, since }) => {
    const id = newId()
    return { id, number, reason, source, since: since ?? now, created_ms: timeOf(id) }
  })
  const inserted = await tx.rows(sql<Pick<Suppression, 'suppression_id'>>`
    insert into voice_suppression (org_id, suppression_id, number, reason, source, since, created_at)
    select ${tx.orgId}, s.id, s.number, s.reason, s.source, to_timestamp(s.since),
      to_timestamp(s.created_ms / 1000.0)
    from json_to_recordset(${JSON.stringify(rows)})
      as s (id uuid, number text, reason text, source text, since bigint, created_ms bigint)
    on conflict (org_id, number) do nothing
    returning suppression_id`)
  const ids = inserted.map((row) => row.suppression_id)
  if (ids.length > 0) await recordEventForEach(tx, 'suppression.created', ids)
  return ids.length
}

/** Deletes a suppression. @throws DomainError not_found */
export async function deleteSuppression(tx: OrgTx, suppressionId: string): Promise<void> {
  const deleted = await tx.run(sql`
    delete from voice_suppression where org_id = ${tx.orgId} and suppression_id = ${suppressionId}`)
  if (deleted === 0) throw suppressionNotFound()
  await recordEvents(tx, [{ type: 'suppression.deleted', objectId: suppressionId }])
}

const suppressionNotFound = () =>
  notFound('object_not_found', 'No suppression of this organization has this id')
