const [shortest, longest] = [13, 19]
const zeroCode = 48

/**
 * Whether a text contains a number that can be a payment card: 13 to 19 digits with a valid check digit (ISO/IEC 7812-1).
 * Strangers send the text, so the time grows only with its length.
 */
export function hasCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(/\d+(?:[ \-.]\d+)*/g))
    if (run.length >= shortest && hasCardInRun(run)) return true
  return false
}

/** Reads groups of digits. A card number is often followed by other digits, such as an expiry date. */
function hasCardInRun(run: string): boolean {
  const size = run.length + 1
  // The sums of all digits before a place. In the first, digits at even places count double (Luhn); in the second, the others.
  const sums = [new Int32Array(size), new Int32Array(size)] as const
  /** How many digits before a place are not 0. */
  const notZero = new Int32Array(size)
  const isStart = new Uint8Array(size)
  isStart[0] = 1
  let place = 0
  for (let index = 0; index < run.length; index++) {
    const digit = run.charCodeAt(index) - zeroCode
    if (digit < 0) {
      if (endsCard(place)) return true
      isStart[place] = 1
      continue
    }
    const twice = digit > 4 ? digit * 2 - 9 : digit * 2
    const [even, odd] = place % 2 === 0 ? [twice, digit] : [digit, twice]
    sums[0][place + 1] = (sums[0][place] ?? 0) + even
    sums[1][place + 1] = (sums[1][place] ?? 0) + odd
    notZero[place + 1] = (notZero[place] ?? 0) + (digit === 0 ? 0 : 1)
    place++
  }
  return endsCard(place)

  function endsCard(end: number): boolean {
    const doubled = end % 2 === 0 ? sums[0] : sums[1]
    for (let start = Math.max(0, end - longest); start <= end - shortest; start++) {
      const isValid = ((doubled[end] ?? 0) - (doubled[start] ?? 0)) % 10 === 0
      if (isValid && isStart[start] && notZero[end] !== notZero[start]) return true
    }
    return false
  }
}
