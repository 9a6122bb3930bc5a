/** The number that a person typed. Any other text stays a text, so that the server explains the problem. */
export const typedNumber = (text: string): number =>
  (/^\s*\d+\s*$/.test(text) ? Number(text) : text.trim()) as number

/** As `typedNumber`, even with decimals: “0.95” or “0,95”. */
export function typedDecimal(text: string): number {
  const typed = text.trim()
  const number = Number(typed.replace(',', '.'))
  return (typed === '' || Number.isNaN(number) ? typed : number) as number
}
