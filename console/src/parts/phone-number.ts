/**
 * How numbers of a calling code are grouped after it, as libphonenumber groups most of them: `335` is three, three and
 * five digits, and `2*` is two digits and the rest. The first plan that fits counts. `30:` before a plan restricts it to numbers
 * that begin with 30.
 */
const groups: Readonly<Record<string, string>> = Object.fromEntries(
  (
    '1 334|7 3322|20 1:28 18|27 234|30 334|31 6:18 234|32 4:3222 2222 1322|33 12222|34 3222|36 234 134|39 3:334 244' +
    '|40 333|41 2322|43 6:37 6:36 34 35 36|44 2:244 46|45 2222|46 7:2322 2322|47 2222|48 333' +
    '|49 30:2* 40:2* 69:2* 89:2* 1:37 1:47 3*|52 334|54 244|55 254 244|56 144|57 37|60 234 244|61 4:333 144|62 344 345|63 334|64 2:233 234 134' +
    '|65 44|66 234|81 7:244 8:244 9:244 144|82 244|84 333|86 1:344 244|90 3322|91 55|92 37|94 7:234 333|98 334' +
    '|212 12222|213 3222|216 233|233 234|234 334|254 36|351 333|353 234|358 27 26|375 2322|380 234|385 234|420 333|421 333|852 44|886 333|966 234|971 234 134|972 234'
  )
    .split('|')
    .map((plan) => [plan.slice(0, plan.indexOf(' ')), plan.slice(plan.indexOf(' ') + 1)]),
)

const e164 = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,})$/

/** A number in E.164 as people read it, such as `+1 415 555 0132`. Other texts stay as they are. */
export function phoneWords(number: string): string {
  const [, code = '', digits = ''] = e164.exec(number) ?? []
  if (code === '') return number
  for (const plan of groups[code]?.split(' ') ?? []) {
    const found = groupsBy(plan, digits)
    if (found) return [`+${code}`, ...found].join(' ')
  }
  return `+${code} ${digits.replace(digits.length === 8 ? /\d{4}(?=\d)/ : /\d{3}(?=\d\d)/g, '$& ')}`
}

/** The groups of digits; null: the plan does not fit. */
function groupsBy(plan: string, digits: string): string[] | null {
  const [lengths = '', start = ''] = plan.split(':').toReversed()
  const parts = lengths.replaceAll(/\d/g, '(\\d{$&})').replace('*', '(\\d+)')
  return new RegExp(`^(?=${start})${parts}$`).exec(digits)?.slice(1) ?? null
}
