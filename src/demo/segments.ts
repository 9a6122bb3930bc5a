import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { CreateSegment } from '../segments/schema.ts'
import { createSegment } from '../segments/segments.ts'

const segments = [
  {
    ...{ entity: 'contact', name: 'Customers who may be called' },
    filter: {
      and: [
        { field: 'lifecycle_stage', value: 'customer' },
        { field: 'consent.phone', value: 'granted' },
      ],
    },
  },
  {
    ...{ entity: 'contact', name: 'Webinar leads', sort: '-updated_at' },
    filter: {
      and: [
        { field: 'lifecycle_stage', value: 'lead' },
        { field: 'tag', value: 'webinar' },
      ],
    },
  },
  { entity: 'company', name: 'Key accounts', filter: { field: 'tag', value: 'key-account' } },
  { entity: 'deal', name: 'Strategic deals', filter: { field: 'tag', value: 'strategic' } },
]

/** Adds segments of people, companies and deals. Jobs count them. */
export async function addSegments(tx: OrgTx, jobs: Jobs): Promise<void> {
  for (const segment of segments) await createSegment(tx, jobs, CreateSegment.parse(segment))
}
