/**
 * The maximum number of pairs of ids that one decision compares. 100,000 pairs need about 5 s of CPU time and 100 MiB. A
 * record can have 500 ids, so a few large records would use all memory of the process otherwise.
 */
const pairsMax = 100_000

type Large = { members: { readonly length: number } }

/**
 * Returns the records that are compared with one another: the first one, and each further one that keeps the number of
 * pairs within 100,000. Pairs of ids of the same record do not count.
 * @param idsOf the number of ids that a record has
 */
export function comparedTogether<Item>(records: readonly Item[], idsOf: (record: Item) => number): Item[] {
  let [ids, pairs] = [0, 0]
  return records.filter((record) => {
    const own = idsOf(record)
    if (pairs + own * ids > pairsMax) return false
    pairs += own * ids
    ids += own
    return true
  })
}

/** Returns the other records that are compared with one record: all, unless the number of pairs would exceed 100,000. */
export function comparedWith<Item extends Large>(record: Item, others: readonly Item[]): Item[] {
  let pairs = 0
  return others.filter((other) => {
    const more = record.members.length * other.members.length
    if (pairs + more > pairsMax) return false
    pairs += more
    return true
  })
}
