import { backslash, colon, isBlankByte, quote, smallU } from './json-bytes.ts'
import { jsonTooLong, runMax } from './json-limits.ts'

/**
 * Parses, in steps, the JSON string that begins at `begin` in UTF-8 bytes. Returns the string, and the position of its
 * last quote.
 * @throws SyntaxError
 */
export function* parsingString(
  bytes: Buffer,
  begin: number,
  pieceBytes: number,
): Generator<undefined, { value: string; end: number }> {
  const pieces: string[] = []
  let [from, at, behindEscape] = [begin + 1, begin + 1, 0]
  const takePiece = () => {
    pieces.push(JSON.parse(`"${bytes.toString('utf8', from, at)}"`))
    from = at
  }
  for (; at < bytes.length && bytes[at] !== quote; at++) {
    // Do not end a piece inside an escape or a character.
    if (at - from >= pieceBytes && at >= behindEscape && ((bytes[at] ?? 0) & 0xc0) !== 0x80) {
      takePiece()
      yield
    }
    if (bytes[at] === backslash && bytes[++at] === smallU) behindEscape = at + 5
  }
  if (at >= bytes.length) throw unlocatedFault()
  takePiece()
  return { value: pieces.join(''), end: at }
}

/**
 * The position of the last quote of the name at `begin`.
 * @throws SyntaxError; ValidationError if the name is too long
 */
export function endOfName(bytes: Buffer, begin: number): number {
  for (let at = begin + 1; at < bytes.length; at++) {
    if (bytes[at] === quote) return at
    if (at - begin > runMax) throw jsonTooLong('a name')
    if (bytes[at] === backslash) at++
  }
  throw unlocatedFault()
}

/** Whether the string at `begin` is the value of a member: only white space is between a colon and it. */
export function followsColon(bytes: Buffer, begin: number): boolean {
  let at = begin - 1
  while (isBlankByte(bytes[at])) at--
  return bytes[at] === colon
}

/** An error without a position. `findingSyntaxFault` finds the fault. */
export const unlocatedFault = (): SyntaxError => new SyntaxError()
