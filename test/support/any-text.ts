import fc from 'fast-check'

/** Any code point except surrogates. fast-check's unit `binary` would first make a table of 1.1 million entries. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800))

/** Texts of any characters, with control characters, emoji and unassigned code points. */
export const anyText = (limits: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: anyCharacter })
