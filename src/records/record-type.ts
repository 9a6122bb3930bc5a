import type { z } from 'zod'
import type { EntityType } from '../matching/entity-type.ts'
import type { Caller } from '../platform/caller.ts'
import type { JsonColumns, Member, Members, Value } from '../platform/db/json-columns.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Cluster } from './clusters/cluster.ts'
import type { Policy } from './clusters/survivorship.ts'
import type { Operator, Scalar } from './filters/tree.ts'

/** One exact key of a record: its kind and its normalized value. */
export type ExactKey = { kind: string; value: string }

/** A key in the form in which it is stored. */
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
  /** The cluster of a canonical record that ever took part in a merge; otherwise null. */
  cluster: Cluster | null
}

/** The validated fields of a request. null clears a field. */
export type Fields = Record<string, unknown>

export type OrgDefaults = {
  /** The country assumed for phone numbers without a country code (ISO 3166-1 alpha-2). */
  defaultCountry: string | null
  /** The stages that a deal may have. */
  stages?: readonly string[]
}

/** A reference to another record. It has two columns: the id that was written, and the canonical id. */
export type Reference = { field: string; rawColumn: string; column: string; to: 'company' }

/** A list of references, stored as rows of another table (links.ts). Both of its columns are lists in the same order. */
export type Links = Omit<Reference, 'to'> & { table: 'deal_contact'; to: 'contact' }

/** A record type that refers to this one. `table` is set if its references are links. */
export type Referrer = Omit<Reference, 'to'> & { entity: 'contact' | 'deal'; table?: 'deal_contact' }

/** A new record: its fields, and the columns that store them. */
export type NewRecord = { fields: Fields; state: StoredColumns }

/** In a dry run, the id of a record that would be created. */
export const notCreated = '00000000-0000-0000-0000-000000000000'

/** A member of a new record that names another record by one of its values. That record is found or created. */
export type NamedReference = {
  member: string
  /** The reference that it sets. */
  field: string
  schema: z.ZodType
  /** The name of the schema of a new record that has this member. */
  title: string
  /** @throws DomainError forbidden if the caller may not create a record of the named type */
  admit(caller: Caller): void
  /**
   * Sets the reference of `records`.
   * @param importId the import that creates the records which do not exist; null: a request creates them
   * @param dryRun creates nothing; the fields then have the id `notCreated` for a record that does not exist
   */
  resolve(tx: OrgTx, records: readonly NewRecord[], importId: string | null, dryRun?: boolean): Promise<void>
}

/** A column with any number of elements. If the column is an object, the elements are its `[key, value]` pairs. */
export type ListColumn = {
  /** The column of the primary element, which comes first in the list. */
  primary?: string
  /** Returns the same text for equal elements. */
  keyOf(element: unknown): string
}

/** A write to a record: the fields of the request, and the stored columns. `before` is null for a new record. */
export type RecordWrite = {
  before: StoredColumns | null
  fields: Fields
  orgDefaults: OrgDefaults
  /** true: lists grow instead of being replaced (upsert) */
  add: boolean
}

/** The exact keys that a field gives a record. */
export type FieldKey = {
  /** The kind of the keys. The filter and the value of `match_on` have the same name. */
  kind: string
  of(state: StoredColumns): ExactKey[]
  /** Whether an upsert may match on these keys. */
  isMatched: boolean
  filter?: KeyFilter
}

/**
 * One field of a record type. Schemas, columns, the wire form, writes, keys, merging, imports and pushes derive from it
 * (define-type.ts).
 */
export type RecordField<Sent = unknown> = {
  /** The description in the reference. By default its schemas have descriptions of their own. */
  about?: string
  /** The SQL type of the field's only column, which has the name of the field; or several columns by name. Links have none. */
  columns: string | Readonly<Record<string, string>>
  /** The path of each column in a request, if it differs from the field: `consent.email`. */
  paths?: Readonly<Record<string, string>>
  /** The schema of the field in requests. Requests cannot write a field without it. */
  input?: z.ZodType<Sent>
  /** The schema of the field in answers. */
  output: z.ZodType
  /** How answers read the field from a row `r`. By default they show its column. */
  wire?: Member
  /**
   * Sets the field's columns in `state` after a write. By default a column gets the sent value, or keeps the stored one
   * if the request does not name the field. Empty text clears.
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply?(state: StoredColumns, sent: Sent | undefined, change: RecordWrite): void
  /** Whether a write of `fields` needs the default country of the org. */
  needsCountry?(fields: Fields): boolean
  /** How a merge chooses between two values; by default `primary`. */
  policy?: Policy
  /** Set for an object of which a change writes single members. In such a change, null removes a member. */
  isPatched?: true
  /** For a list: how a merge combines the elements, and how many elements a write may leave. */
  list?: ListColumn & { max: number }
  reference?: Reference
  link?: Links
  key?: FieldKey
  /** How many records a filter by the field's column finds. */
  matches?(op: Operator): Matches
  /**
   * Common header names of the field's CSV column, without spaces and punctuation. For a field with several columns,
   * the header names of each column, by the name of the column.
   */
  headers?: string | Readonly<Record<string, string>>
  /** The columns of an exported CSV file, if they differ from the wire form. */
  csvColumns?: Readonly<Record<string, Value>>
}

