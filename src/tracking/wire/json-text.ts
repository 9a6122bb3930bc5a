import { storableText } from './ids.ts'

const levelsMax = 100
// JSON writes NUL and halves of surrogate pairs as escapes. PostgreSQL refuses these escapes in jsonb.
const unstorable = /\\u(?:0000|d[89a-f])/

/** The most objects and lists in the properties or the context of an event, so that no event costs much more than its size. */
const containersMax = 2_000

/**
 * Why a JSON value is too expensive: it has more than 100 levels, or more than 2,000 objects and lists; null: it is
 * not.
 */
export function shapeFaultOf(value: unknown): 'too_deep' | 'too_many_properties' | null {
  let containers = 0
  const faultIn = (part: unknown, level: number): ReturnType<typeof shapeFaultOf> => {
    if (typeof part !== 'object' || part === null) return null
    if (level > levelsMax) return 'too_deep'
    containers += 1
    if (containers > containersMax) return 'too_many_properties'
    // `for … in` over a list takes ten times as long, because it makes texts of the indexes.
    for (const item of Array.isArray(part) ? part : Object.values(part)) {
      const fault = faultIn(item, level + 1)
      if (fault) return fault
    }
    return null
  }
  return faultIn(value, 1)
}

/** Returns the JSON of a value that is not too deep, as PostgreSQL stores it. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  return unstorable.test(text) ? JSON.stringify(clean(value)) : text
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), clean(item)]))
}
