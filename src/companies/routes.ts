import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { companies } from './companies.ts'

export const companyEndpoints: Endpoint[] = recordEndpoints({
  ...companies,
  erase: async () => {},
})
