import { z } from 'zod'
import { refusalOf } from '../auth/permissions.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { changeReason, createReason, listReasons, readReason, setReasonArchived } from './close-reasons.ts'
import {
  CloseReason,
  CloseReasonList,
  CloseReasonQuery,
  CreateCloseReason,
  UpdateCloseReason,
} from './schema.ts'

const path = '/deals/close-reasons'
const tag = 'Close reasons'
const read = ['deals:read', 'close_reasons:read']
const manage = 'close_reasons:manage'
const params = z.object({ close_reason_id: id().describe('The id of the close reason.') })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No close reason of this organization has this id',
  409: 'If-Match does not name the current version',
}

type About = Pick<Endpoint, 'path' | 'name' | 'sdk' | 'summary' | 'description'>

const archiveEndpoint = (archived: boolean, about: About): Endpoint =>
  endpoint({
    method: 'POST',
    ...about,
    tag,
    permission: manage,
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) =>
        withETag(await setReasonArchived(tx, params.close_reason_id, archived, headers['if-match'])),
      ),
  })

const archive = archiveEndpoint(true, {
  path: `${path}/{close_reason_id}/archive`,
  name: 'archive_close_reason',
  sdk: 'deals.closeReasons.archive',
  summary: 'Archive a close reason',
  description:
    'Deals that have the reason keep it, and no other deal can be closed with it. All later reasons move up by one.',
})

export const closeReasonEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_close_reasons',
    sdk: 'deals.closeReasons.list',
    summary: 'List the close reasons',
    description:
      'All close reasons in the order of their positions, without pages. `can_manage` says whether your API key may change them.',
    tag,
    permission: read,
    query: CloseReasonQuery,
    shape: 'data',
    response: CloseReasonList,
    handle: async ({ org, caller, query }) => ({
      close_reasons: await org.read((tx) => listReasons(tx, query)),
      can_manage: refusalOf(caller, manage) === null,
    }),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_close_reason',
    sdk: 'deals.closeReasons.create',
    summary: 'Create a close reason',
    tag,
    permission: manage,
    body: CreateCloseReason,
    status: 201,
    location: `${path}/{close_reason_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors: { 409: 'The organization has 500 close reasons' },
    example: { label: 'Went with an in-house solution', outcome: 'lost' },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createReason(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{close_reason_id}`,
    name: 'get_close_reason',
    sdk: 'deals.closeReasons.get',
    summary: 'Read a close reason',
    description: 'Archived close reasons can be read, too.',
    tag,
    permission: read,
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors: { 404: errors[404] },
    handle: ({ org, params }) =>
      org.read(async (tx) => withETag(await readReason(tx, params.close_reason_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{close_reason_id}`,
    name: 'update_close_reason',
    sdk: 'deals.closeReasons.update',
    summary: 'Change or move a close reason',
    description:
      'Only the fields that you send change. Deals that have the reason keep it, even if its outcome changes.',
    tag,
    permission: manage,
    params,
    headers,
    body: UpdateCloseReason,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors: { ...errors, 409: 'If-Match does not name the current version, or the close reason is archived' },
    example: { label: 'Too expensive', position: 1 },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(await changeReason(tx, params.close_reason_id, body, headers['if-match'])),
      ),
  }),
  archive,
  archiveEndpoint(false, {
    path: `${path}/{close_reason_id}/restore`,
    name: 'restore_close_reason',
    sdk: 'deals.closeReasons.restore',
    summary: 'Restore an archived close reason',
    description: 'The restored reason becomes the last one.',
  }),
]
