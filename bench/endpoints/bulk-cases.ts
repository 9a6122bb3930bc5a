import { randomInt } from 'node:crypto'
import type { Case } from './cases.ts'
import type { Pools } from './subject.ts'

const many = <Value>(count: number, value: () => Value) => Array.from({ length: count }, value)
const ids = (kind: 'contact' | 'company' | 'deal', count: number) => (pools: Pools) => ({
  ids: many(count, () => pools.some(kind)),
})

export const bulkCases: Case[] = [
  { endpoint: 'POST /contacts/batch/read', label: '500 ids', body: ids('contact', 500) },
  {
    endpoint: 'POST /contacts/batch/read',
    label: '500 emails',
    body: ({ size }) => ({ emails: many(500, () => `p${randomInt(size)}@x.example`) }),
  },
  { endpoint: 'POST /companies/batch/read', label: '100 ids', body: ids('company', 100) },
  { endpoint: 'POST /deals/batch/read', label: '100 ids', body: ids('deal', 100) },
]
