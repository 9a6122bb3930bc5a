import type { z } from 'zod'
import type { EntityType } from '../matching/entity-type.ts'
import type { Caller } from '../platform/caller.ts'
import type { JsonColumns, JsonMember, JsonMembers, Value } from '../platform/db/json-columns.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Cluster } from './clusters/cluster.ts'
import type { Policy } from './clusters/survivorship.ts'
import type { StoredDefinition } from './defined-fields/definition.ts'
import type { Operator, Scalar } from './filters/tree.ts'
import type { Owners, Reach } from './owners/owner.ts'
import type { StoredList } from './stored-list.ts'

/** A kind and a normalized value that identify or group records. */
export type ExactKey = { kind: string; value: string }

export type HashedKey = { kind: string; hash: string }

/** The rows `k` of one exact value, in the order of lists: their table, their condition and the id of the record. */
export type StoredKeys = { table: Sql; condition: Sql; recordId: Sql }

/** The values of a record's columns, by the name of the column. */
export type StoredColumns = Record<string, unknown>

export type StoredRecord = {
  recordId: string
  status: string
  version: number
  state: StoredColumns
  wasMerged: boolean
  /** Set for a canonical record that took part in a merge. */
  cluster: Cluster | null
}

/** The validated fields of a request. null clears a field. */
export type Fields = Record<string, unknown>

export type OrgDefaults = {
  /** The owners whose records the member of the transaction reaches; undefined: all records. */
  reach?: Reach | undefined
  /** ISO 3166-1 alpha-2, for phone numbers without a country code. */
  defaultCountry: string | null
  stages?: readonly string[]
  /** The org's definitions of members of `custom`. */
  definitions?: readonly StoredDefinition[]
  /** The members that can be named as owners; undefined: the fields name them already by id and address. */
  owners?: Owners
}

/** A field with the id of another record. One column has the id that was written, another the canonical id. */
export type Reference = { field: string; rawColumn: string; column: string; to: 'company' }

/**
 * References that are stored as rows of another table (links.ts). `column` and `rawColumn` are lists in the same
 * order.
 */
export type Links = Omit<Reference, 'to'> & { table: 'deal_contact'; to: 'contact' }

/** A record type that refers to this one. `table` is set if the references are links. */
export type Referrer = Omit<Reference, 'to'> & { entity: 'contact' | 'deal'; table?: 'deal_contact' }

export type NewRecord = { fields: Fields; state: StoredColumns }

/** The id that a dry run gives to a record that it would create. */
export const notCreated = '00000000-0000-0000-0000-000000000000'

/** A member that names another record by a value. The named record is found or created. */
export type NamedReference = {
  member: string
  /** The reference that the member sets. */
  field: string
  schema: z.ZodType
  /** The name of the schema with this member. */
  title: string
  /** @throws DomainError forbidden if the caller may not create a record of the named type */
  admit(caller: Caller): void
  /**
   * Sets the reference of `records`.
   * @param importId the import that creates missing records; null: a request creates them
   * @param dryRun creates nothing; missing records get the id `notCreated`
   */
  resolve(tx: OrgTx, records: readonly NewRecord[], importId: string | null, dryRun?: boolean): Promise<void>
}

/** A column with a list, or with an object whose elements are its `[key, value]` pairs. */
export type ListColumn = {
  /** The column of the primary element, the first element of the list. */
  primary?: string
  /** Returns a text that only equal elements share. */
  keyOf(element: unknown): string
}

export type RecordWrite = {
  before: StoredColumns | null
  fields: Fields
  orgDefaults: OrgDefaults
  /** Whether the write adds to lists, as an upsert does. Other writes replace them. */
  add: boolean
}

export type FieldKey = {
  /** The name of the key. Its filter has the same name, and so has the value of `match_on`. */
  kind: string
  of(state: StoredColumns): ExactKey[]
  /** Whether an upsert can match these keys. */
  isMatched: boolean
  filter?: KeyFilter
}

/**
 * One field of a record type. define-type.ts derives from the fields: schemas, columns, answers, writes, keys,
 * merging, imports and pushes.
 */
