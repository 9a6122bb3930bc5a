/** The most keys that an organization, dimension and UTC day can have. Further keys are counted together. */
export const keysMax = 1_000

/** The key of all keys beyond `keysMax`. No event has an empty key. */
export const otherKey = ''

const hoursOfDay = 24

/** Where keys are counted: one organization, dimension and UTC day. */
export type Place = { org_id: string; dimension: string; day: string }

/** The numbers of a key in each of the 24 hours. */
export type KeyCounts = Place & { key: string; by_hour: number[] }

/**
 * Adds differences to stored keys. A hostile page can send a million paths, so keys beyond `keysMax` are counted together
 * under `otherKey`. If a key loses more than it has, `otherKey` loses the rest: the sum of all keys is always exact.
 * @param deltas sums of differences; `hour`: 0 to 23
 * @param stored the stored numbers of these keys, and of `otherKey`
 * @param sizes how many keys are stored, without `otherKey`
 * @returns the new numbers of each key that changed
 */
export function placeCounts(
  deltas: readonly (Place & { key: string; hour: number; n: number })[],
  stored: readonly KeyCounts[],
  sizes: readonly (Place & { keys: number })[],
): KeyCounts[] {
  const known = new Map(stored.map((each) => [nameOf(each, each.key), each]))
  const room = new Map(sizes.map((each) => [nameOf(each, ''), keysMax - each.keys]))
  const changed = new Map<string, KeyCounts>()
  const change = (place: Place, key: string): KeyCounts => {
    const name = nameOf(place, key)
    const { org_id, dimension, day } = place
    const counts = known.get(name) ?? {
      ...{ org_id, dimension, day, key },
      by_hour: new Array<number>(hoursOfDay).fill(0),
    }
    known.set(name, counts)
    changed.set(name, counts)
    return counts
  }
  const add = (counts: KeyCounts, hour: number, n: number) => {
    counts.by_hour[hour] = (counts.by_hour[hour] ?? 0) + n
  }
  // Add first: a key that gets numbers in one hour may lose some of another hour.
  for (const delta of deltas.toSorted((one, other) => other.n - one.n)) {
    const place = nameOf(delta, '')
    const isKnown = known.has(nameOf(delta, delta.key))
    const hasRoom = (room.get(place) ?? 0) > 0
    if (delta.n > 0 && !isKnown && hasRoom) room.set(place, (room.get(place) ?? 0) - 1)
    const key = isKnown || (delta.n > 0 && hasRoom) ? delta.key : otherKey
    const counts = change(delta, key)
    const left = (counts.by_hour[delta.hour] ?? 0) + delta.n
    if (left >= 0 || key === otherKey) add(counts, delta.hour, delta.n)
    else {
      add(counts, delta.hour, delta.n - left)
      add(change(delta, otherKey), delta.hour, left)
    }
  }
  return [...changed.values()]
}

const nameOf = ({ org_id, dimension, day }: Place, key: string) => `${org_id} ${dimension} ${day} ${key}`
