const all = ['day', 'week', 'month'] as const

export type UsagePeriod = (typeof all)[number]

export const readPeriod = ({ period }: Record<string, unknown>): { period?: UsagePeriod | undefined } => ({
  period: all.find((one) => one === period),
})