export type RecordField<Sent = unknown> = {
  /** The description in the reference. Without it, the schemas have their own descriptions. */
  about?: string
  /** The SQL type of the column with the field's name, or several columns by name. Links have none. */
  columns: string | Readonly<Record<string, string>>
  /** The path of each column in a request, if not the field's name: `consent.email`. */
  paths?: Readonly<Record<string, string>>
  /** The schema in requests. Without it, the field is read-only. */
  input?: z.ZodType<Sent>
  output: z.ZodType
  /** How answers read a row `r`. By default they show the column of the field. */
  wire?: JsonMember
  /**
   * Sets the columns of the field in `state`. By default the column gets the sent value, and empty text clears it.
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply?(state: StoredColumns, sent: Sent | undefined, change: RecordWrite): void
  /** Whether `fields` needs the org's default country. */
  needsCountry?(fields: Fields): boolean
  policy?: Policy
  /** Whether the column follows from another one. Facts do not contain it. */
  isDerived?: true
  /** Whether a change writes single fields of the object. There, null removes a field. */
  isPatched?: true
  /** How a merge combines the elements. `max` is the number of elements that a write may leave. */
  list?: ListColumn & { max: number }
  reference?: Reference
  link?: Links
  key?: FieldKey
  /** An estimate of how many records a filter by the column finds. */
  matches?(op: Operator): ExpectedMatches
  /**
   * Common names of the CSV column, without spaces and punctuation. A field with several columns has names for
   * each.
   */
  headers?: string | Readonly<Record<string, string>>
  /** The columns of an exported CSV file, if they differ from the columns of the wire form. */
  csvColumns?: Readonly<Record<string, Value>>
}

/** The fields of a record type, in the order in which answers show them. */
export type RecordFields = Readonly<Record<string, RecordField>>

export type Merging = {
  /** Columns that are valid only together, by the first column. Every other column is a unit of its own. */
  units?: Readonly<Record<string, readonly string[]>>
  /** Units whose other columns explain the first one. A write of only the first column clears the others. */
  explained?: readonly string[]
  lists: Readonly<Record<string, ListColumn>>
  /** The policy of each unit; by default `primary`. */
  policies: Readonly<Record<string, Policy>>
  /** Columns that follow from others, besides those of references. */
  derived: readonly string[]
  /** Columns with objects of which a change writes only some members (`patchMembers`). */
  patched: readonly string[]
  /** Clears shown values that are invalid without another value. */
  repair?(state: StoredColumns): StoredColumns
  /** Applies the org's current settings after a merge or an undo. */
  adjust?(state: StoredColumns, orgDefaults: OrgDefaults): StoredColumns
}

