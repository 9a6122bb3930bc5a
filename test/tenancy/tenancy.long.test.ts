import { isEverything } from '../support/runs.ts'
import { needsOwnKey, twoClients } from './acting-client.ts'
import { testTenancy } from './walls.ts'
import { dropOrgFilters } from './without-org-filter.ts'

testTenancy('with row-level security and without org filters', { before: dropOrgFilters })

testTenancy('between two clients of one agency', { orgs: twoClients, refuses: needsOwnKey })

// What one wall hides, both walls hide: `npm run test:properties` tries both together.
if (isEverything) testTenancy('with org filters and row-level security', {})
