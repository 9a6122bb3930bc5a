import { z } from 'zod'
import {
  type ColumnKind,
  JsonColumns,
  type JsonMember,
  type JsonMembers,
} from '../platform/db/json-columns.ts'
import { rawSql } from '../platform/db/sql.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import * as shown from '../platform/http/shown.ts'
import { requireListLimits } from './apply.ts'
import { commonExample } from './base-fields.ts'
import { filtersOf } from './filters/filters-of.ts'
import { requireMember } from './owners/owner-fields.ts'
import type {
  FilterField,
  Merging,
  RecordField,
  RecordType,
  RecordWrite,
  StoredColumns,
} from './record-type.ts'
import { nameSort } from './sort.ts'
import { commonLists } from './stored-list.ts'

/** The parts of a record type that cannot be derived from its fields. */
type TypeOptions = Pick<
  RecordType,
  | 'entity'
  | 'title'
  | 'path'
  | 'tag'
  | 'idField'
  | 'fields'
  | 'search'
  | 'searchable'
  | 'referrers'
  | 'example'
  | 'changeExample'
  | 'check'
  | 'orgDefaults'
  | 'named'
  | 'misplaced'
  | 'acceptsOutsideOwners'
> & {
  /** Whether a new record requires fields that a change can omit. */
  requires?: true
  /** The members in the examples of answers, besides the id. */
  shownExample: Record<string, unknown>
  merging?: Omit<Merging, 'lists' | 'policies' | 'patched' | 'derived'>
  /** Filters that belong to no field, or that replace a field's filter. */
  filters?: Readonly<Record<string, FilterField>>
  sorts: RecordType['sorts']
  /** Besides the common ones. */
  storedLists?: RecordType['storedLists']
}

/**
 * Derives a record type from its table of fields: schemas, columns, JSON, filters, match keys and rules of merging.
 */
export function defineType(options: TypeOptions): RecordType {
  const { requires, merging, filters, sorts, storedLists = [], ...described } = options
  const { title, fields, idField, check } = described
  const shownExample = { [idField]: exampleId(idField), ...described.shownExample, ...commonExample }
  const all = Object.entries(fields)
  const each = Object.values(fields)
  const input = z.object(shapeOf(all, 'input')).meta({ title: `${title}Fields` })
  const lists = each.flatMap(({ list, link }, index) =>
    list ? [[link?.rawColumn ?? all[index]?.[0] ?? '', list] as const] : [],
  )
  const limits = Object.fromEntries(all.flatMap(([name, { list }]) => (list ? [[name, list.max]] : [])))
  const keys = each.flatMap(({ key }) => key ?? [])
  const members: JsonMembers = {
    [idField]: 'uuid',
    ...Object.fromEntries(all.map(([name, field]) => [name, wireOf(field)])),
  }
  const writes = all.map(([name, field]) => [name, writeOf(name, field)] as const)
  return {
    ...described,
    shownExample,
    columns: Object.assign({}, ...all.map(([name, field]) => columnsOf(name, field))),
    paths: Object.assign({}, ...all.map(([name, field]) => pathsOf(name, field))),
    members,
    wire: new JsonColumns('r', members),
    references: each.flatMap(({ reference }) => reference ?? []),
    links: each.flatMap(({ link }) => link ?? []),
    input,
    changes: requires ? input.partial().meta({ title: `${title}Changes` }) : input,
    response: z
      .object({ [idField]: shown.id(`The id of the ${described.entity}.`), ...shapeOf(all, 'output') })
      .meta({ title, examples: [shownExample] }),
    filters: { ...filtersOf(described.entity, fields), ...filters },
    sorts: { ...commonSorts, ...sorts },
    storedLists: [...commonLists(described.entity), ...storedLists],
    matchOn: Object.fromEntries(keys.flatMap(({ kind, isMatched, of }) => (isMatched ? [[kind, of]] : []))),
    merging: {
      ...merging,
      lists: Object.fromEntries(lists),
      policies: policiesOf(all),
      derived: all.flatMap(([name, { isDerived }]) => (isDerived ? [name] : [])),
      patched: all.flatMap(([name, { isPatched }]) => (isPatched ? [name] : [])),
    },
    apply(before, sent, orgDefaults, add) {
      const change = { before, fields: sent, orgDefaults, add }
      const state: StoredColumns = {}
      for (const [name, write] of writes) write(state, sent[name], change)
      return state
    },
    check(before, after, orgDefaults) {
      check(before, after, orgDefaults)
      requireListLimits(before, after, limits)
      if (!described.acceptsOutsideOwners) requireMember(before, after)
    },
    keys: (state) => keys.flatMap((key) => key.of(state)),
    needsCountry: needsCountryOf(each),
  }
}

/** Ids are UUIDv7: the order of ids is the order of creation. */
const commonSorts: RecordType['sorts'] = {
  created_at: {},
  updated_at: {
    key: {
      sql: rawSql('r.updated_at'),
      type: 'timestamptz',
      isNullable: false,
      indexedField: 'updated_at',
    },
  },
  owner_email: nameSort('r.owner_email'),
}

type Entries = readonly [name: string, field: RecordField][]

const shapeOf = (all: Entries, schema: 'input' | 'output'): Record<string, z.ZodType> =>
  Object.fromEntries(
    all.flatMap(([name, { about, [schema]: own }]) => {
      if (!own) return []
      return [[name, about === undefined || own.description ? own : own.describe(about)]]
    }),
  )

/** The columns of a field with their SQL types. */
export const columnsOf = (name: string, { columns }: RecordField): Readonly<Record<string, string>> =>
  typeof columns === 'string' ? { [name]: columns } : columns

function pathsOf(name: string, field: RecordField): Record<string, string> {
  const { link, paths = {} } = field
  const columns = link ? [link.rawColumn, link.column] : Object.keys(columnsOf(name, field))
  return Object.fromEntries(columns.map((column) => [column, paths[column] ?? name]))
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  bigint: 'integer',
  timestamptz: 'seconds',
  date: 'text',
}

function wireOf({ wire, columns }: RecordField): JsonMember {
  if (wire !== undefined) return wire
  if (typeof columns !== 'string') throw new Error('A field with several columns needs a wire form')
  return kinds[columns] ?? (columns as ColumnKind)
}

const policiesOf = (all: Entries): Merging['policies'] =>
  Object.fromEntries(
    all.flatMap(([name, field]) => {
      const { policy } = field
      return policy ? Object.keys(columnsOf(name, field)).map((column) => [column, policy]) : []
    }),
  )

type Write = (state: StoredColumns, sent: unknown, change: RecordWrite) => void

function writeOf(name: string, { apply, columns }: RecordField): Write {
  if (apply) return apply
  if (typeof columns !== 'string') return () => {}
  return (state, sent, { before }) => {
    state[name] = sent === undefined ? (before?.[name] ?? null) : sent === '' ? null : sent
  }
}

function needsCountryOf(fields: readonly RecordField[]): RecordType['needsCountry'] {
  const checks = fields.flatMap(({ needsCountry }) => needsCountry ?? [])
  return (sent) => checks.some((needs) => needs(sent))
}
