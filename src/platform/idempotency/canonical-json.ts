// This import declares the type of JSON.rawJSON.
import '../http/exact-number.ts'

/** The maximum length of a piece in UTF-16 units. */
const pieceMax = 16_384

/**
 * Writes canonical JSON (RFC 8785): equal values have the same text. Numbers that a double would round keep their
 * digits. Undefined gives no text. A large value can be written in slices, because the text comes in pieces.
 */
export function* canonicalPieces(value: unknown): Generator<string, void> {
  const piece = { text: '' }
  yield* write(value, piece)
  yield piece.text
}

function* write(value: unknown, piece: { text: string }): Generator<string, void> {
  if (typeof value === 'string' && value.length > pieceMax) yield* writeLong(value, piece)
  else if (isScalar(value)) piece.text += JSON.stringify(value) ?? ''
  else if (Array.isArray(value)) {
    let separator = '['
    for (const item of value) {
      piece.text += separator
      separator = ','
      if (isShort(item)) piece.text += JSON.stringify(item)
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
      if (isShort(item)) piece.text += JSON.stringify(item)
      else yield* write(item, piece)
      if (piece.text.length > pieceMax) yield taken(piece)
    }
    piece.text += separator === '{' ? '{}' : '}'
  }
}

function* writeLong(text: string, piece: { text: string }): Generator<string, void> {
  piece.text += '"'
  for (let from = 0; from < text.length; ) {
    const isPair = (text.codePointAt(from + pieceMax - 1) ?? 0) > 0xffff
    const to = from + pieceMax + (isPair ? 1 : 0)
    piece.text += JSON.stringify(text.slice(from, to)).slice(1, -1)
    yield taken(piece)
    from = to
  }
  piece.text += '"'
}

const isShort = (value: unknown): boolean =>
  isScalar(value) && !(typeof value === 'string' && value.length > pieceMax)

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || JSON.isRawJSON(value)

function taken(piece: { text: string }): string {
  const { text } = piece
  piece.text = ''
  return text
}
