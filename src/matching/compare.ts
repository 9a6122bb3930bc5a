import { itemAt, uint8At, uint32At } from './element-at.ts'
import { type FeatureTable, featuresOf, textReader, type ValueColumn } from './feature-table.ts'
import { sameLocalPartLevel } from './fields/contact-point.ts'
import { swappedLevel } from './fields/person-name.ts'
import type { ComparedField } from './fields/plan.ts'
import type { Features } from './schema.ts'

/** The level of a field without a value in one of the records. */
export const blankLevel = 255
/** The level of unequal values that are not compared yet. */
const unequalLevel = 254

// If first names differ by more than this level, they may be swapped with last names.
const nearFirstNameLevel = 2
const nearLastNameLevel = 1
const manyDigits = /\d.*\d/
const cachedTextsMax = 250_000

/** Compares records field by field. One comparer serves one table. */
export class Comparer {
  readonly fields: readonly ComparedField[]
  readonly #first: number
  readonly #last: number
  readonly #emails: readonly number[]
  readonly #texts: (string | undefined)[][] = []
  readonly #readers: ((id: number) => string)[] = []
  readonly #names = new Float64Array(65_536)
  readonly #nameFields = new Uint8Array(65_536)
  readonly #nameLevels = new Uint8Array(65_536)

  constructor(fields: readonly ComparedField[]) {
    this.fields = fields
    this.#first = fields.findIndex(({ kind }) => kind === 'first_name')
    this.#last = fields.findIndex(({ kind }) => kind === 'last_name')
    this.#emails = fields.flatMap(({ kind }, field) => (kind === 'email' ? [field] : []))
  }

