/**
 * The number that a person typed. A text that is no number stays a text, so that the server says what is wrong with it.
 */
export const typedNumber = (text: string): number =>
  (/^\s*\d+\s*$/.test(text) ? Number(text) : text.trim()) as number
