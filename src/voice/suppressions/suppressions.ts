import { v7 } from 'uuid'
import { recordEventForEach, recordEventsBy } from '../../events/record.ts'
import { readPhone } from '../../normalise/phone.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { Actor } from '../../platform/actor.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal, Filter, readPage } from '../../platform/db/page.ts'
import { sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { Json } from '../../platform/json.ts'
import { unreadable } from '../../records/fields.ts'
import type { CreateSuppression, Suppression, SuppressionQuery } from './schema.ts'

const wire = new JsonColumns('s', {
  suppression_id: 'uuid',
  number: 'text',
  reason: 'text',
  source: 'text',
  since: 'seconds',
  created_at: 'seconds',
})

const columns = `
  suppression_id, number, reason, source, floor(extract(epoch from since))::bigint as since,
  floor(extract(epoch from created_at))::bigint as created_at`

const rowsPerStatement = 500

/** A number that is to be suppressed. */
export type NewSuppression = {
  /** E.164. */
  number: string
  reason: string | null
  source: string | null
  /** Unix seconds; null: now. */
  since: number | null
}

/** The org's suppressions, newest first. */
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

/** @throws DomainError not_found */
export async function findSuppression(tx: OrgTx, orgId: string, suppressionId: string): Promise<Suppression> {
  const row = await tx.first<Suppression>({
    text: `select ${columns} from voice_suppression where org_id = $1 and suppression_id = $2`,
    values: [orgId, suppressionId],
  })
  if (!row) throw noSuppression()
  return row
}

/** Up to `limit` suppressions, oldest first, from behind `after` on. */
export function readSuppressionsAfter(org: Org, after: string | null, limit: number): Promise<Suppression[]> {
  return org.readRows<Suppression>({
    text: `
      select ${columns} from voice_suppression
      where org_id = $1 and suppression_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
      order by suppression_id limit $3`,
    values: [org.orgId, after, limit],
  })
}

/**
 * Suppresses a number. A number that is suppressed already keeps its entry.
 * @throws ValidationError if it is no phone number
 */
export async function createSuppression(
  tx: OrgTx,
  actor: Actor,
  input: CreateSuppression,
): Promise<Suppression & { outcome: 'created' | 'existing' }> {
  const isNational = !input.number.trimStart().startsWith('+')
  const read = readPhone(input.number, isNational ? (await findOrg(tx)).default_country : null)
  if ('problem' in read) throw new ValidationError([detailAt(['body', 'number'], unreadable(read.problem))])
  const { reason, source, since } = input
  const created = await suppress(tx, actor, [
    { number: read.e164, reason: reason || null, source: source || 'api', since: since ?? null },
  ])
  const suppression = await tx.first<Suppression>({
    text: `select ${columns} from voice_suppression where org_id = $1 and number = $2`,
    values: [actor.orgId, read.e164],
  })
  // Deleted between the two statements: what was found on the list is gone again.
  if (!suppression) return createSuppression(tx, actor, input)
  return { ...suppression, outcome: created > 0 ? 'created' : 'existing' }
}

/** Suppresses numbers, each with its event; how many were not on the list before. */
export async function suppress(
  tx: OrgTx,
  actor: Actor,
  suppressions: readonly NewSuppression[],
): Promise<number> {
  // By number: two imports that lock the same numbers in different orders would deadlock.
  const sorted = suppressions.toSorted((a, b) => (a.number < b.number ? -1 : 1))
  let created = 0
  // In parts: preparing all rows of an import at once would hold up other requests.
  for (let start = 0; start < sorted.length; start += rowsPerStatement)
    created += await insert(tx, actor, sorted.slice(start, start + rowsPerStatement))
  return created
}

async function insert(tx: OrgTx, actor: Actor, suppressions: readonly NewSuppression[]): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const rows = suppressions.map(({ number, reason, source, since }) => {
    const id = v7()
    return { id, number, reason, source, since: since ?? now, created_ms: timeOf(id) }
  })
  const inserted = await tx.rows<{ suppression_id: string }>({
    text: `
      insert into voice_suppression (org_id, suppression_id, number, reason, source, since, created_at)
      select $1, s.id, s.number, s.reason, s.source, to_timestamp(s.since), to_timestamp(s.created_ms / 1000.0)
      from json_to_recordset($2)
        as s (id uuid, number text, reason text, source text, since bigint, created_ms bigint)
      on conflict (org_id, number) do nothing
      returning suppression_id`,
    values: [actor.orgId, JSON.stringify(rows)],
  })
  const ids = inserted.map((row) => row.suppression_id)
  if (ids.length > 0) await recordEventForEach(new OrgTx(tx, actor), 'suppression.created', ids)
  return ids.length
}

/** @throws DomainError not_found */
export async function deleteSuppression(tx: OrgTx, actor: Actor, suppressionId: string): Promise<void> {
  const deleted = await tx.run({
    text: 'delete from voice_suppression where org_id = $1 and suppression_id = $2',
    values: [actor.orgId, suppressionId],
  })
  if (deleted === 0) throw noSuppression()
  await recordEventsBy(tx, actor, [{ type: 'suppression.deleted', objectId: suppressionId }])
}

const noSuppression = () => notFound('No suppression of this organization has this id')
