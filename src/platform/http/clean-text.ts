/**
 * True if PostgreSQL can keep `value` as it is: no NUL (SQLSTATE 22021, 22P05) and no lone surrogate
 * (22P02 in jsonb, a silent U+FFFD in text).
 */
export function cleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
