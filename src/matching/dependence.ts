import { allPairs } from './candidates.ts'
import { blankLevel, type Comparer } from './compare.ts'
import { addAt, int32At, itemAt, numberAt, uint8At, uint32At } from './element-at.ts'
import { type FeatureTable, textReader } from './feature-table.ts'
import type { ComparedField } from './fields/plan.ts'
import { randomNumbers } from './random.ts'
import type { Rates } from './schema.ts'

const pairsDrawn = 10_000
// If there are fewer pairs of different people, or they are a smaller share of the drawn pairs, they may be matches
// with different values.
const pairsMin = 50
const shareMin = 0.1
// Two records count as different people if the odds of their personal fields are lower than this.
const differentPeopleOdds = 0.1
// In bits. A field that explains less is ignored.
const gainMin = 0.05
// The default rates count as this many pairs.
const defaultPairs = 10

export type Dependence = {
  /** For each field, the fields that explain it, each with the rates `u` of pairs that agree on it. */
  u: ReadonlyMap<number, number[]>[]
  /** The rank of each field. Fields that explain more come first. */
  order: number[]
}

/**
 * Draws pairs that share a field, for each field that people can share. Returns the levels of the pairs, one pair after
 * the other; null for a field that people cannot share.
 */
export function drawSharers(comparer: Comparer, table: FeatureTable, seed: number): (Uint8Array[] | null)[] {
  const { fields } = comparer
  return fields.map((field, shared) => {
    if (field.type.sharedAt.length === 0) return null
    return [...sharingPairs(field, table, shared, seed + shared)].map(([a, b]) => {
      const levels = new Uint8Array(fields.length)
      comparer.compareIn(table, a, b, levels)
      return levels
    })
  })
}

/**
 * Learns how the fields of different records depend on each other. Colleagues share a company, and so a city, a mail
 * domain and a switchboard. Of the pairs that share a field (`drawSharers`), those with different personal fields
 * (names, dates of birth, ids) give the rates of all other fields. An agreement that another field explains then
 * weighs less. The model of Fellegi and Sunter assumes independent fields (Winkler 1993, Thibaudeau 1993).
 */
export function dependenceOf(
  fields: readonly ComparedField[],
  sharers: readonly (Uint8Array[] | null)[],
  rates: readonly Rates[],
): Dependence {
  const found = fields.map((_, shared) => ratesAmongSharers(fields, sharers[shared] ?? [], rates, shared))
  const gains = found.map((others) => [...others.values()].reduce((sum, { gain }) => sum + gain, 0))
  const sorted = fields
    .map((_, field) => field)
    .sort((a, b) => numberAt(gains, b) - numberAt(gains, a) || a - b)
  const u = fields.map((_, field) => {
    const explaining = found.flatMap((others, shared): [number, number[]][] => {
      const explained = others.get(field)
      return explained ? [[shared, explained.u]] : []
    })
    return new Map(explaining)
  })
  return { u, order: fields.map((_, field) => sorted.indexOf(field)) }
}

/**
 * Returns for each field the rates `u` among pairs that agree on another field, by the name of the other field. The
 * other field explains the field. A field explains only fields of higher rank, so no two fields explain each other. A
 * field on which all pairs agree explains nothing.
 */
export function ratesGivenAgreement(
  fields: readonly ComparedField[],
  { u, order }: Dependence,
  agreed: ReadonlySet<number>,
): Record<string, number[]>[] {
  return fields.map((_, field) => {
    const explaining = [...itemAt(u, field)].filter(
      ([other]) => agreed.has(other) || numberAt(order, other) < numberAt(order, field),
    )
    return Object.fromEntries(explaining.map(([other, rates]) => [itemAt(fields, other).name, rates]))
  })
}

type Explained = { u: number[]; gain: number }

