import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import { type Endpoint, endpoint, type Pagination } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { paginationOf, startOf } from '../../platform/http/list.ts'
import { type EntityType, resourceOf } from '../entities.ts'
import { kindsToSee, refusalToMerge, refusalToSee } from '../refusals.ts'
import { findCandidates } from './candidates.ts'
import { startScan } from './scan-jobs.ts'
import { findScan, selectScans, totalOfScans } from './scans.ts'
import { Candidate, CandidateQuery, Scan, ScanQuery, ScanRequest } from './schema.ts'

const tag = 'Duplicates'
const params = z.object({ id: id() })

export const findingEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/duplicates/candidates',
    name: 'list_duplicate_candidates',
    summary: 'Explain which records are most like one',
    description:
      'Whatever the thresholds say, the likeliest first: how likely it is that the two are one, why, and what the engine makes of it.',
    tag,
    permission: 'duplicates:read',
    query: CandidateQuery,
    shape: 'data',
    response: z.array(Candidate),
    example: { entity_type: 'contact', record_id: '0190a3c4-0000-7000-8000-000000000001' },
    errors: { 404: 'No record of this organization has this id' },
    handle: ({ org, caller, query: { entity_type: entityType, record_id: recordId, limit } }) => {
      requirePermission(caller, `${resourceOf(entityType)}:read`)
      return org.read((tx) => findCandidates(tx, org.orgId, entityType, recordId, limit))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/scans',
    name: 'scan_duplicates',
    summary: 'Look through all records for duplicates',
    description:
      'In the background: poll GET /duplicates/scans/{id}. What it finds is proposed or merged as the settings say. One that waits to begin is answered again; one that runs is followed by another.',
    tag,
    permission: 'duplicates:write',
    body: ScanRequest,
    status: 202,
    refusesKept: refusalToSee,
    shape: 'data',
    response: Scan,
    errors: { 409: 'Duplicates of these records are not looked for' },
    example: { entity_type: 'contact' },
    handle: ({ org, caller, context, body: { entity_type: entityType } }) => {
      const refusal = refusalToMerge(caller, entityType)
      if (refusal) throw refusal
      return org.transact(async (tx) => {
        const scanId = await startScan(tx, caller, entityType, context.jobs)
        return findScan(tx, org.orgId, scanId)
      })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/scans/{id}',
    name: 'get_scan',
    summary: 'Read how far a scan is',
    tag,
    permission: 'duplicates:read',
    params,
    shape: 'data',
    response: Scan,
    errors: { 404: 'No scan of this organization has this id' },
    handle: async ({ org, caller, params }) => {
      const scan = await org.read((tx) => findScan(tx, org.orgId, params.id))
      requirePermission(caller, `${resourceOf(scan.entity_type)}:read`)
      return scan
    },
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/scans',
    name: 'list_scans',
    summary: 'List scans',
    description: 'Newest first; of the kinds of records that the key may read.',
    tag,
    permission: 'duplicates:read',
    query: ScanQuery,
    shape: 'page',
    response: z.array(Scan),
    handle: ({ org, caller, context, query }) =>
      listScans(org, context.cursors, kindsToSee(caller, query.entity_type), query),
  }),
]

function listScans(
  org: Org,
  cursors: Cursors,
  types: readonly EntityType[],
  query: ScanQuery,
): Promise<{ rows: Scan[]; pagination: Pagination }> {
  const { orgId } = org
  const list = JSON.stringify(['scans', types])
  const start = startOf(cursors, orgId, list, query)
  return org.read(async (tx) => {
    const [found, total] = await Promise.all([
      selectScans(tx, orgId, types, { after: start.after, limit: start.limit + 1, skip: start.skip }),
      totalOfScans(tx, orgId, types),
    ])
    const rows = found.slice(0, start.limit)
    const last = rows.at(-1)?.scan_id ?? null
    return {
      rows,
      pagination: paginationOf(cursors, orgId, list, start, {
        last,
        hasNext: found.length > start.limit,
        total,
      }),
    }
  })
}
