import { noName } from '../../parts/no-name.ts'
import { money } from '../../parts/numbers.ts'
import type { RecordKind, RecordsApi, ShownRecord } from '../kinds.ts'
import { useDealFields } from './use-deal-fields.ts'

export const deals: RecordKind = {
  entity: 'deal',
  resource: 'deals',
  path: '/deals',
  idField: 'deal_id',
  icon: 'deals',
  one: 'deal',
  many: 'deals',
  none: 'No deal',
  example: { name: 'Website for Acme', amount_cents: 1_250_000, currency: 'EUR' },
  apiOf: (api) => api.deals as unknown as RecordsApi,
  useFields: useDealFields,
  columns: ['amount_cents', 'stage', 'status', 'company_id', 'owner_id', 'expected_close_on', 'updated_at'],
  secondLine: (record) => [amountOf(record), stateOf(record)].filter(Boolean).join(' · '),
  nameOf: ({ name }) => (typeof name === 'string' && name ? name : noName),
}

/** The amount of a deal in its currency; the empty text: not known. */
export const amountOf = ({ amount_cents: minor, currency }: ShownRecord): string =>
  typeof minor === 'number' && typeof currency === 'string' ? money(minor, currency) : ''

/** The stage of an open deal, or how it ended. */
const stateOf = ({ status, stage }: ShownRecord): string => String(status === 'open' ? stage : status)
