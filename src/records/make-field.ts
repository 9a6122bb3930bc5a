import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { id } from '../platform/http/fields.ts'
import { applyPrimary } from './apply.ts'
import { singleLine } from './fields.ts'
import { canonicalIdSql } from './pending-moves.ts'
import type { Fields, KeyFilter, OrgDefaults, RecordField, Reference } from './record-type.ts'

/** Empty text clears the field, as null does. */
export function lineField(about: string, max: number, { headers }: { headers: string }): RecordField {
  return { about, columns: 'text', input: singleLine(max), output: z.string().nullable(), headers }
}

/** A field with the id of another record. It shows the canonical record of that id. */
export function referenceField(reference: Reference, about: string): RecordField<string | null | undefined> {
  const { rawColumn, column } = reference
  return {
    columns: { [rawColumn]: 'uuid', [column]: 'uuid' },
    about,
    input: id().nullable().optional(),
    output: z.string().meta({ format: 'uuid' }).nullable(),
    wire: { sql: canonicalIdSql('r', reference), kind: 'uuid' },
    reference,
    apply(state, sent, { before }) {
      state[rawColumn] = sent === undefined ? (before?.[rawColumn] ?? null) : sent
      // Keep the stored canonical id. `resolveReferences` replaces it if the request sends a reference.
      state[column] = before?.[column] ?? null
    },
  }
}

/** Makes the field for texts that an import could not read. Writing one of the `readable` fields clears them. */
export const rawField = (
  name: string,
  about: string,
  ...readable: string[]
): RecordField<string | undefined> => ({
  columns: 'text',
  output: z.string().nullable().describe(about),
  apply(state, sent, { before, fields, add }) {
    const isReplaced = !add && readable.some((field) => fields[field] !== undefined)
    state[name] = sent ?? (isReplaced ? null : before?.[name]) ?? null
  },
})

type PrimaryList<One extends string, All extends string> = {
  /** The names of the fields for the primary element and for the whole list. */
  one: One
  all: All
  item: z.ZodType<string>
  max: number
  about: { one: string; all: string }
  headers: string
  /** Returns a text that only equal elements share. */
  keyOf(element: string): string
  key: { kind: string; filter: KeyFilter }
  /** Reads both fields from a request. By default they are used as they were sent. */
  read?(fields: Fields, orgDefaults: OrgDefaults): Sent
  needsCountry?(fields: Fields): boolean
  /** The elements to use if the request has none. */
  otherwise?(fields: Fields): string[]
}

type Sent = { one: string | null | undefined; all: readonly string[] | null | undefined }

/** A list of exact keys. The primary element comes first, and is also a field of its own. */
export function primaryList<One extends string, All extends string>({
  one,
  all,
  item,
  max,
  about,
  headers,
  keyOf,
  key,
  read = (fields) => ({ one: fields[one], all: fields[all] }) as Sent,
  needsCountry,
  otherwise = () => [],
}: PrimaryList<One, All>): Record<One | All, RecordField> {
  const whole: RecordField = {
    about: about.all,
    columns: 'text[]',
    input: list(item, { max }).nullable().optional(),
    output: z.array(z.string()),
    apply(state, _sent, { before, fields, orgDefaults, add }) {
      const sent = read(fields, orgDefaults)
      const stored = (before?.[all] ?? []) as string[]
      const named = applyPrimary(stored, sent.one, sent.all, keyOf, add)
      const elements = named.length > 0 ? named : otherwise(fields)
      state[one] = elements[0] ?? null
      state[all] = elements
    },
    ...(needsCountry ? { needsCountry } : {}),
    list: { primary: one, keyOf: (element) => keyOf(element as string), max },
    key: {
      ...key,
      of: (state) => (state[all] as string[]).map((value) => ({ kind: key.kind, value: keyOf(value) })),
      isMatched: true,
    },
  }
  const primary: RecordField = {
    about: about.one,
    columns: 'text',
    input: item.nullable().optional(),
    output: z.string().nullable(),
    // The field of the list sets both columns.
    apply() {},
    headers,
  }
  return { [one]: primary, [all]: whole } as Record<One | All, RecordField>
}
