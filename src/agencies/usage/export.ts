import { toCell } from '../../csv/cell.ts'
import { limitLongReads } from '../../platform/db/long-reads.ts'
import type { Org } from '../../platform/db/org.ts'
import { seriesNames } from '../../usage/schema.ts'
import { type Period, periodOf } from './period.ts'
import type { ClientUsage, UsagePeriodQuery } from './schema.ts'
import { readUsageAfter } from './usage.ts'

/** Each client costs a read of all hours of the period. */
const clientsPerPiece = 50
const columns = ['org_id', 'name', 'from', 'to', ...seriesNames]

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/**
 * The usage of all clients as a CSV file, oldest organization first. Each piece is a long read of its own.
 * @param payerId Caller.payerId
 * @throws ValidationError at from or month
 */
export function exportClientUsage(
  org: Org,
  payerId: string,
  query: UsagePeriodQuery,
): AsyncGenerator<string, void> {
  return pieces(org, payerId, periodOf(query))
}

async function* pieces(org: Org, payerId: string, period: Period): AsyncGenerator<string, void> {
  const times = [isoTime(period.first), isoTime(period.end)]
  let text = `${columns.join(',')}\r\n`
  for (let after: string | null = null; ; ) {
    const start: string | null = after
    const rows: ClientUsage[] = await limitLongReads(payerId, () =>
      readUsageAfter(org, period, start, clientsPerPiece),
    )
    for (const row of rows) {
      const numbers = seriesNames.map((name) => row[name])
      text += `${[row.org_id, toCell(row.name), ...times, ...numbers].join(',')}\r\n`
    }
    yield text
    text = ''
    if (rows.length < clientsPerPiece) return
    after = rows.at(-1)?.org_id ?? null
  }
}
