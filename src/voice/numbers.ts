import { recordEvents } from '../events/record.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { requireNumber } from './require-number.ts'
import type { CreateNumber, NumberQuery, VoiceNumber } from './schema.ts'

const wire = new JsonColumns('n', {
  number_id: 'uuid',
  number: 'text',
  label: 'text',
  provider_ref: 'text',
  created_at: 'seconds',
})

/** Lists the org's numbers. @throws ValidationError at cursor or page */
export function listNumbers(
  org: Org,
  cursors: Cursors,
  query: NumberQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'n')
  const source = { list: 'voice numbers', from: sql`voice_number n`, id: sql`n.number_id`, wire, filter }
  return readPage(org, cursors, source, query)
}

/**
 * Adds a number.
 * @throws ValidationError if it is not a phone number; DomainError conflict if the org already has it
 */
export async function createNumber(tx: OrgTx, input: CreateNumber): Promise<VoiceNumber> {
  const e164 = await requireNumber(tx, input.number)
  const numberId = newId()
  const number: VoiceNumber = {
    number_id: numberId,
    number: e164,
    label: input.label || null,
    provider_ref: input.provider_ref || null,
    created_at: Math.floor(timeOf(numberId) / 1000),
  }
  const inserted = await tx.run(sql`
    insert into voice_number (org_id, number_id, number, label, provider_ref, created_at)
    values (${tx.orgId}, ${numberId}, ${number.number}, ${number.label}, ${number.provider_ref},
      to_timestamp(${number.created_at}))
    on conflict (org_id, number) do nothing`)
  if (inserted === 0)
    throw conflict('number_exists', `This organization has the number ${e164} already (GET /voice/numbers)`)
  await recordEvents(tx, [{ type: 'voice_number.created', objectId: numberId }])
  return number
}

/** Deletes a number. @throws DomainError not_found */
export async function deleteNumber(tx: OrgTx, numberId: string): Promise<void> {
  const deleted = await tx.run(sql`
    delete from voice_number where org_id = ${tx.orgId} and number_id = ${numberId}`)
  if (deleted === 0) throw notFound('object_not_found', 'No number of this organization has this id')
  await recordEvents(tx, [{ type: 'voice_number.deleted', objectId: numberId }])
}
