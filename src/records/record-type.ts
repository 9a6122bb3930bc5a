import type { z } from 'zod'
import type { EntityType } from '../matching/entity-type.ts'
import type { JsonColumns, Member, Members } from '../platform/db/json-columns.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Cluster } from './clusters/cluster.ts'
import type { Policy } from './clusters/survivorship.ts'
import type { Operator, Scalar } from './filters/tree.ts'

/** One exact key of a record: its kind and its normalized value. */
export type ExactKey = { kind: string; value: string }

/** A key as it is stored. */
export type HashedKey = { kind: string; hash: string }

/** The stored columns of a record, by name: text, text[], json and so on. */
export type StoredColumns = Record<string, unknown>

/** A stored record, locked for a change or only read. */
export type Stored = {
  recordId: string
  status: string
  version: number
  state: StoredColumns
  /** Whether the record ever took part in a merge. */
  wasMerged: boolean
  /** Its cluster, if it ever took part in a merge and is canonical. */
  cluster: Cluster | null
}

/** The validated fields of a request; null clears. */
export type Fields = Record<string, unknown>

export type OrgDefaults = {
  /** ISO 3166-1 alpha-2 country of phone numbers without a country code. */
  defaultCountry: string | null
  /** The stages that a deal may have. */
  stages?: readonly string[]
}

/** A reference to another record: the id as it was written, and the canonical id. */
export type Reference = { field: string; rawColumn: string; column: string; to: 'company' }

/** A list of references, stored as rows of another table (links.ts). Both columns are lists in the same order. */
export type Links = Omit<Reference, 'to'> & { table: 'deal_contact'; to: 'contact' }

/** A record type with references to this one; `table` is set if these are links. */
export type Referrer = Omit<Reference, 'to'> & { entity: 'contact' | 'deal'; table?: 'deal_contact' }

/** A column with any number of elements. The elements of an object are its `[key, value]` pairs. */
export type ListColumn = {
  /** The column of its primary element, which comes first. */
  primary?: string
  /** The same for equal elements. */
  keyOf(element: unknown): string
}

/** A write to a record: the fields of a request, and the stored columns; `before` is null for a new record. */
export type Change = {
  before: StoredColumns | null
  fields: Fields
  orgDefaults: OrgDefaults
  /** true if lists grow instead of being replaced (upsert) */
  add: boolean
}

/** The keys of a field, by which records are found exactly. */
export type FieldKey = {
  /** Their kind: also the name of the filter and the value of `match_on`. */
  kind: string
  of(state: StoredColumns): ExactKey[]
  /** Whether an upsert may match on them. */
  isMatched: boolean
  filter?: KeyFilter
}

/**
 * One field of a record type. Schemas, columns, the wire form, writes, keys, merging, imports and pushes derive from it
 * (define-type.ts).
 */
export type RecordField<Sent = unknown> = {
  /** The SQL type of its column, which has its name; or its columns by name. Links have none. */
  columns: string | Readonly<Record<string, string>>
  /** By column, its path in a request, if that is not the field itself: `consent.email`. */
  paths?: Readonly<Record<string, string>>
  /** What a request may send. Without it, no request writes the field. */
  input?: z.ZodType<Sent>
  /** What answers show. */
  output: z.ZodType
  /** How answers are read from a row `r`; by default as its column. */
  wire?: Member
  /**
   * Sets its columns in `state` after a write. By default the column gets the sent value, or else keeps the stored one;
   * empty text clears.
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply?(state: StoredColumns, sent: Sent | undefined, change: Change): void
  /** Whether a write of `fields` needs the default country of the org. */
  needsCountry?(fields: Fields): boolean
  /** How a merge chooses between two values; by default `primary`. */
  policy?: Policy
  /** Whether a change of a stored record writes single members of the object: null removes one. */
  isPatched?: true
  /** How a merge combines its elements, if it is a list, and how many it may have after a write. */
  list?: ListColumn & { max: number }
  reference?: Reference
  link?: Links
  key?: FieldKey
  /** How many records a filter by its column leaves. */
  matches?(op: Operator): Matches
  /** Common header names of its CSV column, without spaces and punctuation; or those of several columns, by name. */
  headers?: string | Readonly<Record<string, string>>
}

/** The fields of a record type by name, in the order in which answers show them. */
export type RecordFields = Readonly<Record<string, RecordField>>

