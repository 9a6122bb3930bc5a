/**
 * The currencies of `src/deals/money.ts` whose minor unit in ISO 4217 is not a hundredth. Browsers differ from it, and from each
 * other.
 */
const zero = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const three = 'BHD IQD JOD KWD LYD OMR TND'

const digits = new Map<string, number>([
  ...zero.split(' ').map((code) => [code, 0] as const),
  ...three.split(' ').map((code) => [code, 3] as const),
])

/** How many decimals an amount in a currency has. */
export const digitsOf = (currency: string): number => digits.get(currency) ?? 2
