import { type FeatureTable, FeatureTableBuilder } from './feature-table.ts'
import type { Locale } from './fields/field-type.ts'
import { type Field, fieldsOf } from './fields/plan.ts'
import { type KeyKind, keyKindsOf } from './keys.ts'
import { normaliseRecord } from './normalise.ts'
import type { MatchRecord, Schema } from './schema.ts'

/** Records of one schema, normalised: what is trained on and matched. A record goes by its place, from 0. */
export type RecordSet = {
  schema: Schema
  fields: readonly Field[]
  kinds: readonly KeyKind[]
  table: FeatureTable
}

/**
 * Collects a set record by record. Add them in the order of an id of theirs: that order settles ties, and what comes
 * out then does not depend on how they were stored.
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
    this.#table.add(normaliseRecord(this.#fields, record, this.#locale))
  }

  /** The set, in memory that threads share. Nothing may be added after. */
  finish(): RecordSet {
    const fields = this.#fields
    return { schema: this.#schema, fields, kinds: keyKindsOf(fields), table: this.#table.finish() }
  }
}
