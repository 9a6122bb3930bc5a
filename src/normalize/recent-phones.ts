import { readPhone } from './phone.ts'

type Read = ReturnType<typeof readPhone>

const keptMax = 20_000
/** Erased numbers must not stay in memory for long. */
const keptMs = 60_000

const kept = new Map<string, Read>()

/**
 * Gives the result of `readPhone`, and remembers it for up to a minute. A segment may name 200 numbers, and is read again for each
 * event of its webhook endpoints. Without this, that takes 12 ms if the numbers are not plain E.164 numbers.
 */
export function readPhoneAgain(value: string, defaultCountry: string | null): Read {
  if (kept.size >= keptMax) kept.clear()
  if (kept.size === 0) setTimeout(() => kept.clear(), keptMs).unref()
  const name = `${defaultCountry} ${value}`
  const known = kept.get(name)
  if (known) return known
  const read = readPhone(value, defaultCountry)
  kept.set(name, read)
  return read
}
