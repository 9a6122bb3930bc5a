import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { companies } from './companies.ts'

/** Clears what another feature stores about erased companies. The companies feature does not import those features. */
export type EraseCompanies = (tx: OrgTx, companyIds: readonly string[]) => Promise<void>

/**
 * @param elsewhere the erasing function of each other feature that stores data about companies; an erasure runs them in
 * its transaction
 */
export const companyEndpoints = (elsewhere: readonly EraseCompanies[]): Endpoint[] =>
  recordEndpoints({
    ...companies,
    async erase(tx, _stored, companyIds) {
      for (const erase of elsewhere) await erase(tx, companyIds)
    },
  })
