const cachedMin = 50_000

/** Caches the last 50,000 to 100,000 results of a pure function, because names and places repeat. */
export function cached<T>(make: (text: string) => T): (text: string) => T {
  let recent = new Map<string, T>()
  let before = new Map<string, T>()
  return (text) => {
    const found = recent.get(text) ?? before.get(text)
    if (found !== undefined) return found
    if (recent.size >= cachedMin) {
      before = recent
      recent = new Map()
    }
    const made = make(text)
    recent.set(text, made)
    return made
  }
}
