import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { id } from '../platform/http/fields.ts'
import { applyPrimary } from './apply.ts'
import { line } from './fields.ts'
import { canonicalIdSql } from './pending-moves.ts'
import type { Fields, KeyFilter, OrgDefaults, RecordField, Reference } from './record-type.ts'

/** A line of text, at most `max` characters. Empty text clears it, as null does. */
export function lineField(
  max: number,
  { about, headers }: { about?: string; headers?: string } = {},
): RecordField {
  const input = line(max)
  return {
    columns: 'text',
    input: about === undefined ? input : input.describe(about),
    output: z.string().nullable(),
    ...(headers === undefined ? {} : { headers }),
  }
}

/** A reference to another record. */
export function referenceField(reference: Reference): RecordField<string | null | undefined> {
  const { rawColumn, column } = reference
  return {
    columns: { [rawColumn]: 'uuid', [column]: 'uuid' },
    input: id().nullable().optional(),
    output: z.string().nullable(),
    wire: { sql: canonicalIdSql('r', reference), kind: 'uuid' },
    reference,
    apply(state, sent, { before }) {
      state[rawColumn] = sent === undefined ? (before?.[rawColumn] ?? null) : sent
      // `resolveReferences` fills in the canonical id of a sent one.
      state[column] = before?.[column] ?? null
    },
  }
}

/** What an import could not read. A write that replaces one of the `readable` fields clears it. */
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
  /** The field of the primary element, and that of the whole list. */
  one: One
  all: All
  item: z.ZodType<string>
  max: number
  about: { one: string; all: string }
  headers: string
  /** What only equal elements share. */
  keyOf(element: string): string
  /** The keys of the elements: their kind, and the filter by it. */
  key: { kind: string; filter: KeyFilter }
  /** What a request sends of both fields; by default as it is. */
  read?(fields: Fields, orgDefaults: OrgDefaults): Sent
  needsCountry?(fields: Fields): boolean
  /** The elements of a record that has none otherwise. */
  otherwise?(fields: Fields): string[]
}

type Sent = { one: string | null | undefined; all: readonly string[] | null | undefined }

/** A list of exact keys with a primary element, which is a field of its own and comes first in the list. */
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
    columns: 'text[]',
    input: list(item, { max }).nullable().optional().describe(about.all),
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
    columns: 'text',
    input: item.nullable().optional().describe(about.one),
    output: z.string().nullable(),
    // The list sets both columns.
    apply() {},
    headers,
  }
  return { [one]: primary, [all]: whole } as Record<One | All, RecordField>
}
