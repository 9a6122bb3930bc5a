import { type FeatureTable, FeatureTableBuilder } from './feature-table.ts'
import type { Locale } from './fields/field-type.ts'
import { type ComparedField, fieldsOf } from './fields/plan.ts'
import { type KeyKind, keyKindsOf } from './key-kinds.ts'
import { normalizeRecord } from './normalize.ts'
import type { MatchRecord, Schema } from './schema.ts'

/** Normalized records of one schema. A record is identified by its index. */
export type RecordSet = {
  schema: Schema
  fields: readonly ComparedField[]
  kinds: readonly KeyKind[]
  table: FeatureTable
}

/**
 * Add records in the order of their ids: the index orders pairs of equal weight, so the result is always the same.
 */
export class RecordSetBuilder {
  readonly #schema: Schema
  readonly #fields: readonly ComparedField[]
  readonly #table: FeatureTableBuilder
  readonly #locale: Locale

  constructor(schema: Schema, locale: Locale = { defaultCountry: null }) {
    this.#schema = schema
    this.#fields = fieldsOf(schema)
    this.#table = new FeatureTableBuilder(this.#fields.length)
    this.#locale = locale
  }

  add(record: MatchRecord): void {
    this.#table.add(normalizeRecord(this.#fields, record, this.#locale))
  }

  /** Returns the set, in memory that threads share. Add nothing afterwards. */
  finish(): RecordSet {
    const fields = this.#fields
    return { schema: this.#schema, fields, kinds: keyKindsOf(fields), table: this.#table.finish() }
  }
}
