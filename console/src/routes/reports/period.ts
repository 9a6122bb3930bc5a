export const periods = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
  ['quarter', '90 days'],
] as const

export type ReportPeriod = (typeof periods)[number][0]

const hour = 3_600
const lengths: Record<ReportPeriod, { seconds: number; step: 'hour' | 'day' }> = {
  day: { seconds: 24 * hour, step: 'hour' },
  week: { seconds: 7 * 24 * hour, step: 'hour' },
  month: { seconds: 30 * 24 * hour, step: 'day' },
  quarter: { seconds: 90 * 24 * hour, step: 'day' },
}

export const readReportPeriod = ({
  period,
}: Record<string, unknown>): { period?: ReportPeriod | undefined } => ({
  period: periods.find(([one]) => one === period)?.[0],
})

/** The range of a period that ends now, in Unix seconds. */
export function rangeOf(period: ReportPeriod): { from: number; to: number; step: 'hour' | 'day' } {
  const { seconds, step } = lengths[period]
  const to = Math.floor(Date.now() / 1000) + 1
  return { from: to - seconds, to, step }
}
