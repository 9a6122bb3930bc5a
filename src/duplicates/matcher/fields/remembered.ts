const valuesKept = 50_000

/** The same function, which remembers what it gave: names and places repeat. Emptied when full, so that it stays small. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>()
  return (text) => {
    const found = kept.get(text)
    if (found !== undefined) return found
    if (kept.size >= valuesKept) kept.clear()
    const made = make(text)
    kept.set(text, made)
    return made
  }
}
