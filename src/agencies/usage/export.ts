import { toCell } from '../../csv/cell.ts'
import type { Org } from '../../platform/db/org.ts'
import { seriesNames } from '../../usage/schema.ts'
import { type Period, periodOf } from './period.ts'
import type { UsagePeriodQuery } from './schema.ts'
import { readUsageAfter } from './usage.ts'

/** Each client costs a read of all hours of the period. */
const clientsPerPiece = 50
const columns = ['org_id', 'name', 'from', 'to', ...seriesNames]

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** The usage of all clients as a CSV file, oldest organization first. @throws ValidationError at from or month */
export function exportClientUsage(org: Org, query: UsagePeriodQuery): AsyncGenerator<string, void> {
  return pieces(org, periodOf(query))
}

async function* pieces(org: Org, period: Period): AsyncGenerator<string, void> {
  const times = [isoTime(period.first), isoTime(period.end)]
  let text = `${columns.join(',')}\r\n`
  for (let after: string | null = null; ; ) {
    const rows = await readUsageAfter(org, period, after, clientsPerPiece)
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
