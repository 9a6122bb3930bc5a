import { isStorableText } from './clean-text.ts'
import {
  checkEncoding,
  depthMax,
  inspectMembers,
  mayNeedInspection,
  parseExactJson,
  parseJsonBody,
  safeDigits,
  syntaxErrorOf,
} from './json-body.ts'
import { backslash, closing, comma, isBlankByte, opening, point, quote, smallU } from './json-bytes.ts'
import {
  type JsonLimits,
  jsonTooLong,
  runMax,
  tooManyContainers,
  tooManyMembers,
  usualLimits,
} from './json-limits.ts'
import { endOfName, followsColon, parsingString, unlocatedFault } from './json-long-string.ts'
import { findingSyntaxFault } from './json-syntax.ts'
import { detailsMax, notUnicode } from './refusal.ts'
import { type Detail, detailAt, ValidationError } from './validation.ts'

/**
 * Gives the result of `parseJsonBody` in steps of a few milliseconds. Pieces with whole members go to `JSON.parse`.
 * @throws what `parseJsonBody` throws; ValidationError too_long for too many containers or members, or a name, number
 * or white space that is too long
 */
export function* parsingJsonBody(
  bytes: Buffer,
  limits: Partial<JsonLimits> = {},
): Generator<undefined, unknown> {
  checkEncoding(bytes)
  const details: Detail[] = []
  const all = { ...usualLimits, ...limits }
  try {
    const value = yield* new PiecewiseParser(bytes, all, details).parse()
    if (details.length > 0 && !all.keepsUnstorable) throw new ValidationError(details.slice(0, detailsMax))
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw syntaxErrorOf(yield* findingSyntaxFault(bytes.toString(), depthMax))
  }
}

/** A container that was opened but not closed yet. Offsets are in bytes. */
type OpenContainer = {
  isObject: boolean
  begin: number
  /** The members parsed so far; null while the whole container may still fit into one piece. */
  value: unknown[] | Record<string, unknown> | null
  /** The index or name of this container in its parent; known as soon as it has a value. */
  step: string | number
  /**
   * `from` is the start of the first member that is not parsed yet. `member` is the start of the last member found.
   */
  from: number
  member: number
  /** True after a member that is a container: only white space may come before the next comma. */
  followsValue: boolean
  members: number
}

class PiecewiseParser {
  readonly #bytes: Buffer
  readonly #pieceBytes: number
  readonly #limits: JsonLimits
  readonly #details: Detail[]
  readonly #open: OpenContainer[] = []
  #root: unknown
  /** The end of the last piece that was parsed. */
  #parsed = 0
  #containers = 0
  #digits = 0
  #escaped = false
  #numeric = false

  constructor(bytes: Buffer, limits: JsonLimits, details: Detail[]) {
    this.#bytes = bytes
    this.#pieceBytes = limits.pieceBytes
    this.#limits = limits
    this.#details = details
  }

