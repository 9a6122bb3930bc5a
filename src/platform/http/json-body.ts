import { isUtf8 } from 'node:buffer'
import '../parse-json.ts'
import { isStorableText } from './clean-text.ts'
import { exactNumber } from './exact-number.ts'
import { backslash, closing, opening, point, quote, smallU } from './json-bytes.ts'
import { findSyntaxFault, type SyntaxFault } from './json-syntax.ts'
import { detailsMax, notFinite, notUnicode, Refusal } from './refusal.ts'
import { type Detail, detailAt, ValidationError } from './validation.ts'

/** The maximum nesting of a body. Recursive code can read it without using up the stack. */
export const depthMax = 100

/** The body is not UTF-8. The answer is 400. */
export class BadEncoding extends Error {
  constructor() {
    super('The body is not UTF-8; send JSON encoded as UTF-8, without a byte order mark')
    this.name = 'BadEncoding'
  }
}

/**
 * The parsed JSON; undefined without a body. For another content type it is a value that every schema refuses, so the
 * answer is 422 as in FastAPI, not 415.
 * @throws BadEncoding, ValidationError
 */
export function bodyInput(bytes: Buffer | undefined, contentType: string | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined
  return isJsonContentType(contentType) ? parseJsonBody(bytes) : 'not JSON'
}

/** True for application/json and application/*+json in UTF-8, and for a missing content type. */
export function isJsonContentType(value: string | undefined): boolean {
  if (!value || value === 'application/json') return true
  const [type = '', ...parameters] = value.toLowerCase().split(';')
  if (!/^application\/(?:[^\s/]+\+)?json$/.test(type.trim())) return false
  return parameters.every((parameter) => !/^\s*charset\s*=(?!\s*"?utf-?8"?\s*$)/.test(parameter))
}

/**
 * Parses JSON (RFC 8259) of at most depthMax levels. A number that a double would round is
 * returned as `JSON.rawJSON` (exact-number.ts). If an object has a key twice, the last value is
 * used.
 * @throws BadEncoding
 * @throws ValidationError json_invalid, string_unicode or finite_number
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes)
  const { deep, escaped, numeric } = scanBytes(bytes)
  if (deep) throw syntaxError(text)
  const value = parse(text)
  if (mayNeedInspection(text, escaped, numeric)) {
    const details: Detail[] = []
    inspect(value, ['body'], details)
    if (details.length > 0) throw new ValidationError(details)
  }
  return numeric ? parseExactJson(text) : value
}

/** Returns whether `inspect` could refuse something in `text`. `escaped` and `numeric` are results of `scanBytes`. */
export function mayNeedInspection(text: string, escaped: boolean, numeric: boolean): boolean {
  return numeric || (escaped && riskyEscape.test(text))
}

/**
 * Like `JSON.parse`, but returns `JSON.rawJSON` for numbers that a double would round. Use it only for trusted JSON:
 * it recurses without a limit.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(value, source) : value,
  )
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** @throws BadEncoding */
function decode(bytes: Buffer): string {
  checkEncoding(bytes)
  return bytes.toString()
}

/** @throws BadEncoding */
export function checkEncoding(bytes: Buffer): void {
  // A zero byte among the first two bytes means UTF-16 or UTF-32 without a byte order mark (RFC 4627, section 3).
  if (bytes[0] === 0 || bytes[1] === 0 || bytes.subarray(0, 3).equals(byteOrderMark)) throw new BadEncoding()
  if (!isUtf8(bytes)) throw new BadEncoding()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw syntaxError(text)
  }
}

function syntaxError(text: string): ValidationError {
  return syntaxErrorOf(findSyntaxFault(text, depthMax))
}

/** The 422 for a body that is not JSON. @param fault null: the position is not known */
export function syntaxErrorOf(fault: SyntaxFault | null): ValidationError {
  const { at, words } = fault ?? { at: 0, words: 'Expecting value' }
  return new ValidationError([
    detailAt(['body', at], new Refusal('json_invalid', 'JSON decode error', { error: words })),
  ])
}

/** A double stores any 15 significant digits exactly. */
export const safeDigits = 15

/**
 * Scans the bytes before any recursive code runs. A result may be true for a harmless body, which only costs time.
 */
function scanBytes(bytes: Buffer): { deep: boolean; escaped: boolean; numeric: boolean } {
  let depth = 0
  let deepest = 0
  let digits = 0
  let escaped = false
  let numeric = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) {
      digits = 0
      for (at++; at < bytes.length && bytes[at] !== quote; at++) {
        if (bytes[at] === backslash && bytes[++at] === smallU) escaped = true
      }
    } else if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > safeDigits) numeric = true
    } else if ((byte | 0x20) === 0x65) {
      // An e after a digit is an exponent. Any other e belongs to true or false.
      if (digits > 0) numeric = true
      digits = 0
    } else if (byte !== point) {
      digits = 0
      if ((byte | 0x20) === opening) {
        if (++depth > deepest) deepest = depth
      } else if ((byte | 0x20) === closing) depth--
    }
  }
  return { deep: deepest > depthMax, escaped, numeric }
}

/** Escapes that can produce a NUL or a lone surrogate. */
const riskyEscape = /\\u(?:0000|d[89a-f])/i

/** Finds values that no schema accepts: text that PostgreSQL cannot store, and numbers too large for a double. */
function inspect(value: unknown, path: (string | number)[], details: Detail[]): void {
  if (typeof value === 'string' && !isStorableText(value)) details.push(detailAt(path, notUnicode))
  else if (typeof value === 'number' && !Number.isFinite(value)) details.push(detailAt(path, notFinite))
  else if (typeof value === 'object' && value !== null) inspectMembers(value, path, details)
}

/** Inspects all members of a container. `first` is the index of an array's first item. */
export function inspectMembers(
  container: object,
  path: (string | number)[],
  details: Detail[],
  first = 0,
): void {
  const entries = Array.isArray(container) ? container.entries() : Object.entries(container)
  for (const [step, item] of entries) {
    if (details.length >= detailsMax) return
    path.push(typeof step === 'number' ? first + step : step)
    if (typeof step === 'number' || isStorableText(step)) inspect(item, path, details)
    else details.push(detailAt(path, notUnicode))
    path.pop()
  }
}
