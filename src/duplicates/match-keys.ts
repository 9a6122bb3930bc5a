import { isDeepStrictEqual } from 'node:util'
import type { EntityType } from './entities.ts'
import { type Columns, matchColumns, matchSchemas, toMatchRecord } from './match-record.ts'
import { fieldsOf } from './matcher/fields/plan.ts'
import { type KeyKind, keyKindsOf, keysOf } from './matcher/keys.ts'
import { normaliseRecord } from './matcher/normalise.ts'

/** A match key as it is stored: the number of its kind, and 64 bits as a decimal string for bigint. */
export type StoredMatchKey = { kind: number; hash: string }

/**
 * The kinds of match keys that are stored, by number, which never changes; what else records have in common (e-mail,
 * phone, domain, external ids) has its keys already. Each key costs an import some 6 µs, so these are the ones that pay
 * (bench/RESULTS.md).
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
 * The kinds of keys by which a scan compares, and how many records may share one; null: all kinds, 30 records. Of people
 * whom others (city with one name, company alone, the end of a phone number) bring together, one pair in 7,000 is
 * proposed; of those whose name more than ten have, only such as another key brings together as well.
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

/** The exact keys (`contact_key` and its like) that bring records together as well. */
export const exactKinds: Readonly<Record<EntityType, readonly string[]>> = {
  contact: ['email', 'phone', 'external_id'],
  company: ['domain', 'phone', 'external_id'],
  deal: ['external_id'],
}

function planOf(entity: EntityType) {
  const all = fieldsOf(matchSchemas[entity])
  const wanted = Object.entries(storedKinds[entity])
  const partsOf = (name: string) => {
    const kind = keyKindsOf(all).find((each) => each.name === name)
    if (!kind) throw new Error(`The matcher has no keys of the kind ${name}`)
    return kind.parts.map(({ field }) => all[field]!.column)
  }
  // What is in no key need not be read.
  const columns = new Set(wanted.flatMap(([, name]) => partsOf(name)))
  const fields = fieldsOf(matchSchemas[entity].filter(({ name }) => columns.has(name)))
  const kinds = keyKindsOf(fields)
  return {
    fields,
    kinds: wanted.map(([, name]): KeyKind => kinds.find((kind) => kind.name === name)!),
    numbers: wanted.map(([number]) => Number(number)),
  }
}

const plans = { contact: planOf('contact'), company: planOf('company'), deal: planOf('deal') }

/** The match keys that an active record with these columns has, each once. Pure. */
export function matchKeysOf(entity: EntityType, state: Columns): StoredMatchKey[] {
  const { fields, kinds, numbers } = plans[entity]
  // Numbers are E.164 by now: no country is needed to read them.
  const features = normaliseRecord(fields, toMatchRecord(entity, state), { defaultCountry: null })
  return keysOf(kinds, features).map(({ kind, hash }) => ({
    kind: numbers[kind]!,
    hash: hash.toString(),
  }))
}

/** Whether anything differs that match keys are made of; null: no active record. False: they are the same. */
export function hasOtherMatchKeys(
  entity: EntityType,
  before: Columns | null,
  after: Columns | null,
): boolean {
  if (before === null || after === null) return before !== after
  const [old, now] = [toMatchRecord(entity, before), toMatchRecord(entity, after)]
  return plans[entity].fields.some(({ column }) => !isDeepStrictEqual(old[column], now[column]))
}

/** Whether anything that is compared differs; null: no active record. */
export function matchesOtherwise(entity: EntityType, before: Columns | null, after: Columns | null): boolean {
  if (before === null || after === null) return before !== after
  return (
    matchColumns[entity].some((column) => !isDeepStrictEqual(before[column], after[column])) ||
    !isDeepStrictEqual(before.aliases ?? [], after.aliases ?? [])
  )
}
