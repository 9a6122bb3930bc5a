import type { Totals } from '../platform/db/fold-totals.ts'

/** The numbers of active records, and the sums of deals. */
export const recordTotals: readonly Totals[] = [
  { deltas: 'record_delta', totals: 'record_total', groups: ['org_id', 'entity'], sums: { total: 'delta' } },
  {
    deltas: 'deal_delta',
    totals: 'deal_total',
    groups: ['org_id', 'deal_status', 'month', 'stage', 'close_reason_id', 'currency'],
    sums: { deals: 'deals', amount_cents: 'amount_cents' },
  },
]
