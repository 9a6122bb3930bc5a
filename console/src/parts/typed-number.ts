/** The number that a person typed. Any other text stays a text, so that the server explains the problem. */
export const typedNumber = (text: string): number =>
  (/^\s*\d+\s*$/.test(text) ? Number(text) : text.trim()) as number
