export type Random = () => number

/**
 * A generator that gives the same numbers for the same seed on every machine (mulberry32, public domain). Not for
 * secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An integer from `min` to `max`, both included. */
export function integer(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}

/** Returns true with this probability, from 0 to 1. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability
}

/** Picks one of `items`. @throws RangeError if there is none */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to pick from')
  return item
}

/** Picks one of the keys, in proportion to its weight. */
export function pickWeighted<K extends string>(random: Random, weights: Partial<Record<K, number>>): K {
  const keys = Object.keys(weights).filter((key): key is K => key in weights)
  let left = random() * keys.reduce((sum, key) => sum + (weights[key] ?? 0), 0)
  return (
    keys.find((key) => {
      left -= weights[key] ?? 0
      return left < 0
    }) ?? pick(random, keys)
  )
}

/** Shuffles `items` in place. */
export function shuffle<T>(random: Random, items: T[]): void {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = integer(random, 0, index)
    const [left, right] = [items[index], items[other]]
    if (left === undefined || right === undefined) continue
    items[index] = right
    items[other] = left
  }
}
