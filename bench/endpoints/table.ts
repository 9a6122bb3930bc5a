import type { Case } from './cases.ts'
import type { Compared, SideMedians } from './turns.ts'

export type Row = { each: Case; measured: readonly Compared[] }

const number = (value: number, width: number, digits = 0) =>
  (Number.isFinite(value) ? value.toFixed(digits) : '–').padStart(width)

export function heading(sizes: readonly number[]): string {
  const columns = 'req/s     p50     p99  Node µs    PG µs  bytes  of bare   of CPU'
  return `${'a request'.padEnd(58)}${sizes.map((size) => `${size.toLocaleString('en')} contacts`.padStart(columns.length + 3)).join('')}\n${' '.repeat(58)}${sizes.map(() => `   ${columns}`).join('')}   PG × ${sizes.length > 1 ? '' : '–'}`
}

/** PostgreSQL's time in the largest org, divided by that in the smallest org. */
function growth({ measured }: Row): number {
  if (measured.length < 2) return Number.NaN
  return measured.at(-1)!.ours.postgres / measured[0]!.ours.postgres
}

function labelOf({ endpoint, query, label }: Case): string {
  const names = query?.({ some: () => '…', peek: () => '…', size: 1 } as never).replace(/=[^&]*/g, '=…') ?? ''
  return `${endpoint}${names}${label ? ` ${label}` : ''}`
}

/** The CPU time of a request, which is more reliable than the rate while other programs run. */
const costOf = ({ node, postgres }: SideMedians) => node + postgres

export function row(given: Row): string {
  const columns = given.measured.map(({ ours, bare, ratio }) => {
    const failed = ours.others > 0 ? ` ${ours.others} NOT 2xx` : ''
    return `   ${number(ours.rate, 5)}${number(ours.p50, 8, 1)}${number(ours.p99, 8, 1)}${number(ours.node, 9)}${number(ours.postgres, 9)}${number(ours.bytes, 7)}${number(bare ? ratio : Number.NaN, 9, 2)}${number(bare ? costOf(bare) / costOf(ours) : Number.NaN, 9, 2)}${failed}`
  })
  return `${labelOf(given.each).padEnd(58)}${columns.join('')}${number(growth(given), 7, 2)}${given.each.grows ? ` (${given.each.grows})` : ''}`
}

const grown = 1.5

/** The cases that took much longer in the large org without a stated reason. */
export function footnotes(rows: readonly Row[]): string {
  const unexplained = rows.filter((given) => !given.each.grows && growth(given) > grown)
  if (unexplained.length === 0) return '\nNo endpoint takes longer in the larger org without a stated reason.'
  return `\nMore than ${grown} times the database time in the large org, unexplained:\n${unexplained
    .map((given) => `  ${labelOf(given.each)}: ${growth(given).toFixed(2)}`)
    .join('\n')}`
}
