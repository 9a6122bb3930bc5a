import { z } from 'zod'
import { refusalOf, requirePermission } from '../auth/permissions.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { listLimitsDescription } from '../records/endpoints/list.ts'
import { limitExpensiveLists } from '../records/expensive.ts'
import { resourceOf } from '../segments/entities.ts'
import { createBulkChange, previewChange } from './bulk-changes.ts'
import { cancelBulkChange } from './cancel.ts'
import { listBulkChanges, readBulkChange } from './read.ts'
import {
  BulkChange,
  BulkChangePreview,
  BulkChangeQuery,
  CreateBulkChange,
  PreviewBulkChange,
} from './schema.ts'

const path = '/bulk-changes'
const tag = 'Bulk changes'
const write = ['contacts:write', 'companies:write', 'deals:write']
const params = z.object({ bulk_change_id: id().describe('The id of the bulk change.') })
const example = {
  entity: 'contact',
  filter: { field: 'tag', value: 'fair 2026' },
  change: { add_tags: ['follow up'] },
} as const
const toWrite = (entity: EntityType) => `${resourceOf(entity)}:write`
const errors = { 404: 'The organization has no such owner or segment', 429: listLimitsDescription }

export const bulkChangeEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: `${path}/preview`,
    name: 'preview_bulk_change',
    sdk: 'bulkChanges.preview',
    summary: 'Count the records that a bulk change would change',
    description: 'Checks the change and counts the active records that match. Nothing changes.',
    tag,
    permission: write,
    body: PreviewBulkChange,
    effect: 'none',
    shape: 'data',
    response: BulkChangePreview,
    errors,
    example,
    handle: ({ org, caller, body }) => {
      requirePermission(caller, toWrite(body.entity))
      return limitExpensiveLists(caller.payerId, async () => ({ records: await previewChange(org, body) }))
    },
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_bulk_change',
    sdk: 'bulkChanges.create',
    summary: 'Change all records that a filter finds',
    description:
      'A background job changes the owner, tags or members of `custom` of all active records that match, or archives them. Each changed record gets a new version and an event. A record that the job cannot change is counted in `refused`. A bulk change cannot be undone: send a preview first.',
    tag,
    permission: write,
    body: CreateBulkChange,
    status: 202,
    location: `${path}/{bulk_change_id}`,
    refusesStored: (caller, { entity }) => refusalOf(caller, toWrite(entity as EntityType)),
    shape: 'data',
    response: BulkChange,
    errors,
    example,
    handle: ({ org, caller, context, body }) => {
      requirePermission(caller, toWrite(body.entity))
      return limitExpensiveLists(caller.payerId, () =>
        org.transact((tx) => createBulkChange(tx, org.within(tx), context.jobs, body)),
      )
    },
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'list_bulk_changes',
    sdk: 'bulkChanges.list',
    summary: 'List the bulk changes',
    description: 'Newest first. The list has only the record types that the API key may write.',
    tag,
    permission: write,
    query: BulkChangeQuery,
    shape: 'page',
    response: z.array(BulkChange),
    handle: ({ org, caller, context, query: { entity, ...query } }) => {
      if (entity) requirePermission(caller, toWrite(entity))
      const asked = entity ? [entity] : entityTypes
      const writable = asked.filter((each) => refusalOf(caller, toWrite(each)) === null)
      return listBulkChanges(org, context.cursors, writable, query)
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{bulk_change_id}`,
    name: 'get_bulk_change',
    sdk: 'bulkChanges.get',
    summary: 'Read the progress of a bulk change',
    tag,
    permission: write,
    params,
    shape: 'data',
    response: BulkChange,
    errors: { 404: 'No bulk change of this organization has this id' },
    handle: async ({ org, caller, params }) => {
      const found = await org.read((tx) => readBulkChange(tx, params.bulk_change_id))
      requirePermission(caller, toWrite(found.entity))
      return found
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/{bulk_change_id}/cancel`,
    name: 'cancel_bulk_change',
    sdk: 'bulkChanges.cancel',
    summary: 'Cancel a bulk change',
    description:
      'Ends a bulk change that waits or runs. Records that it has changed stay changed, and the others stay as they are. The answer has the final counts. Canceling a bulk change again changes nothing.',
    tag,
    permission: write,
    params,
    shape: 'data',
    response: BulkChange,
    errors: { 404: 'No bulk change of this organization has this id', 409: 'The bulk change has ended' },
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        const found = await readBulkChange(tx, params.bulk_change_id)
        requirePermission(caller, toWrite(found.entity))
        return cancelBulkChange(tx, found.bulk_change_id)
      }),
  }),
]
