import { z } from 'zod'
import { refusalOf, requirePermission } from '../auth/permissions.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { limitWholeLists } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { renewCounts } from './counts.ts'
import { resourceOf } from './entities.ts'
import { CreateSegment, Segment, SegmentList, SegmentQuery, UpdateSegment } from './schema.ts'
import {
  changeSegment,
  createSegment,
  deleteSegment,
  entityOf,
  listSegments,
  readSegment,
} from './segments.ts'

const path = '/segments'
const tag = 'Segments'
const read = ['contacts:read', 'companies:read', 'deals:read']
const write = ['contacts:write', 'companies:write', 'deals:write']
const params = z.object({ segment_id: id().describe('The id of the segment.') })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No segment of this organization has this id',
  409: 'If-Match does not name the current version',
}

const toRead = (entity: EntityType) => `${resourceOf(entity)}:read`
const toWrite = (entity: EntityType) => `${resourceOf(entity)}:write`

export const segmentEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_segments',
    sdk: 'segments.list',
    summary: 'List the segments',
    description:
      'The segments of records that your API key may read, by their records and names, without pages.',
    tag,
    permission: read,
    query: SegmentQuery,
    shape: 'data',
    response: SegmentList,
    handle: async ({ org, caller, context, query }) => {
      if (query.entity) requirePermission(caller, toRead(query.entity))
      const asked = query.entity ? [query.entity] : entityTypes
      const readable = asked.filter((entity) => refusalOf(caller, toRead(entity)) === null)
      const { ids, list } = await limitWholeLists(caller.payerId, () => listSegments(org, readable))
      await renewCounts(org, context.jobs, ids)
      return list.between('{"segments":', '}')
    },
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_segment',
    sdk: 'segments.create',
    summary: 'Create a segment',
    description:
      'A segment is a named filter. Lists, exports and pushes accept its id as `segment_id`. It needs the write permission of its records, such as `contacts:write`.',
    tag,
    permission: write,
    body: CreateSegment,
    status: 201,
    location: `${path}/{segment_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Segment,
    errors: { 409: 'The organization has 200 segments' },
    example: {
      entity: 'contact',
      name: 'New leads',
      filter: { field: 'lifecycle_stage', value: 'lead' },
      sort: '-updated_at',
    },
    handle: ({ org, caller, context, body }) => {
      requirePermission(caller, toWrite(body.entity))
      return org.transact(async (tx) => withETag(await createSegment(tx, context.jobs, body)))
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{segment_id}`,
    name: 'get_segment',
    sdk: 'segments.get',
    summary: 'Read a segment',
    description: 'If the count of its records is old, Crosswalk counts them again in the background.',
    tag,
    permission: read,
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Segment,
    errors: { 404: errors[404] },
    handle: async ({ org, caller, context, params }) => {
      const segment = await org.read((tx) => readSegment(tx, params.segment_id))
      requirePermission(caller, toRead(segment.entity))
      await renewCounts(org, context.jobs, [segment.segment_id])
      return withETag(segment)
    },
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{segment_id}`,
    name: 'update_segment',
    sdk: 'segments.update',
    summary: 'Change a segment',
    description: 'Only the fields that you send change. null removes the filter, the words or the order.',
    tag,
    permission: write,
    params,
    headers,
    body: UpdateSegment,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Segment,
    errors,
    example: { name: 'Leads of London', filter: { field: 'city', value: 'London' } },
    handle: ({ org, caller, context, params, headers, body }) =>
      org.transact(async (tx) => {
        requirePermission(caller, toWrite(await entityOf(tx, params.segment_id)))
        const version = headers['if-match']
        return withETag(await changeSegment(tx, context.jobs, params.segment_id, body, version))
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{segment_id}`,
    name: 'delete_segment',
    sdk: 'segments.delete',
    summary: 'Delete a segment',
    description: 'The records stay.',
    tag,
    permission: write,
    params,
    headers,
    shape: 'none',
    errors: {
      ...errors,
      409: 'If-Match does not name the current version, or a webhook endpoint uses the segment',
    },
    handle: ({ org, caller, params, headers }) =>
      org.transact(async (tx) => {
        requirePermission(caller, toWrite(await entityOf(tx, params.segment_id)))
        await deleteSegment(tx, params.segment_id, headers['if-match'])
        return undefined
      }),
  }),
]