/** The fields of a record type by name. Answers show them in this order. */
export type RecordFields = Readonly<Record<string, RecordField>>

/** How records of a type are merged (clusters/). */
export type Merging = {
  /**
   * Columns that are valid only together, by the name of the first column. Every other column is a unit by itself.
   */
  units?: Readonly<Record<string, readonly string[]>>
  /**
   * Units whose other columns explain the first column. A write that changes only the first column clears the other
   * columns.
   */
  explained?: readonly string[]
  /** Columns whose elements a merge combines. */
  lists: Readonly<Record<string, ListColumn>>
  /** The policy of each unit; by default `primary`. */
  policies: Readonly<Record<string, Policy>>
  /** Columns of which a change can write single members (`patchMembers`). */
  patched: readonly string[]
  /** Clears values that a cluster shows but that are invalid without another value. */
  repair?(state: StoredColumns): StoredColumns
  /** Adjusts the columns after a merge or an undo to the current settings of the org. */
  adjust?(state: StoredColumns, orgDefaults: OrgDefaults): StoredColumns
}

/** Everything that differs between record types. The rest of `records/` is the same for all types. */
export type RecordType = {
  /** The name of the table, and the first word in the names of its events. */
  entity: EntityType
  /** Its name in openapi.json. The names of other schemas begin with it: `ContactUpsert`. */
  title: string
  path: '/contacts' | '/companies' | '/deals'
  tag: string
  idField: 'contact_id' | 'company_id' | 'deal_id'
  fields: RecordFields
  /** The columns that a write sets, with their SQL types. */
  columns: Readonly<Record<string, string>>
  /** The path of each column in a request: `consent.email`. */
  paths: Readonly<Record<string, string>>
  /** How answers show the table under the alias `r`. The first member is the id. */
  members: Members
  /** The wire form of the table under the alias `r`; its first member is the id. */
  wire: JsonColumns
  /** The SQL function of the full-text search `q`. */
  search: string
  references: readonly Reference[]
  links: readonly Links[]
  referrers: readonly Referrer[]
  /** The schema of a new record, without `named`. */
  input: z.ZodObject
  named?: NamedReference
  /** The schema of a change; all members are optional. */
  changes: z.ZodObject
  response: z.ZodObject
  /** For names that no write has: what to send instead. */
  misplaced?: Readonly<Record<string, string>>
  /** The filters of lists and searches by name, besides `custom.<key>`. */
  filters: Readonly<Record<string, FilterField>>
  /** The values of `sort`. Each also exists with a minus, for descending order. */
  sorts: Readonly<Record<string, Sort>>
  /** The values of `match_on`, each with the keys by which a record matches. */
  matchOn: Readonly<Record<string, FieldKey['of']>>
  example: Record<string, unknown>
  /** A record in the examples of answers. */
  shownExample: Record<string, unknown>
  changeExample: Record<string, unknown>

  /**
   * Applies a write of `fields` and returns the columns. `before` is null for a new record.
   * @param add true if lists grow instead of being replaced (upsert)
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply(before: StoredColumns | null, fields: Fields, orgDefaults: OrgDefaults, add: boolean): StoredColumns
  /** Refuses columns that do not fit together. @throws ValidationError at ["body", …] */
  check(before: StoredColumns | null, after: StoredColumns, orgDefaults: OrgDefaults): void
  merging: Merging
  /** All keys of an active record. */
  keys(state: StoredColumns): ExactKey[]
  /** The texts that `q` searches, the most important first. Only the first 64 words of a record are searched. */
  searchable(state: StoredColumns): (string | null | undefined)[]
  /** Whether a write of `fields` depends on the org's default country. */
  needsCountry(fields: Fields): boolean
  /** Reads further settings of the org that a write depends on. They stay locked until the transaction ends. */
  orgDefaults?(tx: OrgTx): Promise<Partial<OrgDefaults>>
}

/** A record type that can be erased. `erase` is required, so that no type is erased while data of other features stays. */
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

/** The facts about the organization that filters need. */
export type FilterContext = {
  orgId: string
  /** The records whose references are being moved (pending-moves.ts). null: the statement reads them itself. */
  moving: readonly string[] | null
  orgDefaults: OrgDefaults
  /** Whether an index finds the records, so that other keys are looked up for each of them. */
  isFound: boolean
}

/** How many records an index finds for a condition; null: no index helps. `few` can be counted and sorted immediately. */
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
  /** For filters by exact keys: the key that a value has. */
  keyOf?(value: Scalar, orgDefaults: OrgDefaults): HashedKey | Refusal
  /** For filters by exact keys: whether the key identifies a record. */
  isMatched?: boolean
  /** How many records an operator finds by an index. By default null: no index. */
  matches?(op: Operator): Matches
  /** Returns a condition on the record `r`, or the reason why the value cannot be read. */
  where(op: Operator, value: Scalar | readonly Scalar[], context: FilterContext): Sql | Refusal
}

/** A key by which lists are sorted. */
export type Sort = {
  /** SQL of the sort key of the record `r`. Without it, records are sorted by id, which is the order of creation. */
  key?: {
    sql: Sql
    type: string
    isNullable: boolean
    /** The field whose index has this order for active records. */
    indexedField?: string
  }
}
