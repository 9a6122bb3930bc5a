// This import declares the third parameter of revivers.
import './http/exact-number.ts'

/*
 * V8 12.8 and later read the name "gr\u00f6\u00dfe" as `gr\u0` once any object had a member `gr\u0` after members of
 * the same names. They compare the text of an escaped name with the name that they expect
 * (https://issues.chromium.org/issues/521080746, https://github.com/nodejs/node/issues/63785). So one organization's
 * JSON could change names in another's. Loading this file corrects `JSON.parse` in the whole process, also for pg and
 * other packages. Delete this file once its test passes without it.
 */

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown

const parse = JSON.parse

/** JSON with more levels is refused if it has an escaped name. */
const depthMax = 1_000

JSON.parse = ((text: string, reviver?: Reviver): unknown => {
  // Throws for text that is not JSON, so the code below reads only valid JSON.
  const value = reviver ? parse(text, reviver) : parse(text)
  return typeof text === 'string' && hasEscapedName(text) ? new Reader(text, reviver).read() : value
}) as typeof JSON.parse

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    at = afterBlanks(text, endOfString(text, at))
    if (text.charCodeAt(at) === colon) return true
  }
  return false
}

/** The position after the string in which `at` is. */
function endOfString(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    at += code === backslash ? 2 : 1
  }
}

function afterBlanks(text: string, at: number): number {
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

/** Reads JSON that is known to be valid. A reviver is called as soon as a value is read, so `this` lacks later members. */
class Reader {
  readonly #text: string
  readonly #reviver: Reviver | undefined
  #at = 0
  #depth = 0

  constructor(text: string, reviver: Reviver | undefined) {
    this.#text = text
    this.#reviver = reviver
  }

  read(): unknown {
    return this.#revived({}, '')
  }

  #revived(holder: object, key: string): unknown {
    const begin = this.#skipBlanks()
    const value = this.#value(begin)
    if (!this.#reviver) return value
    const isScalar = typeof value !== 'object' || value === null
    return this.#reviver.call(
      holder,
      key,
      value,
      isScalar ? { source: this.#text.slice(begin, this.#at) } : {},
    )
  }

  #value(begin: number): unknown {
    const first = this.#text.charCodeAt(begin)
    if (first === quote) return this.#string()
    if (first === openObject || first === openList) {
      if (++this.#depth > depthMax) throw new SyntaxError(`The JSON has more than ${depthMax} levels`)
      this.#at++
      const container = first === openObject ? this.#object() : this.#list()
      this.#depth--
      return container
    }
    while (!endsScalar(this.#text.charCodeAt(this.#at))) this.#at++
    const scalar = this.#text.slice(begin, this.#at)
    return first === 0x6e ? null : first === 0x74 ? true : first === 0x66 ? false : Number(scalar)
  }

  #object(): object {
    const object: Record<string, unknown> = {}
    while (this.#text.charCodeAt(this.#skipBlanks()) !== closeObject) {
      const name = this.#string()
      this.#skipBlanks()
      this.#at++
      const value = this.#revived(object, name)
      // An assignment to `__proto__` would set the prototype.
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
      else if (value === undefined) delete object[name]
      else object[name] = value
      this.#skipComma()
    }
    this.#at++
    return object
  }

  #list(): unknown[] {
    const list: unknown[] = []
    while (this.#text.charCodeAt(this.#skipBlanks()) !== closeList) {
      list.push(this.#revived(list, String(list.length)))
      this.#skipComma()
    }
    this.#at++
    return list
  }

  #string(): string {
    const begin = this.#at
    this.#at = endOfString(this.#text, begin + 1)
    const text = this.#text.slice(begin, this.#at)
    if (!text.includes('\\')) return text.slice(1, -1)
    // A string alone is read correctly.
    return parse(text)
  }

  #skipBlanks(): number {
    this.#at = afterBlanks(this.#text, this.#at)
    return this.#at
  }

  #skipComma(): void {
    if (this.#text.charCodeAt(this.#skipBlanks()) === comma) this.#at++
  }
}

/** White space, a comma, a bracket, or the end of the text. */
const endsScalar = (code: number) =>
  !(code > 0x20) || code === comma || code === closeList || code === closeObject
