import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import { type Endpoint, endpoint, type Pagination } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { paginationOf, startOf } from '../../platform/http/list.ts'
import { resourceOf } from '../entities.ts'
import { answerRefusal, mergeRefusal, readableTypes } from '../permissions.ts'
import { enqueueScan } from './jobs.ts'
import { findScan, selectScans, totalOfScans } from './scans.ts'
import { Scan, ScanQuery, ScanRequest } from './schema.ts'

const tag = 'Duplicates'
const params = z.object({ scan_id: id().describe('The id of the scan.') })

export const scanEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/duplicates/scans',
    name: 'scan_duplicates',
    sdk: 'duplicates.scans.create',
    summary: 'Scan all records for duplicates',
    description:
      'The scan runs in the background: poll GET /duplicates/scans/{scan_id}. The scan proposes or merges duplicates, depending on the settings. If a scan is already queued, the answer is the queued scan. While another scan runs, the new scan waits. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    needsAllRecords: true,
    body: ScanRequest,
    status: 202,
    location: '/duplicates/scans/{scan_id}',
    refusesStored: answerRefusal,
    shape: 'data',
    response: Scan,
    errors: { 409: 'The detection of duplicates is off for this record type' },
    example: { entity_type: 'contact' },
    handle: ({ org, caller, context, body: { entity_type: entityType } }) => {
      const refusal = mergeRefusal(caller, entityType)
      if (refusal) throw refusal
      return org.transact(async (tx) => {
        const scanId = await enqueueScan(tx, entityType, context.jobs)
        return findScan(tx, scanId)
      })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/scans/{scan_id}',
    name: 'get_scan',
    sdk: 'duplicates.scans.get',
    summary: 'Read the progress of a scan',
    tag,
    permission: 'duplicates:read',
    needsAllRecords: true,
    params,
    shape: 'data',
    response: Scan,
    errors: { 404: 'No scan of this organization has this id' },
    handle: async ({ org, caller, params }) => {
      const scan = await org.read((tx) => findScan(tx, params.scan_id))
      requirePermission(caller, `${resourceOf(scan.entity_type)}:read`)
      return scan
    },
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/scans',
    name: 'list_scans',
    sdk: 'duplicates.scans.list',
    summary: 'List scans',
    description: 'Newest first. The list has only the record types that the API key may read.',
    tag,
    permission: 'duplicates:read',
    needsAllRecords: true,
    query: ScanQuery,
    shape: 'page',
    response: z.array(Scan),
    handle: ({ org, caller, context, query }) =>
      listScans(org, context.cursors, readableTypes(caller, query.entity_type), query),
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
      selectScans(tx, types, { after: start.after, limit: start.limit + 1, skip: start.skip }),
      totalOfScans(tx, types),
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
