/** The usual length of a piece. */
const pieceLength = 64 * 1024

/**
 * JSON text that is sent as it is. A long list is kept in pieces: to join or to write several megabytes at once would block the
 * thread for too long.
 */
export class Json {
  readonly pieces: readonly string[]

  constructor(...pieces: string[]) {
    this.pieces = pieces
  }

  /** A list of items, each of which is JSON text. */
  static list(items: readonly string[]): Json {
    const pieces: string[] = []
    let piece = '['
    for (const [index, item] of items.entries()) {
      piece += index === 0 ? item : `,${item}`
      if (piece.length < pieceLength) continue
      pieces.push(piece)
      piece = ''
    }
    return new Json(...pieces, `${piece}]`)
  }

  /** The whole text. Use it only for short JSON. */
  get text(): string {
    return this.pieces.join('')
  }

  get length(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0)
  }

  /** Returns this JSON between two other texts. */
  between(before: string, after: string): Json {
    const [first = '', ...others] = this.pieces
    const last = others.pop()
    return last === undefined
      ? new Json(before + first + after)
      : new Json(before + first, ...others, last + after)
  }

  /** Returns the same object with one more member. */
  with(name: string, value: string | number | boolean | Json): Json {
    const json = value instanceof Json ? value : new Json(JSON.stringify(value))
    return json.between(`${this.text.slice(0, -1)},${JSON.stringify(name)}:`, '}')
  }
}
