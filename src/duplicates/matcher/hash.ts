/** The two halves of the last hash: a comparison of millions of keys makes no objects. */
export const hashed = new Uint32Array(2)

/**
 * Hashes a text to 64 bits in `hashed`: two multiplicative hashes of its UTF-16 code units with different seeds and
 * multipliers. Among 10⁷ different texts one collision is expected in 10⁵ sets; nothing here withstands an adversary.
 */
export function hashText(text: string): void {
  let high = 0x9e3779b9
  let low = 0x85ebca6b ^ text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
    low ^= low >>> 15
  }
  hashed[0] = scramble(high)
  hashed[1] = scramble(low)
}

/** Adds a hash to that in `hashed`; the order of additions matters. */
export function mixHash(high: number, low: number): void {
  hashed[0] = scramble(Math.imul(hashed[0]! ^ 0x2545f491, 0x01000193) + high)
  hashed[1] = scramble(Math.imul(hashed[1]! ^ 0x6c078965, 0x5bd1e995) + low + (high >>> 9))
}

/** The hash in `hashed` as a signed 64-bit integer. */
export function hashAsBigInt(): bigint {
  return BigInt.asIntN(64, (BigInt(hashed[0]!) << 32n) | BigInt(hashed[1]!))
}

/** Every bit of the input moves about half of those of the output (a finaliser in the way of MurmurHash3). */
function scramble(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
