import { firstOf } from '../../parts/times.ts'

export const periods = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
  ['quarter', '90 days'],
] as const

export type ReportPeriod = (typeof periods)[number][0]

const lengths: Record<ReportPeriod, { bars: number; step: 'hour' | 'day' }> = {
  day: { bars: 24, step: 'hour' },
  week: { bars: 7 * 24, step: 'hour' },
  month: { bars: 30, step: 'day' },
  quarter: { bars: 90, step: 'day' },
}

export const readReportPeriod = ({
  period,
}: Record<string, unknown>): { period?: ReportPeriod | undefined } => ({
  period: periods.find(([one]) => one === period)?.[0],
})

/** The range of a period of whole hours or days in UTC, the last of which is not over, in Unix seconds. */
export function rangeOf(period: ReportPeriod): { from: number; to: number; step: 'hour' | 'day' } {
  const { bars, step } = lengths[period]
  const to = Math.floor(Date.now() / 1000) + 1
  return { from: firstOf(bars, step === 'hour' ? 3_600 : 86_400), to, step }
}
