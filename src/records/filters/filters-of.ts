import type { FilterField, RecordField, RecordFields } from '../record-type.ts'
import { columnFilter } from './columns.ts'
import { customFilter, customKey } from './custom.ts'
import { keyFilter } from './keys.ts'
import { linkFilter, ownIdFilter, referenceFilter } from './references.ts'

/** Returns filters by name. Objects, and lists without keys, have no filter. */
export function filtersOf(entity: string, fields: RecordFields): Record<string, FilterField> {
  const columns = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => columnFilters(entity, name, field)),
  )
  const keys = Object.entries(fields).flatMap(([name, { key }]) => {
    if (!key?.filter) return []
    const filter = { ...keyFilter(entity, key.filter, columns[key.kind]), isMatched: key.isMatched }
    // The filter of a list has the name of its elements: `tags` has `tag`.
    return name === key.kind || name === 'external_ids'
      ? [[key.kind, filter]]
      : [
          [key.kind, filter],
          [name, filter],
        ]
  })
  return { [`${entity}_id`]: ownIdFilter(entity), ...columns, ...Object.fromEntries(keys) }
}

function columnFilters(entity: string, name: string, field: RecordField): [string, FilterField][] {
  const { reference, link, columns, paths = {}, wire } = field
  if (reference) return [[name, referenceFilter(entity, reference)]]
  if (link) return [[name, linkFilter(entity, link)]]
  const types = typeof columns === 'string' ? { [name]: columns } : columns
  const own = Object.entries(types).map(
    ([column, type]) => [paths[column] ?? name, `r.${column}`, type] as const,
  )
  const shown =
    wire === 'integer' || wire === 'seconds' ? [[name, `r.${name}`, wireTypes[wire]] as const] : []
  return [...own, ...shown].flatMap(([path, value, type]) => {
    const filter = columnFilter(value, type)
    return filter
      ? [[path, { ...filter, ...(field.matches ? { matches: field.matches } : {}) }] as const]
      : []
  }) as [string, FilterField][]
}

const wireTypes = { integer: 'integer', seconds: 'timestamptz' } as const

/** Returns undefined for an unknown name. All names `custom.<key>` have the same filter. */
export function filterNamed(
  filters: Readonly<Record<string, FilterField>>,
  name: string,
): FilterField | undefined {
  if (Object.hasOwn(filters, name)) return filters[name]
  const key = customKey(name)
  return key === null ? undefined : customFilter(key)
}
