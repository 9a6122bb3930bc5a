import fc from 'fast-check'

/** Any code point except half surrogate pairs. fast-check's own unit `binary` first makes a table of 1.1 million entries. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800))

/** Texts of any characters: control characters, emoji, characters that Unicode has not assigned. */
export const anyText = (limits: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: anyCharacter })
