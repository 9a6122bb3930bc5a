import type { EntityType } from '../matching/entity-type.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { mapInSlices } from '../platform/slices.ts'
import type { FieldDefinition } from '../records/defined-fields/definition.ts'
import { readValue } from '../records/defined-fields/read-value.ts'
import { defaultCountry } from '../records/find.ts'
import { convertedValue, type Renames } from './converted-value.ts'

const recordsPerPage = 5_000
const examplesMax = 3

/**
 * Requires that the values which records already have fit a definition.
 * @throws DomainError conflict with the number of records whose value does not fit, and examples
 */
export async function requireFittingValues(
  tx: OrgTx,
  entity: EntityType,
  definition: FieldDefinition,
): Promise<void> {
  const country = await countryFor(tx, definition)
  const examples: string[] = []
  let count = 0
  let convertible = 0
  await eachValue(tx, entity, definition.key, (recordId, value) => {
    if (!(readValue(definition, value, country) instanceof Refusal)) return
    count += 1
    if (!(convertedValue(definition, {}, value, country) instanceof Refusal)) convertible += 1
    if (examples.length < examplesMax) examples.push(recordId)
  })
  if (count === 0) return
  const [what, such] =
    count === 1 ? [`1 ${entity} has`, ''] : [`${count} records (${entity}) have`, 'such as ']
  throw conflict(
    'field_values_unfit',
    `${what} a value in custom.${definition.key} that does not fit: ${such}${examples.join(', ')}. Change these values first, or send "existing": "convert" to convert ${convertible} of ${count} and leave the others, or "existing": "keep" to leave all until somebody writes them.`,
  )
}

/** Counts the records that have a value which a conversion changes. */
export async function countConvertible(
  tx: OrgTx,
  entity: EntityType,
  definition: FieldDefinition,
  renames: Renames,
): Promise<number> {
  const country = await countryFor(tx, definition)
  let count = 0
  await eachValue(tx, entity, definition.key, (_recordId, value) => {
    const after = convertedValue(definition, renames, value, country)
    if (!(after instanceof Refusal) && JSON.stringify(after) !== JSON.stringify(value)) count += 1
  })
  return count
}

const countryFor = (tx: OrgTx, { type }: FieldDefinition): Promise<string | null> | null =>
  type === 'phone' ? defaultCountry(tx) : null

/** Calls `visit` for each active or archived record that has a value, in slices. */
async function eachValue(
  tx: OrgTx,
  entity: EntityType,
  key: string,
  visit: (recordId: string, value: unknown) => void,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: Valued[] = await valuesAfter(tx, entity, key, after)
    await mapInSlices(tx.payerId, page, ({ record_id: recordId, value }) => visit(recordId, value))
    after = page.at(-1)?.record_id ?? null
    if (page.length < recordsPerPage || after === null) return
  }
}

type Valued = { record_id: string; value: unknown }

const valuesAfter = (tx: OrgTx, entity: EntityType, key: string, after: string | null): Promise<Valued[]> => {
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  const isLater = after === null ? sql`` : sql`and ${id} > ${after}`
  return tx.rows(sql<Valued>`
    select ${id} as record_id, custom -> ${key}::text as value from ${table}
    where org_id = ${tx.orgId} and status in ('active', 'archived') ${isLater}
      and custom -> ${key}::text is not null
    order by ${id} limit ${recordsPerPage}`)
}
