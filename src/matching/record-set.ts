import { type FeatureTable, FeatureTableBuilder } from './feature-table.ts'
import type { Locale } from './fields/field-type.ts'
import { type Field, fieldsOf } from './fields/plan.ts'
import { type KeyKind, keyKindsOf } from './key-kinds.ts'
import { normalizeRecord } from './normalize.ts'
import type { MatchRecord, Schema } from './schema.ts'

/** Normalized records of one schema, for training and matching. A record is identified by its place, from 0. */
export type RecordSet = {
  schema: Schema
  fields: readonly Field[]
  kinds: readonly KeyKind[]
  table: FeatureTable
}

/**
 * Collects a set of records. Add them in the order of their ids: if pairs weigh the same, their places decide. So the
 * result does not depend on the order in which records were stored.
 */
export class RecordSetBuilder {
  readonly #schema: Schema
  readonly #fields: readonly Field[]
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