/** How records of a type are merged (clusters/). */
export type Merging = {
  /** Columns that are only valid together, by the first of them. Every other column is a unit of its own. */
  units?: Readonly<Record<string, readonly string[]>>
  /** Units whose other columns explain the first one: a write that changes only the first clears them. */
  explained?: readonly string[]
  /** Columns whose elements are combined. */
  lists: Readonly<Record<string, ListColumn>>
  /** The policy of each unit; by default `primary`. */
  policies: Readonly<Record<string, Policy>>
  /** Columns of which a change writes single members (`patchMembers`). */
  patched: readonly string[]
  /** Clears the values of a cluster that are invalid without another value. */
  repair?(state: StoredColumns): StoredColumns
  /** Adjusts the result of a merge or an undo to the current settings of the org. */
  adjust?(state: StoredColumns, orgDefaults: OrgDefaults): StoredColumns
}

/** Everything that distinguishes a record type. The rest of the behavior is shared (`records/`). */
export type RecordType = {
  /** The table, and the first word of the events. */
  entity: EntityType
  path: '/contacts' | '/companies' | '/deals'
  tag: string
  idField: 'contact_id' | 'company_id' | 'deal_id'
  fields: RecordFields
  /** The columns that a write sets, with their SQL types. */
  columns: Readonly<Record<string, string>>
  /** The path of each column in a request: `consent.email`. */
  paths: Readonly<Record<string, string>>
  /** How answers show the table under the alias `r`, by member; the first one is the id. */
  members: Members
  /** The wire form of the table under the alias `r`; its first member is the id. */
  wire: JsonColumns
  /** The SQL function of the full-text search `q`. */
  search: string
  references: readonly Reference[]
  links: readonly Links[]
  referrers: readonly Referrer[]
  /** The schema of a new record. */
  input: z.ZodObject
  /** The schema of a change; all members are optional. */
  changes: z.ZodObject
  response: z.ZodObject
  /** The filters of lists and searches by name, besides `custom.<key>`. */
  filters: Readonly<Record<string, FilterField>>
  /** The values of `sort`, besides their opposites with a minus. */
  sorts: Readonly<Record<string, Sort>>
  /** The values of `match_on`, each with the keys by which a record matches. */
  matchOn: Readonly<Record<string, FieldKey['of']>>
  example: Record<string, unknown>
  changeExample: Record<string, unknown>

  /**
   * The columns after a write of `fields`; `before` is null for a new record.
   * @param add true if lists grow instead of being replaced (upsert)
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply(before: StoredColumns | null, fields: Fields, orgDefaults: OrgDefaults, add: boolean): StoredColumns
  /**
   * Refuses columns that are inconsistent.
   * @throws ValidationError at ["body", …]
   */
  check(before: StoredColumns | null, after: StoredColumns, orgDefaults: OrgDefaults): void
  merging: Merging
  /** All keys of an active record. */
  keys(state: StoredColumns): ExactKey[]
  /** The texts that `q` searches, the most important first: it finds 64 words of a record. */
  searchable(state: StoredColumns): (string | null | undefined)[]
  /** Whether a write of `fields` depends on the org's default country. */
  needsCountry(fields: Fields): boolean
  /** What else a write depends on in the org, locked until the transaction ends. */
  orgDefaults?(tx: OrgTx): Promise<Partial<OrgDefaults>>
}

/** A record type that knows what else an erasure removes. Types without it cannot be erased by mistake. */
export type ErasableType = RecordType & {
  /** Removes the data that other features store of a record. */
  erase(tx: OrgTx, stored: Stored): Promise<void>
}

export type KeyFilter = {
  schema: z.ZodType<string | undefined>
  description: string
  key(value: string, orgDefaults: OrgDefaults): ExactKey | { problem: string }
  needsCountry?(value: string): boolean
}

/** What a filter needs to know of the organization. */
export type FilterContext = {
  orgId: string
  /** The records whose references are being moved (pending-moves.ts); null: the statement finds them itself. */
  moving: readonly string[] | null
  orgDefaults: OrgDefaults
}

/** How many records a condition leaves, if an index finds them: `few` can be counted and sorted at once. */
export type Matches = 'few' | 'many' | null

/** A field or key by which records are filtered. */
export type FilterField = {
  /** Reads one value. */
  schema: z.ZodType<Scalar | undefined>
  description?: string
  operators: readonly Operator[]
  /** The record type that a value refers to. */
  names?: 'contact' | 'company'
  needsCountry?(value: string): boolean
  /** For exact keys: the key of a value. */
  keyOf?(value: Scalar, orgDefaults: OrgDefaults): HashedKey | Refusal
  /** By default null: no index finds the records. */
  matches?(op: Operator): Matches
  /** A condition on the record `r`, or why the value cannot be read. */
  where(op: Operator, value: Scalar | readonly Scalar[], context: FilterContext): Sql | Refusal
}

/** A key by which lists are sorted. */
export type Sort = {
  /** SQL of the record `r`; without it, records are sorted by their ids, which is the order in which they were created. */
  key?: { sql: string; type: string; isNullable: boolean; isIndexed: boolean }
}
