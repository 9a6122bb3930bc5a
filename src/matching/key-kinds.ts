import { itemAt, uint32At } from './element-at.ts'
import type { Token } from './fields/field-type.ts'
import type { ComparedField, FieldKind } from './fields/plan.ts'
import { hashAsBigInt, hashOutput, hashText, mixHash } from './hash.ts'
import type { Features, MatchKey } from './schema.ts'
import { tokenKinds } from './tokens.ts'

/** The maximum number of parts of a match key. */
export const partsMax = 3

/** A part of a match key: a token of one field. */
export type KeyPart = { field: number; token: Token; tokenName: string }

/**
 * How keys of one kind are made. A record needs values for all parts. `unordered`: swapped parts give the same key.
 */
export type KeyKind = {
  name: string
  parts: KeyPart[]
  unordered: boolean
  /** The maximum number of records that share a key; by default 30. */
  max?: number | undefined
}

type PartOf = { kinds: readonly FieldKind[]; token: keyof typeof tokenKinds }
/** `unless` lists kinds of fields with better keys: the recipe is not used if the schema has one of them. */
type Recipe = { parts: readonly PartOf[]; unordered?: true; unless?: readonly FieldKind[] }

const part = (token: keyof typeof tokenKinds, ...kinds: FieldKind[]): PartOf => ({ token, kinds })

const unique = part('whole', 'identifier', 'email', 'phone', 'linkedin', 'external_id')
const last = part('sound', 'last_name')
const first = part('sound', 'first_name')
const place = part('whole', 'city', 'postcode')
const date = part('whole', 'date')
const category = part('whole', 'category')
const ownDomain = part('ownDomain', 'email')
const company = part('firstWord', 'company_name')
const firstWord = part('firstWord', 'text')

/** Each recipe is used with every combination of fields that fits. */
const recipes: readonly Recipe[] = [
  { parts: [unique] },
  { parts: [part('whole', 'domain', 'url')] },
  { parts: [part('lettersOnly', 'last_name'), part('lettersOnly', 'first_name')], unordered: true },
  { parts: [last, first], unordered: true },
  { parts: [last, part('firstThree', 'first_name'), place] },
  { parts: [last, part('whole', 'postcode')] },
  { parts: [first, part('whole', 'postcode')] },
  { parts: [last, part('whole', 'city')], unless: ['phone', 'company_name'] },
  { parts: [first, part('whole', 'city')], unless: ['phone', 'company_name'] },
  { parts: [date] },
  { parts: [date, last] },
  { parts: [date, first] },
  { parts: [date, place] },
  { parts: [date, ownDomain] },
  { parts: [last, category, category] },
  { parts: [first, category, category] },
  { parts: [part('localPart', 'email')] },
  { parts: [last, ownDomain] },
  { parts: [first, ownDomain] },
  { parts: [part('lastSeven', 'phone')] },
  { parts: [last, part('initial', 'first_name'), company] },
  { parts: [first, company] },
  { parts: [part('lettersOnly', 'company_name')], unless: ['first_name', 'last_name'] },
  { parts: [company, place], unless: ['first_name', 'last_name'] },
  { parts: [part('lettersOnly', 'text')] },
  { parts: [part('wordPairs', 'text')] },
  { parts: [firstWord, place] },
  { parts: [firstWord, last] },
  { parts: [firstWord, date] },
  { parts: [part('whole', 'amount'), firstWord] },
]

/** The kinds of keys that records with these fields have. */
export function keyKindsOf(fields: readonly ComparedField[]): KeyKind[] {
  const has = (kinds: readonly FieldKind[]) => fields.some(({ kind }) => kinds.includes(kind))
  return recipes.flatMap(({ parts, unordered = false, unless = [] }) =>
    has(unless)
      ? []
      : choices(fields, parts).map((chosen) => ({ name: nameOf(fields, chosen), parts: chosen, unordered })),
  )
}

function choices(fields: readonly ComparedField[], parts: readonly PartOf[]): KeyPart[][] {
  const [part, ...others] = parts
  if (part === undefined) return [[]]
  const rest = choices(fields, others)
  return fields.flatMap(({ kind }, field) => {
    if (!part.kinds.includes(kind)) return []
    const chosen = { field, token: tokenKinds[part.token], tokenName: part.token }
    // If two parts are equal, their fields must be in order, so that no combination repeats.
    const fits = ([next]: KeyPart[]) => others[0] !== part || (next !== undefined && next.field > field)
    return rest.filter(fits).map((following) => [chosen, ...following])
  })
}

function nameOf(fields: readonly ComparedField[], parts: readonly KeyPart[]): string {
  return parts
    .map(({ field, tokenName }) =>
      tokenName === 'whole' ? itemAt(fields, field).name : `${itemAt(fields, field).name} ${tokenName}`,
    )
    .join(' + ')
}

/** The tokens of a cell. A cell with several lines has several values. */
export function tokensOf({ token }: KeyPart, cell: string): string[] {
  return cell.includes('\n') ? cell.split('\n').flatMap(token) : token(cell)
}

// Up to 16 keys of a kind, comparing is faster: a Set takes 0.3 µs to hash a new number in Node 26.
const comparedKeysMax = 16

/** The halves of the hashes of the parts that `addKeys` has chosen. One buffer avoids an array for each part. */
const chosen = new Uint32Array(2 * partsMax)

/** Returns the match keys of a record. */
export function keysOf(kinds: readonly KeyKind[], features: Features): MatchKey[] {
  const keys: MatchKey[] = []
  for (const [index, kind] of kinds.entries()) {
    const hashes: bigint[] = []
    addKeys(kind, features, 0, hashes)
    for (const hash of distinct(hashes)) keys.push({ kind: index, hash })
  }
  return keys
}

function distinct(hashes: readonly bigint[]): Iterable<bigint> {
  if (hashes.length > comparedKeysMax) return new Set(hashes)
  return hashes.length < 2 ? hashes : hashes.filter((hash, index) => hashes.indexOf(hash) === index)
}

function addKeys(kind: KeyKind, features: Features, depth: number, hashes: bigint[]): void {
  const part = kind.parts[depth]
  if (part === undefined) {
    mixParts(chosen, kind.parts.length, kind.unordered)
    hashes.push(hashAsBigInt())
    return
  }
  const cell = features[part.field]
  if (cell === null || cell === undefined) return
  for (const token of tokensOf(part, cell)) {
    hashText(token)
    chosen[2 * depth] = uint32At(hashOutput, 0)
    chosen[2 * depth + 1] = uint32At(hashOutput, 1)
    addKeys(kind, features, depth + 1, hashes)
  }
}

/**
 * Writes the key of some parts into `hashOutput`. Each hash has two halves. An unordered key has exactly two parts.
 */
export function mixParts(halves: readonly number[] | Uint32Array, count: number, unordered: boolean): void {
  hashOutput[0] = count
  hashOutput[1] = 0
  const swap =
    unordered &&
    (itemAt<number>(halves, 0) > itemAt<number>(halves, 2) ||
      (halves[0] === halves[2] && itemAt<number>(halves, 1) > itemAt<number>(halves, 3)))
  for (let index = 0; index < count; index += 1) {
    const at = 2 * (swap ? count - 1 - index : index)
    mixHash(itemAt<number>(halves, at), itemAt<number>(halves, at + 1))
  }
}
