import { isAscii } from 'node:buffer'

/** How many bytes are checked before other work may run. Checking them takes about 0.2 ms. */
const stepBytes = 64 * 1024
const byteOrderMarks: [string, string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]
/** The bytes that have no character in Windows-1252. */
const undefined1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** The usual name of an encoding (`latin1` is `windows-1252`); null if it is unknown. */
export function encodingNamed(label: string): string | null {
  try {
    // `x-user-defined` can be decoded, but no file has it.
    const { encoding } = new TextDecoder(label.trim().replace(/^"(.*)"$/, '$1'))
    return encoding === 'x-user-defined' ? null : encoding
  } catch {
    return null
  }
}

/**
 * Finds the encoding while the bytes arrive. A byte order mark decides, then the named encoding. Otherwise the file is
 * UTF-8, unless it has more invalid bytes than valid characters beyond ASCII: then it is Windows-1252 if all its bytes
 * are valid in that encoding. So one broken row does not garble the other rows.
 */
export class EncodingCheck {
  readonly #named: string | undefined
  /** Decodes a file that is neither UTF-8 nor Windows-1252; created with the first bytes. */
  #decoder: TextDecoder | null = null
  #encoding: string | null = null
  #problem: string | null = null
  #bytes = 0
  #nuls = 0
  #characters = 0
  #invalid = 0
  #undefined = 0
  /** How many bytes of the current character are still missing. */
  #open = 0

  /** @param named a name that `encodingNamed` returned */
  constructor(named?: string) {
    this.#named = named
  }

  /**
   * Checks the next bytes, and yields often so that other work can run. The first call must pass more than 2 bytes, or
   * the whole file.
   */
  *read(bytes: Buffer): Generator<undefined, void> {
    if (this.#encoding === null) this.#begin(bytes)
    for (let at = 0; at < bytes.length && this.#problem === null; at += stepBytes) {
      this.#readStep(bytes.subarray(at, at + stepBytes))
      yield
    }
  }

  /** The encoding of the bytes so far, or the reason why there is none. */
  result(): { encoding: string } | { problem: string } {
    const problem = this.#problem ?? this.#whyNone()
    if (problem !== null) return { problem }
    const encoding = this.#encoding ?? 'utf-8'
    const isOther = this.#named === undefined && encoding === 'utf-8' && this.#invalid > this.#characters
    return { encoding: isOther ? 'windows-1252' : encoding }
  }

  #begin(bytes: Buffer): void {
    const start = bytes.toString('hex', 0, 3)
    const marked = byteOrderMarks.find(([mark]) => start.startsWith(mark))?.[1]
    this.#encoding = marked ?? this.#named ?? 'utf-8'
    if (this.#encoding !== 'utf-8' && this.#encoding !== 'windows-1252')
      this.#decoder = new TextDecoder(this.#encoding, { fatal: true })
  }

  #readStep(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#decoder === null) this.#count(bytes)
    else {
      try {
        this.#decoder.decode(bytes, { stream: true })
      } catch {
        this.#problem = `The file is not ${nameOf(this.#encoding)}: some bytes before byte ${this.#bytes} are not valid in this encoding.`
      }
    }
  }

  #count(bytes: Buffer): void {
    if (this.#open === 0 && isAscii(bytes) && !bytes.includes(0)) return
    for (const byte of bytes) {
      if (this.#open > 0 && byte >= 0x80 && byte < 0xc0) {
        this.#open -= 1
        if (this.#open === 0) this.#characters += 1
      } else {
        if (this.#open > 0) this.#invalid += 1
        this.#open = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
        if (byte >= 0x80 && this.#open === 0) this.#invalid += 1
        if (byte === 0) this.#nuls += 1
      }
      if (undefined1252.has(byte)) this.#undefined += 1
    }
  }

  #whyNone(): string | null {
    if (this.#decoder !== null) return null
    if (this.#nuls * 10 > this.#bytes)
      return 'The file looks like UTF-16 without a byte order mark. Set `encoding` to utf-16le or utf-16be, or save it as CSV in UTF-8.'
    if (this.#encoding === 'windows-1252')
      return this.#undefined > 0
        ? 'The file is not Windows-1252: it has bytes that are not valid in this encoding. Set the right `encoding`, or save it as CSV in UTF-8.'
        : null
    if (this.#invalid <= this.#characters) return null
    if (this.#named !== undefined)
      return 'The request says that the file is UTF-8, but it is not. Set the right `encoding`, such as windows-1252, or save it as CSV in UTF-8.'
    return this.#undefined > 0
      ? 'The file is neither UTF-8 nor Windows-1252. Set its `encoding`, such as windows-1250, or save it as CSV in UTF-8.'
      : null
  }
}

/** Returns the encoding of a file with these bytes, or why there is none. */
export function encodingOf(bytes: Buffer, named?: string): ReturnType<EncodingCheck['result']> {
  const check = new EncodingCheck(named)
  for (const _ of check.read(bytes));
  return check.result()
}

const nameOf = (encoding: string | null) => (encoding ?? 'utf-8').toUpperCase()

/** Decodes a file, and yields UTF-8. Bytes without a character become U+FFFD. */
export async function* toUtf8(
  source: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void> {
  if (encoding === 'utf-8') {
    yield* source
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
