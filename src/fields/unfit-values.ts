import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { inSlices } from '../platform/slices.ts'
import type { FieldDefinition } from '../records/defined-fields/definition.ts'
import { readValue } from '../records/defined-fields/read-value.ts'
import { defaultCountry } from '../records/find.ts'
import type { entities } from './schema.ts'

const recordsPerPage = 5_000
const examplesMax = 3

/**
 * Requires that the values which records already have fit a definition.
 * @throws DomainError conflict with the number of records whose value does not fit, and examples
 */
export async function requireFittingValues(
  tx: OrgTx,
  entity: (typeof entities)[number],
  definition: FieldDefinition,
): Promise<void> {
  const country = definition.type === 'phone' ? await defaultCountry(tx) : null
  const examples: string[] = []
  let count = 0
  for (let after: string | null = null; ; ) {
    const page: Valued[] = await valuesAfter(tx, entity, definition.key, after)
    const unfit = function* () {
      for (const { record_id: recordId, value } of page) {
        yield
        if (!(readValue(definition, value, country) instanceof Refusal)) continue
        count += 1
        if (examples.length < examplesMax) examples.push(recordId)
      }
    }
    await inSlices(tx.orgId, unfit())
    after = page.at(-1)?.record_id ?? null
    if (page.length < recordsPerPage || after === null) break
  }
  if (count === 0) return
  const [what, such] =
    count === 1 ? [`1 ${entity} has`, ''] : [`${count} records (${entity}) have`, 'such as ']
  throw conflict(
    'field_values_unfit',
    `${what} a value in custom.${definition.key} that does not fit: ${such}${examples.join(', ')}. Change these values first, or send "existing": "keep" to leave them until somebody writes them.`,
  )
}

type Valued = { record_id: string; value: unknown }

const valuesAfter = (
  tx: OrgTx,
  entity: (typeof entities)[number],
  key: string,
  after: string | null,
): Promise<Valued[]> => {
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  const isLater = after === null ? sql`` : sql`and ${id} > ${after}`
  return tx.rows(sql<Valued>`
    select ${id} as record_id, custom -> ${key}::text as value from ${table}
    where org_id = ${tx.orgId} and status in ('active', 'archived') ${isLater}
      and custom -> ${key}::text is not null
    order by ${id} limit ${recordsPerPage}`)
}
