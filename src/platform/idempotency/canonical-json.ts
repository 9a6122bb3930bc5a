// For JSON.rawJSON, which is declared there.
import '../http/exact-number.ts'

/** Length of a piece in UTF-16 units. A longer scalar is a piece of its own. */
const pieceMax = 16_384

/**
 * The one text of all JSON that says the same: keys in the order of their UTF-16 units, no white space (RFC 8785), but
 * numbers that a double would round as they were written. Undefined, which no JSON says, is empty text. It comes in
 * pieces, so that a large value can be written in slices.
 */
export function* canonicalPieces(value: unknown): Generator<string, void> {
  const piece = { text: '' }
  yield* write(value, piece)
  yield piece.text
}

function* write(value: unknown, piece: { text: string }): Generator<string, void> {
  if (isScalar(value)) piece.text += JSON.stringify(value) ?? ''
  else if (Array.isArray(value)) {
    let separator = '['
    for (const item of value) {
      piece.text += separator
      separator = ','
      if (isScalar(item)) piece.text += JSON.stringify(item)
      else yield* write(item, piece)
      if (piece.text.length > pieceMax) yield taken(piece)
    }
    piece.text += separator === '[' ? '[]' : ']'
  } else {
    let separator = '{'
    for (const [name, item] of Object.entries(value as object).sort(([one], [other]) =>
      one < other ? -1 : 1,
    )) {
      piece.text += `${separator}${JSON.stringify(name)}:`
      separator = ','
      if (isScalar(item)) piece.text += JSON.stringify(item)
      else yield* write(item, piece)
      if (piece.text.length > pieceMax) yield taken(piece)
    }
    piece.text += separator === '{' ? '{}' : '}'
  }
}

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || JSON.isRawJSON(value)

function taken(piece: { text: string }): string {
  const { text } = piece
  piece.text = ''
  return text
}
