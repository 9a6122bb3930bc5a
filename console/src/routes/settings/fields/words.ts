import type { FieldEntity, FieldIndexState, FieldType } from '../../../../../sdk/src/generated/types.ts'

export const entityNames: readonly (readonly [entity: FieldEntity, name: string])[] = [
  ['contact', 'People'],
  ['company', 'Companies'],
  ['deal', 'Deals'],
]

export const typeNames: readonly (readonly [type: FieldType, name: string])[] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'Yes or no'],
  ['date', 'Date'],
  ['datetime', 'Date and time'],
  ['select', 'One option'],
  ['multi_select', 'Several options'],
  ['url', 'Web address'],
  ['email', 'E-mail address'],
  ['phone', 'Phone number'],
]

export const hasOptions = (type: FieldType): boolean => type === 'select' || type === 'multi_select'

/** A key made of a label: “Customer tier” gives `customer_tier`. */
export const keyOfLabel = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 100)

export const indexWords: Record<FieldIndexState, string> = {
  building: 'index is being built',
  ready: 'fast filters',
  failed: 'index failed',
}