/** Returns the rates of all other fields among pairs of different people that share a field. */
function ratesAmongSharers(
  fields: readonly ComparedField[],
  sharers: readonly Uint8Array[],
  rates: readonly Rates[],
  shared: number,
): Map<number, Explained> {
  const explained = new Map<number, Explained>()
  const counts = fields.map(({ type }) => new Float64Array(type.levels.length))
  for (const levels of sharers) {
    if (!areDifferentPeople(fields, rates, levels)) continue
    for (let field = 0; field < fields.length; field += 1) {
      const level = uint8At(levels, field)
      if (level !== blankLevel && field !== shared && !isPersonal(itemAt(fields, field)))
        addAt(itemAt(counts, field), level, 1)
    }
  }
  for (const [field, count] of counts.entries()) {
    const total = count.reduce((sum, each) => sum + each, 0)
    if (total < pairsMin || total < shareMin * sharers.length) continue
    const general = itemAt(rates, field).u
    const u = Array.from(
      count,
      (seen, level) => (seen + defaultPairs * numberAt(general, level)) / (total + defaultPairs),
    )
    const gain = u.reduce((bits, rate, level) => bits + rate * Math.log2(rate / numberAt(general, level)), 0)
    if (gain >= gainMin) explained.set(field, { u, gain })
  }
  return explained
}

/** Returns whether the field differs between people of one office or household. */
const isPersonal = ({ type }: ComparedField): boolean => type.sharedAt.length === 0 && type.group !== null

function areDifferentPeople(
  fields: readonly ComparedField[],
  rates: readonly Rates[],
  levels: Uint8Array,
): boolean {
  let odds = 1
  for (let field = 0; field < fields.length; field += 1) {
    const level = uint8At(levels, field)
    if (level !== blankLevel && isPersonal(itemAt(fields, field)))
      odds *= numberAt(itemAt(rates, field).m, level) / numberAt(itemAt(rates, field).u, level)
  }
  return odds <= differentPeopleOdds
}

/**
 * Draws random pairs that share a value, or the part of a value that different people can share. If there are few
 * pairs, returns all.
 */
function* sharingPairs(
  { type }: ComparedField,
  table: FeatureTable,
  field: number,
  seed: number,
): Generator<[number, number]> {
  const column = itemAt(table.columns, field)
  const read = textReader(column)
  const groups = new Map<string, number>()
  const groupOf = new Int32Array(column.size + 1).fill(-1)
  for (let id = 1; id <= column.size; id += 1) {
    const text = read(id)
    const part = type.sharedPart ? type.sharedPart(text) : text
    if (part === null) continue
    const group = groups.get(part) ?? groups.size
    groups.set(part, group)
    groupOf[id] = group
  }
  const starts = new Uint32Array(groups.size + 1)
  const groupAt = (record: number): number =>
    int32At(groupOf, uint32At(table.cells, record * table.width + field))
  for (let record = 0; record < table.size; record += 1) {
    const group = groupAt(record)
    if (group >= 0) starts[group + 1] = uint32At(starts, group + 1) + 1
  }
  for (let group = 0; group < groups.size; group += 1)
    starts[group + 1] = uint32At(starts, group + 1) + uint32At(starts, group)
  const next = starts.slice()
  const members = new Uint32Array(uint32At(starts, groups.size))
  for (let record = 0; record < table.size; record += 1) {
    const group = groupAt(record)
    if (group < 0) continue
    const place = uint32At(next, group)
    members[place] = record
    next[group] = place + 1
  }
  yield* drawWithin(starts, members, seed)
}

/** Yields every n-th pair within groups, from a random start. */
function* drawWithin(starts: Uint32Array, members: Uint32Array, seed: number): Generator<[number, number]> {
  let all = 0
  for (let group = 0; group + 1 < starts.length; group += 1)
    all += allPairs(uint32At(starts, group + 1) - uint32At(starts, group))
  const step = Math.max(1, all / pairsDrawn)
  let wanted = randomNumbers(seed)() * step
  let before = 0
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const pairs = allPairs(uint32At(starts, group + 1) - uint32At(starts, group))
    for (; wanted < before + pairs; wanted += step) {
      const [a, b] = pairNumber(Math.floor(wanted - before))
      yield [uint32At(members, uint32At(starts, group) + a), uint32At(members, uint32At(starts, group) + b)]
    }
    before += pairs
  }
}

/** Returns the pair with this number, in the order (0,1), (0,2), (1,2), (0,3), …. */
function pairNumber(number: number): [number, number] {
  const b = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2)
  return [number - (b * (b - 1)) / 2, b]
}
