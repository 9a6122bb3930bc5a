/**
 * True if PostgreSQL can store `value` unchanged: no NUL (SQLSTATE 22021, 22P05), and no lone
 * surrogate, which jsonb refuses (22P02) and text replaces with U+FFFD.
 */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