  /** @throws SyntaxError for any fault; ValidationError */
  *parse(): Generator<undefined, unknown> {
    const bytes = this.#bytes
    let pause = this.#pieceBytes
    /** The position of the last string, bracket or comma. */
    let last = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === quote) {
        this.#digits = 0
        const begin = at
        const long = begin + this.#pieceBytes
        for (at++; at < long && bytes[at] !== quote; at++) {
          if (bytes[at] === backslash && bytes[++at] === smallU) this.#escaped = true
        }
        if (at >= long) at = yield* this.#longString(begin)
        last = at
      } else if (byte >= 0x30 && byte <= 0x39) {
        if (++this.#digits > safeDigits) this.#numeric = true
      } else if ((byte | 0x20) === 0x65) {
        if (this.#digits > 0) this.#numeric = true
        this.#digits = 0
      } else if (byte !== point) {
        this.#digits = 0
        const isBracket = (byte | 0x20) === opening || (byte | 0x20) === closing
        if ((byte | 0x20) === opening) this.#enter(at, byte === opening)
        else if (isBracket) this.#leave(at, byte === closing)
        else if (byte === comma) this.#next(at)
        if (isBracket || byte === comma) last = at
      }
      if (at < pause) continue
      if (at - last > runMax) throw jsonTooLong('a number or white space')
      pause = at + this.#pieceBytes
      yield
    }
    // The root was not split into pieces: parse it as a whole.
    if (this.#root === undefined)
      return this.#limits.keepsUnstorable ? JSON.parse(bytes.toString()) : parseJsonBody(bytes)
    if (this.#open.length > 0 || !this.#isBlank(this.#parsed, bytes.length)) throw unlocatedFault()
    return this.#root
  }

  #enter(at: number, isObject: boolean): void {
    const { containersMax, levelsMax } = this.#limits
    if (this.#open.length === levelsMax) throw unlocatedFault()
    if (++this.#containers > containersMax) throw tooManyContainers(containersMax)
    const start = { from: at + 1, member: at + 1, followsValue: false, members: 0 }
    this.#open.push({ isObject, begin: at, value: null, step: 0, ...start })
  }

  #next(at: number): void {
    const container = this.#open.at(-1)
    if (!container) throw unlocatedFault()
    if (container.followsValue) this.#passValue(container, at)
    else if (at - this.#parsed >= this.#pieceBytes) {
      this.#giveValue(this.#open.length - 1)
      this.#take(container, at)
      this.#forgetMarks()
    }
    container.member = at + 1
  }

  #leave(at: number, isObject: boolean): void {
    const container = this.#open.at(-1)
    if (container?.isObject !== isObject) throw unlocatedFault()
    if (container.value !== null) {
      if (container.followsValue) this.#passValue(container, at)
      else this.#take(container, at)
      this.#parsed = at + 1
      this.#forgetMarks()
      const around = this.#open.at(-2)
      if (around) Object.assign(around, { followsValue: true, from: at + 1 })
    }
    this.#open.pop()
  }

  /** Requires only white space between a parsed container and the comma or bracket after it. */
  #passValue(container: OpenContainer, at: number): void {
    if (!this.#isBlank(container.from, at)) throw unlocatedFault()
    container.followsValue = false
    container.from = at + 1
    this.#parsed = at + 1
  }

  /** Gives a container a value, and adds it to its parent, after the parent's earlier members. */
  #giveValue(depth: number): void {
    const container = this.#open[depth]!
    if (container.value !== null) return
    container.value = container.isObject ? {} : []
    const around = this.#open[depth - 1]
    if (!around) {
      if (!this.#isBlank(0, container.begin)) throw unlocatedFault()
      this.#root = container.value
      return
    }
    this.#giveValue(depth - 1)
    container.step = this.#addValue(around, container.begin, container.value)
  }

  /** Adds a value that was parsed separately, after earlier members. Returns its index or name. */
  #addValue(around: OpenContainer, begin: number, value: unknown): string | number {
    if (around.followsValue) throw unlocatedFault()
    if (around.member > around.from) this.#take(around, around.member - 1)
    if (around.isObject) {
      const name = this.#nameIn(around, begin)
      this.#addMember(around, name, value)
      return name
    }
    if (!this.#isBlank(around.member, begin)) throw unlocatedFault()
    this.#addItems(around, [value])
    return around.members - 1
  }

  /** Parses a string that is longer than a piece, and adds it to its container. Returns the position of its end. */
  *#longString(begin: number): Generator<undefined, number> {
    const around = this.#open.at(-1)
    if (around?.isObject && !followsColon(this.#bytes, begin)) {
      // A name is parsed with the piece around it.
      this.#escaped = true
      return endOfName(this.#bytes, begin)
    }
    const { value, end } = yield* parsingString(this.#bytes, begin, this.#pieceBytes)
    const path = around ? this.#pathOf(around) : ['body']
    if (around) {
      this.#giveValue(this.#open.length - 1)
      path.push(this.#addValue(around, begin, value))
      Object.assign(around, { followsValue: true, from: end + 1 })
      this.#forgetMarks()
    } else {
      if (this.#root !== undefined || !this.#isBlank(0, begin)) throw unlocatedFault()
      this.#root = value
    }
    if (!isStorableText(value)) this.#details.push(detailAt(path, notUnicode))
    this.#parsed = end + 1
    return end
  }

  #nameIn(around: OpenContainer, begin: number): string {
    const names = Object.keys(JSON.parse(`{${this.#text(around.member, begin)}[]}`))
    const [name] = names
    if (name === undefined || names.length > 1) throw unlocatedFault()
    if (!isStorableText(name)) this.#details.push(detailAt([...this.#pathOf(around), name], notUnicode))
    return name
  }

  /**
   * Parses the members of a container up to `end`, the position of a comma or of the container's
   * end.
   */
  #take(container: OpenContainer, end: number): void {
    const text = this.#text(container.from, end)
    const whole = container.isObject ? `{${text}}` : `[${text}]`
    let piece: unknown[] | Record<string, unknown> = JSON.parse(whole)
    const first = container.members
    const before = this.#details.length
    if (!this.#limits.keepsUnstorable && mayNeedInspection(whole, this.#escaped, this.#numeric)) {
      inspectMembers(piece, this.#pathOf(container), this.#details, first)
      if (this.#numeric && this.#details.length === before) piece = parseExactJson(whole) as typeof piece
    }
    if (Array.isArray(piece)) this.#addItems(container, piece)
    else for (const name of Object.keys(piece)) this.#addMember(container, name, piece[name])
    if (container.members === first) throw unlocatedFault()
    container.from = end + 1
    this.#parsed = end + 1
  }

  #addItems(container: OpenContainer, items: readonly unknown[]): void {
    container.members += items.length
    const { itemsMax } = this.#limits
    if (container.members > itemsMax) throw tooManyMembers(this.#pathOf(container), 'array', itemsMax)
    const value = container.value as unknown[]
    for (const item of items) value.push(item)
  }

  #addMember(container: OpenContainer, name: string, item: unknown): void {
    container.members++
    const { membersMax } = this.#limits
    if (container.members > membersMax) throw tooManyMembers(this.#pathOf(container), 'object', membersMax)
    const value = container.value as Record<string, unknown>
    // An assignment to `__proto__` would set the prototype.
    if (name === '__proto__') Object.defineProperty(value, name, { value: item, ...plain })
    else value[name] = item
  }

  #forgetMarks(): void {
    this.#escaped = false
    this.#numeric = false
  }

  #pathOf(container: OpenContainer): (string | number)[] {
    const inner = this.#open.slice(1, this.#open.indexOf(container) + 1)
    return ['body', ...inner.map(({ step }) => step)]
  }

  #text = (from: number, to: number): string => this.#bytes.toString('utf8', from, to)

  #isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!isBlankByte(this.#bytes[at])) return false
    return true
  }
}

const plain = { writable: true, enumerable: true, configurable: true }
