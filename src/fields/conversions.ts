import { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import { actorShape, payloadOf } from '../platform/jobs/actor-payload.ts'
import type { JobIdentity } from '../platform/jobs/identity.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type Renames, renamed } from './converted-value.ts'
import type { Field } from './schema.ts'

const payload = z.object({
  org_id: z.string(),
  field_id: z.string(),
  ...actorShape,
})

export type ConversionPayload = z.output<typeof payload>

/** Converts the values that records have of a field. */
export const convertFieldJob: JobIdentity<ConversionPayload> & {
  serialKey(payload: ConversionPayload): string
} = {
  name: 'convert_field',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ field_id: fieldId }) => `field conversion ${fieldId}`,
}

/** The conversion of a field `f`, as answers show it; null if there was none. */
export const shownConversion = sql`(
  select json_build_object('state', c.state, 'records', c.records, 'converted', c.converted, 'unfit', c.unfit,
    'unfit_ids', c.unfit_ids)
  from field_conversion c where c.org_id = f.org_id and c.field_id = f.field_id)`

/** @throws DomainError conflict while a job converts the values */
export function requireNoConversion({ key, conversion }: Field): void {
  if (conversion?.state !== 'running') return
  throw conflict(
    'field_converting',
    `The values of custom.${key} are being converted: ${conversion.converted} of ${conversion.records} records are done. Change or delete the field when its conversion has ended.`,
  )
}

/**
 * Starts the job. Its events name the actor of `tx`.
 * @param records how many records have a value to convert
 */
export async function startConversion(
  tx: OrgTx,
  jobs: Jobs,
  fieldId: string,
  { renames, records }: { renames: Renames; records: number },
): Promise<void> {
  const { orgId, actor } = tx
  await tx.run(sql`delete from field_conversion where org_id = ${orgId} and field_id = ${fieldId}`)
  await tx.run(sql`
    insert into field_conversion (org_id, field_id, renames, records)
    values (${orgId}, ${fieldId}, ${JSON.stringify(renames)}::json, ${records})`)
  await jobs.enqueue(tx, convertFieldJob, { org_id: orgId, field_id: fieldId, ...payloadOf(actor) })
}

/** Returns the new names that a failed conversion did not write to all records. */
export async function failedRenames(tx: OrgTx, fieldId: string): Promise<Renames> {
  const row = await tx.first(sql<{ renames: Renames }>`
    select renames from field_conversion
    where org_id = ${tx.orgId} and field_id = ${fieldId} and state = 'failed'`)
  return row?.renames ?? {}
}

/** Adds new names to the names that a failed conversion left unfinished: after A to B, and B to C, A becomes C. */
export const afterFailed = (failed: Renames, renames: Renames): Renames => ({
  ...Object.fromEntries(Object.entries(failed).map(([from, to]) => [from, renamed(renames, to) as string])),
  ...renames,
})

/**
 * A value with the old name of an option is still the renamed option, until a conversion has changed all records.
 * @throws DomainError conflict if an option gets such a name
 */
export function requireNoOldName({ key }: Field, options: readonly string[], failed: Renames): void {
  const old = options.find((option) => Object.hasOwn(failed, option))
  if (old === undefined) return
  throw conflict(
    'field_values_unfit',
    `Records may still have "${old}" in custom.${key}, the old name of the option "${failed[old]}", because a conversion failed. Send {"existing": "convert"} first, and add an option "${old}" when the conversion has ended.`,
  )
}

/** Deletes the conversion of a field, if it has one. */
export async function forgetConversion(tx: OrgTx, fieldId: string): Promise<void> {
  await tx.run(sql`delete from field_conversion where org_id = ${tx.orgId} and field_id = ${fieldId}`)
}

/** Counts the active and archived records that have one of these options. In a million records this takes some seconds. */
export async function countRecordsWith(
  tx: OrgTx,
  { entity, key, type }: Pick<Field, 'entity' | 'key' | 'type'>,
  options: readonly string[],
): Promise<number> {
  await tx.run(sql`select set_config('statement_timeout', '60s', true)`)
  const row = await tx.first(sql<{ records: number }>`
    select count(*)::int as records from ${rawSql(entity)} r
    where r.org_id = ${tx.orgId} and r.status in ('active', 'archived')
      and app.field_values(r.custom, ${key}::text, ${type}::text)
        && array(select app.field_value(o, ${type}::text) from unnest(${options}::text[]) as o)`)
  return row?.records ?? 0
}
