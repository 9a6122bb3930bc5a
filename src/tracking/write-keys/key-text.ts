import { hasChecksum, type Mode, withChecksum } from '../../auth/token.ts'

const prefixes: Record<Mode, string> = { live: 'wk_live_', test: 'wk_test_' }
// 22 characters of base62 have 131 random bits.
const randomLength = 22
const pattern = /^wk_(?:live|test)_([0-9A-Za-z]{28})$/

/** A new write key: `wk_live_` or `wk_test_`, 22 random characters and a checksum of 6. */
export function newKeyText(mode: Mode): string {
  return prefixes[mode] + withChecksum(randomLength)
}

/** True if a text can be a write key. A mistyped key is refused without a lookup. */
export function isKeyText(text: string): boolean {
  const [, body] = pattern.exec(text) ?? []
  return body !== undefined && hasChecksum(body)
}
