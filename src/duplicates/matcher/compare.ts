import { type FeatureTable, featuresOf, textReader, type ValueColumn } from './feature-table.ts'
import { sameLocalPart } from './fields/contact-point.ts'
import { swapped } from './fields/person-name.ts'
import type { Field } from './fields/plan.ts'
import type { Features } from './schema.ts'

/** The level of a field that is blank in either record. */
export const blank = 255
/** The level of a field whose values are not equal, before they are compared. */
const unlike = 254

// A first name further apart than this may be the other's last name.
const nearFirst = 2
const nearLast = 1
const manyDigits = /\d.*\d/
const textsKept = 250_000

/** Compares pairs of records field by field; those of a table all of the same one. */
export class Comparer {
  readonly fields: readonly Field[]
  readonly #first: number
  readonly #last: number
  readonly #emails: readonly number[]
  readonly #texts: string[][] = []
  readonly #readers: ((id: number) => string)[] = []
  readonly #names = new Float64Array(65_536)
  readonly #nameFields = new Uint8Array(65_536)
  readonly #nameLevels = new Uint8Array(65_536)

  constructor(fields: readonly Field[]) {
    this.fields = fields
    this.#first = fields.findIndex(({ kind }) => kind === 'first_name')
    this.#last = fields.findIndex(({ kind }) => kind === 'last_name')
    this.#emails = fields.flatMap(({ kind }, field) => (kind === 'email' ? [field] : []))
  }

