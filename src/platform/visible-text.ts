/**
 * Characters that a person does not see, and that can hide instructions to a model: control characters, bidirectional
 * marks, characters without width, and tags (U+E0000 to U+E007F).
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu

/** A text without the characters that a person does not see. */
export const visibleText = (text: string): string => text.replace(invisible, '')

/** Returns whether `visibleText` would remove something. */
export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0
