import { uint32At } from './element-at.ts'

/** The two halves of the last hash. One buffer avoids an allocation for each key. */
export const hashOutput = new Uint32Array(2)

/**
 * Hashes a text to 64 bits in `hashOutput`. One in 10⁵ sets of 10⁷ texts has a collision. An attacker could make
 * collisions.
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
  hashOutput[0] = scramble(high)
  hashOutput[1] = scramble(low)
}

/** Mixes a hash into `hashOutput`; the order matters. */
export function mixHash(high: number, low: number): void {
  hashOutput[0] = scramble(Math.imul(uint32At(hashOutput, 0) ^ 0x2545f491, 0x01000193) + high)
  hashOutput[1] = scramble(Math.imul(uint32At(hashOutput, 1) ^ 0x6c078965, 0x5bd1e995) + low + (high >>> 9))
}

/** Returns `hashOutput` as a signed 64-bit integer. */
export function hashAsBigInt(): bigint {
  return BigInt.asIntN(64, (BigInt(uint32At(hashOutput, 0)) << 32n) | BigInt(uint32At(hashOutput, 1)))
}

/** Mixes the bits: each input bit flips about half of the output bits (like the finalizer of MurmurHash3). */
function scramble(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
