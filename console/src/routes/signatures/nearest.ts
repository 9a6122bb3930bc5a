/** Returns the candidate that differs least from a mistyped word; undefined if all differ in more than a third of its letters. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.ceil(word.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** The number of letters to insert, remove or replace (Levenshtein distance). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
