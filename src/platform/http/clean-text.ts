/**
 * Whether PostgreSQL can store `value` unchanged. It refuses NUL (SQLSTATE 22021, 22P05). A lone surrogate is refused
 * by jsonb (22P02), and becomes U+FFFD in text.
 */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