  /** Puts the level of each field into `levels`, `blank` where one has no value. Symmetric. */
  compare(a: Features, b: Features, levels: Uint8Array): void {
    for (let field = 0; field < this.fields.length; field += 1) {
      const [left, right] = [a[field], b[field]]
      levels[field] = left && right ? this.#level(field, left, right) : blank
    }
    this.#findSwap(levels, a[this.#first], a[this.#last], b[this.#first], b[this.#last])
    for (const email of this.#emails) {
      if (!this.#mayBeNamesOnly(levels, email)) continue
      if (this.#isOfNames(levels, a[email]!, a) || this.#isOfNames(levels, b[email]!, b))
        levels[email] = blank
    }
  }

  #mayBeNamesOnly(levels: Uint8Array, email: number): boolean {
    return (
      levels[email] === sameLocalPart &&
      (levels[this.#first]! <= nearFirst || levels[this.#last]! <= nearLast)
    )
  }

  /**
   * Whether the local part of an address is made of names on which the two agree: ada.lovelace@ two companies may be
   * one that moved or two of one name, and says no more than the names have said.
   */
  #isOfNames(levels: Uint8Array, email: string, features: Features): boolean {
    const local = email.slice(0, email.lastIndexOf('@'))
    if (manyDigits.test(local)) return false
    let letters = local.replace(/[^a-z]/g, '')
    if (levels[this.#first]! <= nearFirst) letters = letters.replace(features[this.#first] ?? '', '')
    if (levels[this.#last]! <= nearLast) letters = letters.replace(features[this.#last] ?? '', '')
    return letters.length <= 1
  }

  #level(field: number, a: string, b: string): number {
    return a === b ? 0 : levelOf(this.fields[field]!, a, b)
  }

  /** The same for two records of a table. */
  compareIn(table: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    this.compareIds(table, a, b, levels)
    for (let field = 0; field < levels.length; field += 1) {
      if (levels[field] === unlike) levels[field] = this.compareField(table, a, b, field)
    }
    this.refine(table, a, b, levels)
  }

  /** What can be said without looking at values: 0 for equal ones, `blank`, or `unlike`. */
  compareIds({ cells, width }: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    const rowA = a * width
    const rowB = b * width
    for (let field = 0; field < width; field += 1) {
      const left = cells[rowA + field]!
      const right = cells[rowB + field]!
      levels[field] = left === 0 || right === 0 ? blank : left === right ? 0 : unlike
    }
  }

  /** The level of a field in which two records of a table have unlike values. */
  compareField({ cells, width, columns }: FeatureTable, a: number, b: number, field: number): number {
    return this.#remembered(columns[field]!, field, cells[a * width + field]!, cells[b * width + field]!)
  }

  /** What only several fields together can say, once each has been compared. */
  refine(table: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    this.refineNames(table, a, b, levels)
    for (const email of this.#emails) {
      if (!this.#mayBeNamesOnly(levels, email)) continue
      const [left, right] = [featuresOf(table, a), featuresOf(table, b)]
      if (this.#isOfNames(levels, left[email]!, left) || this.#isOfNames(levels, right[email]!, right)) {
        levels[email] = blank
      }
    }
  }

  /** Sees first and last name that have been swapped. */
  refineNames({ cells, width, columns }: FeatureTable, a: number, b: number, levels: Uint8Array): void {
    if (!this.#mayBeSwapped(levels)) return
    const text = (record: number, field: number) =>
      this.#text(columns[field]!, field, cells[record * width + field]!)
    const [first, last] = [this.#first, this.#last]
    this.#findSwap(levels, text(a, first), text(a, last), text(b, first), text(b, last))
  }

  /** The fields by what comparing them costs in this table, names first: these tell most people apart; companies' last. */
  cheapestFirst({ columns }: FeatureTable): number[] {
    const cost = (field: number) => {
      if (field === this.#first || field === this.#last) return 0
      return this.fields[field]!.kind === 'company_name' ? Number.MAX_VALUE : columns[field]!.size
    }
    return this.fields.map((_, field) => field).sort((x, y) => cost(x) - cost(y) || x - y)
  }

  /** How many of `cheapestFirst` are names. */
  get names(): number {
    return Number(this.#first >= 0) + Number(this.#last >= 0)
  }

  /** Few values make up most pairs: what has been compared lately is not compared again. */
  #remembered(column: ValueColumn, field: number, a: number, b: number): number {
    if (column.size > textsKept) {
      return levelOf(this.fields[field]!, this.#text(column, field, a), this.#text(column, field, b))
    }
    const [low, high] = a < b ? [a, b] : [b, a]
    const slot =
      (Math.imul(low, 0x9e3779b1) + Math.imul(high, 0x85ebca77) + Math.imul(field, 0xc2b2ae3d)) >>> 16
    const name = low * 0x4000000 + high
    if (this.#names[slot] === name && this.#nameFields[slot] === field) return this.#nameLevels[slot]!
    const level = levelOf(
      this.fields[field]!,
      this.#text(column, field, low),
      this.#text(column, field, high),
    )
    this.#names[slot] = name
    this.#nameFields[slot] = field
    this.#nameLevels[slot] = level
    return level
  }

  /** Texts of a field with not too many values are decoded once. */
  #text(column: ValueColumn, field: number, id: number): string {
    const reader = this.#readers[field] ?? textReader(column)
    this.#readers[field] = reader
    if (column.size > textsKept) return reader(id)
    const texts = this.#texts[field] ?? []
    this.#texts[field] = texts
    const text = texts[id] ?? reader(id)
    texts[id] = text
    return text
  }

  #mayBeSwapped(levels: Uint8Array): boolean {
    if (this.#first < 0 || this.#last < 0) return false
    const first = levels[this.#first]!
    const last = levels[this.#last]!
    return first > nearFirst && last > nearLast && first !== blank && last !== blank
  }

  /** Swapped names are one observation: it is the first name's, and the last name has none. */
  #findSwap(
    levels: Uint8Array,
    firstA?: string | null,
    lastA?: string | null,
    firstB?: string | null,
    lastB?: string | null,
  ): void {
    if (!this.#mayBeSwapped(levels) || !firstA || !lastA || !firstB || !lastB) return
    if (this.#level(this.#last, firstA, lastB) > nearLast) return
    if (this.#level(this.#last, lastA, firstB) > nearLast) return
    levels[this.#first] = swapped
    levels[this.#last] = blank
  }
}

function levelOf({ type }: Field, a: string, b: string): number {
  if (!a.includes('\n') && !b.includes('\n')) return type.compare(a, b)
  let best = type.levels.length - 1
  for (const left of a.split('\n'))
    for (const right of b.split('\n')) best = Math.min(best, left === right ? 0 : type.compare(left, right))
  return best
}