/** The description of a record type: everything that differs between contacts, companies and deals. */
export type RecordType = {
  /** The name of the table, and the first word of event names. */
  entity: EntityType
  /** The name in openapi.json, and the start of other schema names: `ContactUpsert`. */
  title: string
  path: '/contacts' | '/companies' | '/deals'
  tag: string
  idField: 'contact_id' | 'company_id' | 'deal_id'
  fields: RecordFields
  /** The written columns, with their SQL types. */
  columns: Readonly<Record<string, string>>
  /** The path of each column in a request: `consent.email`. */
  paths: Readonly<Record<string, string>>
  /** How answers show the table under the alias `r`. The first member is the id. */
  members: JsonMembers
  /** The wire form of the table under the alias `r`. The first member is the id. */
  wire: JsonColumns
  search: string
  references: readonly Reference[]
  links: readonly Links[]
  referrers: readonly Referrer[]
  /** The schema of a new record, without `named`. */
  input: z.ZodObject
  named?: NamedReference
  changes: z.ZodObject
  response: z.ZodObject
  /** Names that are not fields of the body, each with the field to send instead. */
  misplaced?: Readonly<Record<string, string>>
  /** Whether `owner_email` may be the address of somebody who is not a member. */
  acceptsOutsideOwners?: true
  /** The filters by name, besides `custom.<key>`. */
  filters: Readonly<Record<string, FilterField>>
  storedLists: readonly StoredList[]
  /** The values of `sort`. A minus before the value gives descending order. */
  sorts: Readonly<Record<string, Sort>>
  /** The values of `match_on`, each with the function that returns the keys to match. */
  matchOn: Readonly<Record<string, FieldKey['of']>>
  /** The keys of the organization's unique fields, which `matchOn` also has (defined-fields/unique-keys.ts). */
  uniqueKeys?: FieldKey['of']
  example: Record<string, unknown>
  shownExample: Record<string, unknown>
  changeExample: Record<string, unknown>

  /**
   * Applies a write of `fields` and returns the columns. `before` is null for a new record.
   * @param add true if lists grow (upsert)
   * @throws ValidationError at ["body", …] for unreadable values
   */
  apply(before: StoredColumns | null, fields: Fields, orgDefaults: OrgDefaults, add: boolean): StoredColumns
  /** @throws ValidationError at ["body", …] for columns that are invalid together */
  check(before: StoredColumns | null, after: StoredColumns, orgDefaults: OrgDefaults): void
  merging: Merging
  keys(state: StoredColumns): ExactKey[]
  /** The texts that `q` searches, the most important first. Only the first 64 words of a record are searched. */
  searchable(state: StoredColumns): (string | null | undefined)[]
  /** Whether a write of `fields` needs the org's default country. */
  needsCountry(fields: Fields): boolean
  /** Reads and locks the other settings of the org that a write depends on. */
  orgDefaults?(tx: OrgTx): Promise<Partial<OrgDefaults>>
}

/** A record type whose records can be erased. */
export type ErasableType = RecordType & {
  /** Removes what other features store of a record. @param memberIds its id, and the ids that it absorbed */
  erase(tx: OrgTx, stored: StoredRecord, memberIds: readonly string[]): Promise<void>
}

export type KeyFilter = {
  schema: z.ZodType<string | undefined>
  description: string
  key(value: string, orgDefaults: OrgDefaults): ExactKey | { problem: string }
  /** The beginning to compare with, for `starts_with`; by default the value itself. */
  start?(value: string): string
  needsCountry?(value: string): boolean
}

export type FilterContext = {
  orgId: string
  /** The records whose references a job is moving (pending-moves.ts). null: the statement itself finds these records. */
  moving: readonly string[] | null
  orgDefaults: OrgDefaults
  /** Whether an index finds the records. Other keys are then looked up for each of them. */
  isFound: boolean
}

/** How many records an index usually finds; null: no index helps. */
export type ExpectedMatches = 'few' | 'many' | null

export type FilterField = {
  schema: z.ZodType<Scalar | undefined>
  description?: string
  operators: readonly Operator[]
  /** The record type that a value refers to. */
  names?: 'contact' | 'company'
  needsCountry?(value: string): boolean
  /** The stored keys that equal a value. */
  keyOf?(value: Scalar, orgDefaults: OrgDefaults): StoredKeys | Refusal
  /** Whether the exact key identifies a record. */
  isMatched?: boolean
  /** How many records an operator finds; null by default, because no index helps. */
  matches?(op: Operator): ExpectedMatches
  /**
   * For operators that find `few` records: the rows, as `<table> where <condition>`. Without this function, each value
   * finds at most one.
   */
  found?(op: Operator, value: Scalar | readonly Scalar[], context: FilterContext): Sql | Refusal
  /** Returns a statement that counts the active records with these values from an index; undefined: none can. */
  countOf?(op: Operator, value: Scalar | readonly Scalar[], context: FilterContext): Sql | undefined
  /** Returns a condition on the record `r`, or why the value is unreadable. */
  where(op: Operator, value: Scalar | readonly Scalar[], context: FilterContext): Sql | Refusal
}

export type Sort = {
  /** SQL of the sort key of the record `r`. Without the key, the order is the order of creation (id). */
  key?: {
    sql: Sql
    type: string
    isNullable: boolean
    /** The field whose index has this order for active records. */
    indexedField?: string
    /** A table expression: the keys of an index (`value`) with their records (`record_id`). */
    index?: Sql
  }
}
