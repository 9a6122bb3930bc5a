// The bytes of JSON's punctuation in UTF-8.

export const quote = 0x22
export const backslash = 0x5c
/** The letter of an escape such as \u00e9. */
export const smallU = 0x75
export const comma = 0x2c
export const colon = 0x3a
export const point = 0x2e
/** The codes of braces. Brackets differ from them only in bit 0x20, so `byte | 0x20` matches both. */
export const opening = 0x7b
export const closing = 0x7d

/** Whether a byte is white space (RFC 8259, section 2). */
export const isBlankByte = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
