import type { z } from 'zod'
import type { Actor } from '../events/record.ts'
import type { JsonColumns } from '../platform/db/json-columns.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Policy } from './clusters/survivorship.ts'
import type { Stored } from './lock.ts'

/** One exact-match key of a record: what kind of thing, and its normalised value. */
export type ExactKey = { kind: string; value: string }

/** A record's own columns as they are stored: text, text[], json and so on, by column name. */
export type State = Record<string, unknown>

/** What a writer sends: wire fields that were named, validated; null clears. */
export type Fields = Record<string, unknown>

export type Surroundings = {
  /** ISO 3166-1 alpha-2 country of phone numbers without a country code. */
  defaultCountry: string | null
  /** The stages that a deal may be in. */
  stages?: readonly string[]
}

/** A reference to another kind of record: as its writer named it, and the record that stands for that one now. */
export type Reference = { field: string; rawColumn: string; column: string; to: 'company' }

/**
 * References to any number of records, rows of a table of their own (links.ts). In a State both columns are lists, in
 * the same order.
 */
export type Links = Omit<Reference, 'to'> & { table: 'deal_contact'; to: 'contact' }

/** A kind of record that names this kind, and by which of its references; those of `table` are its links. */
export type Referrer = Omit<Reference, 'to'> & { entity: 'contact' | 'deal'; table?: 'deal_contact' }

/** A column that holds any number of elements; those of an object are its `[key, value]`. */
export type ListColumn = {
  /** The column of its primary element, which leads it. */
  primary?: string
  /** The same for elements that are the same. */
  keyOf(element: unknown): string
}

/** How records of a type become one (clusters/). */
type Merging = {
  /** Columns that hold only together, by the first of them; every other column stands for itself. */
  units?: Readonly<Record<string, readonly string[]>>
  /**
   * Units whose other columns say how the first came about: a write that changes the first alone clears them.
   */
  explained?: readonly string[]
  /** Columns whose elements come together. */
  lists: Readonly<Record<string, ListColumn>>
  /** What decides between two records, by unit; where none is named, `primary` does. */
  policies: Readonly<Record<string, Policy>>
  /** Brings what a merge or its undoing gives into line with what the org has now. */
  settle?(state: State, surroundings: Surroundings): State
}

/** Everything that tells one kind of record from another; the rest of their life is the same (`records/`). */
export type RecordType = {
  /** The table, and the first word of the events. */
  entity: 'contact' | 'company' | 'deal'
  path: '/contacts' | '/companies' | '/deals'
  tag: string
  idField: 'contact_id' | 'company_id' | 'deal_id'
  /** Columns that a write sets, with their SQL types. */
  columns: Readonly<Record<string, string>>
  /** The fields of columns that have another name, by their path: `consent.email`. */
  fieldNames: Readonly<Record<string, string>>
  /** The wire form, of the table under the alias `r`; its first member is the id. */
  wire: JsonColumns
  /** The SQL function that answers `q`. */
  search: string
  references: readonly Reference[]
  links: readonly Links[]
  referrers: readonly Referrer[]
  /** Fields that a writer may send of a new record. */
  fields: z.ZodObject
  /** Fields that a writer may send to change one, all optional. */
  changes: z.ZodObject
  response: z.ZodObject
  /** Query parameters that filter by a key, and what key a value stands for. */
  keyFilters: Readonly<Record<string, KeyFilter>>
  /** What `match_on` may say, and the keys that a record with these columns is matched by. */
  matchOn: Readonly<Record<string, (state: State) => ExactKey[]>>
  example: Record<string, unknown>
  changeExample: Record<string, unknown>

  /**
   * The columns after a write of `fields` to a record that has `before` (a new one: null).
   * @param add true where lists grow instead of being replaced (upsert)
   * @throws ValidationError at ["body", …] for what cannot be read
   */
  apply(before: State | null, fields: Fields, surroundings: Surroundings, add: boolean): State
  /** Refuses columns that do not go together. @throws ValidationError at ["body", …] */
  check(before: State | null, after: State, surroundings: Surroundings): void
  merging: Merging
  /** All keys by which an active record is found. */
  keys(state: State): ExactKey[]
  /** What `q` searches. */
  searchable(state: State): (string | null | undefined)[]
  /** True if a write of `fields` needs to know the org's default country. */
  needsCountry(fields: Fields): boolean
  /** What else a write needs to know of the org, as it stays until the transaction ends. */
  surroundings?(tx: Tx, orgId: string): Promise<Partial<Surroundings>>
  /** Removes what else is held of a record that is being erased: it has no keys any more. */
  erase?(tx: Tx, actor: Actor, stored: Stored): Promise<void>
  /** Other query parameters. One named `status` leaves it to `archived` to ask for archived records. */
  columnFilters: Readonly<Record<string, ColumnFilter>>
}

export type KeyFilter = {
  schema: z.ZodType<string | undefined>
  description: string
  key(value: string, surroundings: Surroundings): ExactKey | { problem: string }
  needsCountry?(value: string): boolean
}

export type ColumnFilter = {
  schema: z.ZodType
  /** The kind of record that it names. */
  names?: 'contact' | 'company'
  /**
   * SQL of the condition on the record `r`, given the parameter that stands for the value.
   * @param moving records of the kind that it names whose children are being moved (moving.ts); null: the statement is to
   *   look for these itself
   */
  where(parameter: string, moving: readonly string[] | null): string
}