  /** Writes the level of each field into `levels`; `blankLevel` for a missing value. Symmetric. */
  compare(a: Features, b: Features, levels: Uint8Array): void {
    for (let field = 0; field < this.fields.length; field += 1) {
      const [left, right] = [a[field], b[field]]
      levels[field] = left && right ? this.#level(field, left, right) : blankLevel
    }
    this.#findSwap(levels, a[this.#first], a[this.#last], b[this.#first], b[this.#last])
    for (const email of this.#emails) {
      if (!this.#mayBeNamesOnly(levels, email)) continue
      if (this.#isOfNames(levels, email, a) || this.#isOfNames(levels, email, b)) levels[email] = blankLevel
    }
  }

  #mayBeNamesOnly(levels: Uint8Array, email: number): boolean {
    return (
      levels[email] === sameLocalPartLevel &&
      (isLevelAtMost(levels, this.#first, nearFirstNameLevel) ||
        isLevelAtMost(levels, this.#last, nearLastNameLevel))
    )
  }

  /**
   * Whether the local part of an address only repeats names that both records have. The address is then no evidence:
   * ada.lovelace@ at two companies may be two people.
   */
  #isOfNames(levels: Uint8Array, emailField: number, features: Features): boolean {
    const email = features[emailField] ?? ''
    const local = email.slice(0, email.lastIndexOf('@'))
    if (manyDigits.test(local)) return false
    let letters = local.replace(/[^a-z]/g, '')
    if (isLevelAtMost(levels, this.#first, nearFirstNameLevel))
      letters = letters.replace(features[this.#first] ?? '', '')
    if (isLevelAtMost(levels, this.#last, nearLastNameLevel))
      letters = letters.replace(features[this.#last] ?? '', '')
    return letters.length <= 1
  }

  #level(field: number, a: string, b: string): number {
    return a === b ? 0 : levelOf(itemAt(this.fields, field), a, b)
  }

  /** Like `compare`, for two records of the table. */
  compareIn(table: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    this.compareIds(table, a, b, levels)
    for (let field = 0; field < levels.length; field += 1) {
      if (levels[field] === unequalLevel) levels[field] = this.compareField(table, a, b, field)
    }
    this.refine(table, a, b, levels)
  }

  /** Compares value ids. The levels are 0, `blankLevel` or `unequalLevel`. */
  compareIds({ cells, width }: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    const rowA = a * width
    const rowB = b * width
    for (let field = 0; field < width; field += 1) {
      const left = uint32At(cells, rowA + field)
      const right = uint32At(cells, rowB + field)
      levels[field] = left === 0 || right === 0 ? blankLevel : left === right ? 0 : unequalLevel
    }
  }

  /** Returns the level of two values that differ. */
  compareField({ cells, width, columns }: FeatureTable, a: number, b: number, field: number): number {
    return this.#remembered(
      itemAt(columns, field),
      field,
      uint32At(cells, a * width + field),
      uint32At(cells, b * width + field),
    )
  }

  /** Adjusts levels that depend on several fields. */
  refine(table: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    this.refineNames(table, a, b, levels)
    for (const email of this.#emails) {
      if (!this.#mayBeNamesOnly(levels, email)) continue
      const [left, right] = [featuresOf(table, a), featuresOf(table, b)]
      if (this.#isOfNames(levels, email, left) || this.#isOfNames(levels, email, right))
        levels[email] = blankLevel
    }
  }

  /** Adjusts the levels of two names that are swapped. */
  refineNames({ cells, width, columns }: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    if (!this.#mayBeSwapped(levels)) return
    const text = (record: number, field: number) =>
      this.#text(itemAt(columns, field), field, uint32At(cells, record * width + field))
    const [first, last] = [this.#first, this.#last]
    this.#findSwap(levels, text(a, first), text(a, last), text(b, first), text(b, last))
  }

  /**
   * The fields in the order of comparison. Names come first, because they rule out most pairs. Company names come
   * last.
   */
  cheapestFirst({ columns }: FeatureTable): number[] {
    const cost = (field: number) => {
      if (field === this.#first || field === this.#last) return 0
      return itemAt(this.fields, field).kind === 'company_name'
        ? Number.MAX_VALUE
        : itemAt(columns, field).size
    }
    return this.fields.map((_, field) => field).sort((x, y) => cost(x) - cost(y) || x - y)
  }

  /** The number of name fields, 0 to 2. They are the first of `cheapestFirst`. */
  get names(): number {
    return Number(this.#first >= 0) + Number(this.#last >= 0)
  }

  /** Keeps recent comparisons, because the same few values are in most pairs. */
  #remembered(column: ValueColumn, field: number, a: number, b: number): number {
    if (column.size > cachedTextsMax) {
      return levelOf(itemAt(this.fields, field), this.#text(column, field, a), this.#text(column, field, b))
    }
    const [low, high] = a < b ? [a, b] : [b, a]
    const slot =
      (Math.imul(low, 0x9e3779b1) + Math.imul(high, 0x85ebca77) + Math.imul(field, 0xc2b2ae3d)) >>> 16
    const name = low * 0x4000000 + high
    if (this.#names[slot] === name && this.#nameFields[slot] === field) return uint8At(this.#nameLevels, slot)
    const level = levelOf(
      itemAt(this.fields, field),
      this.#text(column, field, low),
      this.#text(column, field, high),
    )
    this.#names[slot] = name
    this.#nameFields[slot] = field
    this.#nameLevels[slot] = level
    return level
  }

  /** Decodes each text once, unless the field has too many values. */
  #text(column: ValueColumn, field: number, id: number): string {
    const reader = this.#readers[field] ?? textReader(column)
    this.#readers[field] = reader
    if (column.size > cachedTextsMax) return reader(id)
    // An array of full length: if its ids came in any order, an array that grows would become a slow hash table.
    const texts = this.#texts[field] ?? new Array<string | undefined>(column.size + 1)
    this.#texts[field] = texts
    const text = texts[id] ?? reader(id)
    texts[id] = text
    return text
  }

  #mayBeSwapped(levels: Uint8Array): boolean {
    if (this.#first < 0 || this.#last < 0) return false
    const first = uint8At(levels, this.#first)
    const last = uint8At(levels, this.#last)
    return (
      first > nearFirstNameLevel && last > nearLastNameLevel && first !== blankLevel && last !== blankLevel
    )
  }

  /** Counts swapped names once: the first name gets the level `swapped`, and the last name counts as missing. */
  #findSwap(
    levels: Uint8Array,
    firstA?: string | null,
    lastA?: string | null,
    firstB?: string | null,
    lastB?: string | null,
  ): void {
    if (!this.#mayBeSwapped(levels) || !firstA || !lastA || !firstB || !lastB) return
    if (this.#level(this.#last, firstA, lastB) > nearLastNameLevel) return
    if (this.#level(this.#last, lastA, firstB) > nearLastNameLevel) return
    levels[this.#first] = swappedLevel
    levels[this.#last] = blankLevel
  }
}

/** The field is -1 if the schema has no names. */
function isLevelAtMost(levels: Uint8Array, field: number, max: number): boolean {
  const level = levels[field]
  return level !== undefined && level <= max
}

function levelOf({ type }: ComparedField, a: string, b: string): number {
  if (!a.includes('\n') && !b.includes('\n')) return type.compare(a, b)
  let best = type.levels.length - 1
  for (const left of a.split('\n'))
    for (const right of b.split('\n')) best = Math.min(best, left === right ? 0 : type.compare(left, right))
  return best
}
