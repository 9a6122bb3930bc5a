import { isDeepStrictEqual } from 'node:util'
import { itemAt, numberAt } from './element-at.ts'
import type { EntityType } from './entity-type.ts'
import { fieldsOf } from './fields/plan.ts'
import { type KeyKind, keyKindsOf, keysOf } from './key-kinds.ts'
import { type Columns, matchColumns, matchSchemas, toMatchRecord } from './match-record.ts'
import { normalizeRecord } from './normalize.ts'

/** The number of the kind, and 64 bits as a decimal string for bigint. */
export type StoredMatchKey = { kind: number; hash: string }

/**
 * The kinds of match keys, with their permanent numbers. E-mail, phone, domain and external ids have exact keys
 * instead. A key costs an import about 6 µs, so only the most useful kinds are stored (bench/RESULTS.md).
 */
const storedKinds: Readonly<Record<EntityType, Readonly<Record<number, string>>>> = {
  contact: {
    1: 'linkedin_url',
    2: 'last_name sound + first_name sound',
    3: 'last_name sound + first_name initial + company_name firstWord',
    4: 'last_name sound + first_name firstThree + city',
  },
  company: { 1: 'linkedin_url', 2: 'name lettersOnly', 3: 'name firstWord + city' },
  deal: { 1: 'name lettersOnly', 2: 'amount + name firstWord' },
}

/**
 * The kinds that a scan uses, and the maximum number of records per key. null: all kinds, 30 records. For contacts, the
 * remaining kinds (city with one name, company alone, end of a phone number) find only one proposal in 7,000 pairs.
 * Where more than ten people have the same name, other keys find their pairs.
 */
export const scannedKinds: Readonly<Record<EntityType, Readonly<Record<string, number>> | null>> = {
  contact: {
    email: 30,
    phone: 30,
    linkedin_url: 30,
    external_ids: 30,
    'last_name lettersOnly + first_name lettersOnly': 10,
    'last_name sound + first_name sound': 10,
    'last_name sound + first_name firstThree + city': 30,
    'last_name sound + email ownDomain': 30,
    'last_name sound + first_name initial + company_name firstWord': 30,
  },
  company: null,
  deal: null,
}

/** Exact keys (`contact_key` and so on) that also find possible duplicates. */
export const exactKinds: Readonly<Record<EntityType, readonly string[]>> = {
  contact: ['email', 'phone', 'external_id'],
  company: ['domain', 'phone', 'external_id'],
  deal: ['external_id'],
}

function kindNamed(kinds: readonly KeyKind[], name: string): KeyKind {
  const kind = kinds.find((each) => each.name === name)
  if (!kind) throw new Error(`The matcher has no keys of the kind ${name}`)
  return kind
}

function planOf(entity: EntityType) {
  const all = fieldsOf(matchSchemas[entity])
  const wanted = Object.entries(storedKinds[entity])
  const partsOf = (name: string) => {
    const kind = kindNamed(keyKindsOf(all), name)
    return kind.parts.map(({ field }) => itemAt(all, field).column)
  }
  // Columns without a key are not read.
  const columns = new Set(wanted.flatMap(([, name]) => partsOf(name)))
  const fields = fieldsOf(matchSchemas[entity].filter(({ name }) => columns.has(name)))
  const kinds = keyKindsOf(fields)
  return {
    fields,
    kinds: wanted.map(([, name]): KeyKind => kindNamed(kinds, name)),
    numbers: wanted.map(([number]) => Number(number)),
  }
}

const plans = { contact: planOf('contact'), company: planOf('company'), deal: planOf('deal') }

/** Returns the match keys of an active record, each once. The function is pure. */
export function matchKeysOf(entity: EntityType, state: Columns): StoredMatchKey[] {
  const { fields, kinds, numbers } = plans[entity]
  // Stored phone numbers are E.164, and need no country.
  const features = normalizeRecord(fields, toMatchRecord(entity, state), { defaultCountry: null })
  return keysOf(kinds, features).map(({ kind, hash }) => ({
    kind: numberAt(numbers, kind),
    hash: hash.toString(),
  }))
}

/** Returns whether a column of the match keys changed. null: the record is not active. */
export function matchKeysChanged(entity: EntityType, before: Columns | null, after: Columns | null): boolean {
  if (before === null || after === null) return before !== after
  const [old, now] = [toMatchRecord(entity, before), toMatchRecord(entity, after)]
  return plans[entity].fields.some(({ column }) => !isDeepStrictEqual(old[column], now[column]))
}

/** Returns whether a compared column changed. null: the record is not active. */
export function comparedFieldsChanged(
  entity: EntityType,
  before: Columns | null,
  after: Columns | null,
): boolean {
  if (before === null || after === null) return before !== after
  return (
    matchColumns[entity].some((column) => !isDeepStrictEqual(before[column], after[column])) ||
    !isDeepStrictEqual(before.aliases ?? [], after.aliases ?? [])
  )
}
