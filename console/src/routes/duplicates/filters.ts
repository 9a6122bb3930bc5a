import type { EntityType } from '../../../../sdk/src/generated/types.ts'

/** What the page shows, in the form of the address. Without `show`: the proposals that wait for a person. */
export type DuplicateFilters = {
  show?: 'merged' | 'different' | undefined
  type?: EntityType | undefined
  /** The proposal that is open beside the list. */
  pair?: string | undefined
}

const types: readonly unknown[] = ['contact', 'company', 'deal']

export const readDuplicateFilters = ({ show, type, pair }: Record<string, unknown>): DuplicateFilters => ({
  show: show === 'merged' || show === 'different' ? show : undefined,
  type: types.includes(type) ? (type as EntityType) : undefined,
  pair: typeof pair === 'string' ? pair : undefined,
})
