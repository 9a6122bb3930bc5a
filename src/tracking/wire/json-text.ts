import { storable } from './ids.ts'

const levelsMax = 100
// JSON writes NUL and halves of surrogate pairs as escapes, which PostgreSQL refuses in jsonb.
const unstorable = /\\u(?:0000|d[89a-f])/

/** True if a JSON value has more than 100 levels of objects and lists. */
export function isTooDeep(value: unknown, levels: number = levelsMax): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/** The most objects and lists in the properties or the context of an event, so that no event costs much more than its size. */
const containersMax = 2_000

/** True if a JSON value that is not too deep has more than 2,000 objects and lists. */
export function hasTooManyParts(value: unknown): boolean {
  let left = containersMax
  const exceeds = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false
    if (--left < 0) return true
    for (const key in part) if (exceeds((part as Record<string, unknown>)[key])) return true
    return false
  }
  return exceeds(value)
}

/** The JSON of a value that is not too deep, as PostgreSQL stores it. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  return unstorable.test(text) ? JSON.stringify(clean(value)) : text
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), clean(item)]))
}
