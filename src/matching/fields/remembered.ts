const valuesKept = 50_000

/**
 * Returns the function with a cache of its last 50,000 to 100,000 results, as names and places repeat. The function
 * must be pure.
 */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  let kept = new Map<string, T>()
  let before = new Map<string, T>()
  return (text) => {
    const found = kept.get(text) ?? before.get(text)
    if (found !== undefined) return found
    if (kept.size >= valuesKept) {
      before = kept
      kept = new Map()
    }
    const made = make(text)
    kept.set(text, made)
    return made
  }
}
