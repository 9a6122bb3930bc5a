import { isEverything } from '../support/runs.ts'
import { testTenancy } from './walls.ts'
import { dropOrgFilters } from './without-org-filter.ts'

testTenancy('with row-level security and without org filters', { before: dropOrgFilters })

// What one wall hides, both walls hide: `npm run test:properties` tries both together.
if (isEverything) testTenancy('with org filters and row-level security', {})
