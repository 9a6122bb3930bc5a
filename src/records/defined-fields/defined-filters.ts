import type { Org } from '../../platform/db/org.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { customFilter, customKey, definedSort } from '../filters/custom.ts'
import { fieldIndexFilter } from '../filters/indexed-filter.ts'
import { dayOf, isRelativeDay, momentsOf } from '../filters/relative-day.ts'
import { comparisonsIn, type Operator, type Scalar } from '../filters/tree.ts'
import type { FilterContext, FilterField, OrgDefaults, RecordType, Sort } from '../record-type.ts'
import type { RecordSelector } from '../selection.ts'
import { nameIn } from '../sort.ts'
import type { DefinedFieldType, FieldDefinition } from './definition.ts'
import { readValue } from './read-value.ts'
import { requireFittingValues } from './refused-values.ts'

type IndexedDefinition = FieldDefinition & {
  index_id: string | null
  index_state: string
  is_unique: boolean
}

/**
 * The record type with a filter for each defined field that `selector` compares, and a sort for the field that orders
 * the list. Filters read values as writes do. Filters and sorts use the index of the field once it is complete. Indexes
 * have no archived records.
 * @throws ValidationError at a value of the request that does not fit its field
 */
export async function withDefinedFilters(
  org: Org,
  type: RecordType,
  { filter, archived = false, sort = '' }: RecordSelector & { sort?: string | undefined },
): Promise<RecordType> {
  const names = [...(filter ? comparisonsIn(filter.tree).map(({ field }) => field) : []), nameIn(sort)]
  const keys = names.flatMap((name) => customKey(name) ?? [])
  if (keys.length === 0) return type
  const definitions = await org.readRows(sql<IndexedDefinition>`
    select key, type, options, index_id, index_state, is_unique from field_definition
    where org_id = ${org.orgId} and entity = ${type.entity} and key = any(${[...new Set(keys)]}::text[])`)
  if (filter) requireFittingValues(filter, definitions)
  const filters = definitions.map((definition) => [
    `custom.${definition.key}`,
    definedFilter(type, definition, archived),
  ])
  const sorts = definitions.flatMap((definition) => sortOf(org.orgId, definition, archived))
  return {
    ...type,
    filters: { ...type.filters, ...Object.fromEntries(filters) },
    sorts: { ...type.sorts, ...Object.fromEntries(sorts) },
  }
}

/** The values of these types have the same order in an index as in any list. An index of texts does not ignore letter case. */
const sortedByIndex: readonly DefinedFieldType[] = ['number', 'date', 'datetime', 'boolean', 'phone']

function sortOf(
  orgId: string,
  { key, type, index_id: indexId, index_state: state }: IndexedDefinition,
  archived: boolean,
): (readonly [string, Sort])[] {
  if (indexId === null || !sortedByIndex.includes(type)) return []
  const rows = sql`(select value, record_id from field_value where org_id = ${orgId} and index_id = ${indexId})`
  const isComplete = state === 'ready' && !archived
  return [[`custom.${key}`, definedSort(key, type, isComplete ? rows : null)]]
}

function definedFilter(type: RecordType, definition: IndexedDefinition, archived: boolean): FilterField {
  const { key, index_id: indexId, index_state: state } = definition
  const isIndexed = indexId !== null && state === 'ready' && !archived
  const filter = isIndexed
    ? fieldIndexFilter(type.idField, key, { indexId, type: definition.type, isUnique: definition.is_unique })
    : customFilter(key, definition.type === 'number')
  const read = (value: Scalar, { defaultCountry }: OrgDefaults) =>
    operandOf(definition, value, defaultCountry)
  /** A day matches many values of a datetime field, so no single key finds them. */
  const { keyOf, found, countOf, where, ...others } = filter
  return {
    ...others,
    needsCountry: () => definition.type === 'phone',
    ...(keyOf &&
      definition.type !== 'datetime' && {
        keyOf: (value, defaults) => keyOf(read(value, defaults), defaults),
      }),
    ...(found && { found: (op, operand, context) => found(...compared(op, operand, context), context) }),
    ...(countOf && {
      countOf: (op, operand, context) => countOf(...compared(op, operand, context), context),
    }),
    where: (op, operand, context) => {
      if (op === 'is_null') return where(op, operand, context)
      const isDifferent = op === 'ne' && definition.type === 'datetime' && isRelativeDay(operand)
      const condition = where(...compared(isDifferent ? 'eq' : op, operand, context), context)
      return isDifferent && !(condition instanceof Refusal) ? sql`(${condition}) is not true` : condition
    },
  }
  function compared(op: Operator, operand: Scalar | readonly Scalar[], { orgDefaults }: FilterContext) {
    const day = definition.type === 'datetime' ? dayOf(operand) : null
    return day === null ? ([op, readAll(operand, orgDefaults)] as const) : momentsOf(op, day)
  }
  function readAll(operand: Scalar | readonly Scalar[], defaults: OrgDefaults) {
    return Array.isArray(operand)
      ? operand.map((each) => read(each, defaults))
      : read(operand as Scalar, defaults)
  }
}

const seconds = /^\d{9,11}$/

/** The text of a value in the form in which it is stored: "gold" is "Gold". A value that does not fit stays as it is. */
function operandOf(
  { type, options, key }: FieldDefinition,
  value: Scalar,
  defaultCountry: string | null,
): string {
  const sent = String(value)
  const day = type === 'date' || type === 'datetime' ? dayOf(sent) : null
  if (day !== null) return type === 'date' ? day : `${day}T00:00:00Z`
  if (type === 'datetime' && seconds.test(sent))
    return `${new Date(Number(sent) * 1000).toISOString().slice(0, 19)}Z`
  const single = type === 'multi_select' ? 'select' : type
  const read = readValue({ key, type: single, options }, sent, defaultCountry)
  if (read instanceof Refusal || read === null) return sent
  return JSON.isRawJSON(read) ? read.rawJSON : String(read)
}
