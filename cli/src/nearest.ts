/** Returns the known word that is nearest to a typed one; null if none is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const found = known
    .map((word) => ({ word, edits: distance(typed.toLowerCase(), word) }))
    .sort((one, other) => one.edits - other.edits)[0]
  return found && found.edits <= Math.max(1, Math.floor(typed.length / 3)) ? found.word : null
}

/** Returns the number of letters to insert, delete, replace or swap (optimal string alignment). */
function distance(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let at = 1; at <= to.length; at++) {
      const isSame = from[row - 1] === to[at - 1]
      const isSwap = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      line[at] = Math.min(
        (last[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap && row > 1 && at > 1 ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, line]
  }
  return last[to.length] ?? 0
}
