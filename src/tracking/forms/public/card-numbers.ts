/** Whether a text contains a number that can be a payment card: 13 to 19 digits with a valid check digit (ISO/IEC 7812-1). */
export function hasCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(/\d+(?:[ \-.]\d+)*/g)) {
    const groups = run.split(/\D/)
    // A card number is often followed by other digits, such as an expiry date.
    for (let start = 0; start < groups.length; start++) {
      let digits = ''
      for (let end = start; end < groups.length && digits.length < 19; end++) {
        digits += groups[end]
        if (digits.length >= 13 && digits.length <= 19 && isLuhn(digits)) return true
      }
    }
  }
  return false
}

/** The check of Luhn: from the right, every second digit counts double. */
function isLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const value = index % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && /[1-9]/.test(digits)
}
