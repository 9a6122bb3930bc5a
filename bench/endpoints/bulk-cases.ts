import type { Case } from './cases.ts'

/** Endpoints that read many records. */
export const bulkCases: Case[] = (['contact', 'company', 'deal'] as const).map((kind) => ({
  endpoint: `POST /${kind === 'company' ? 'companies' : `${kind}s`}/batch/read`,
  label: '100 ids',
  body: (pools) => ({ ids: Array.from({ length: 100 }, () => pools.some(kind)) }),
}))
