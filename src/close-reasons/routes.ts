import { z } from 'zod'
import { refusalOf } from '../auth/permissions.ts'
import { Answer, type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch } from '../platform/http/if-match.ts'
import { changeReason, createReason, listReasons, setReasonArchived } from './close-reasons.ts'
import {
  CloseReason,
  CloseReasonList,
  CloseReasonQuery,
  CreateCloseReason,
  UpdateCloseReason,
} from './schema.ts'

const path = '/deals/close-reasons'
const tag = 'Close reasons'
const manage = 'close_reasons:manage'
const params = z.object({ close_reason_id: id() })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No close reason of this organization has this id',
  409: 'If-Match names another version than the current one',
}

/** A close reason with its version as ETag. */
const shown = (reason: CloseReason): Answer<CloseReason> =>
  new Answer(reason, { headers: { etag: `"${reason.version}"` } })

type About = Pick<Endpoint, 'path' | 'name' | 'summary' | 'description'>

/** An endpoint that archives a close reason, or brings it back. */
const archiving = (archived: boolean, about: About): Endpoint =>
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
    handle: ({ org, caller, params, headers }) =>
      org.transact(async (tx) =>
        shown(await setReasonArchived(tx, caller, params.close_reason_id, archived, headers['if-match'])),
      ),
  })

const archive = archiving(true, {
  path: `${path}/{close_reason_id}/archive`,
  name: 'archive_close_reason',
  summary: 'Archive a close reason',
  description: 'Deals that carry it keep it; no other deal is closed with it. Those behind it move up.',
})

export const closeReasonEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_close_reasons',
    summary: 'List the close reasons, and whether the caller may manage them',
    description: 'All of them, in their order.',
    tag,
    permission: ['deals:read', 'close_reasons:read'],
    query: CloseReasonQuery,
    shape: 'data',
    response: CloseReasonList,
    handle: async ({ org, caller, query }) => ({
      close_reasons: await org.read((tx) => listReasons(tx, org.orgId, query)),
      can_manage: refusalOf(caller, archive.permission!) === null,
    }),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_close_reason',
    summary: 'Create a close reason',
    tag,
    permission: manage,
    body: CreateCloseReason,
    status: 201,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors: { 409: 'There are too many' },
    example: { label: 'Went with an in-house solution', outcome: 'lost' },
    handle: ({ org, caller, body }) =>
      org.transact(async (tx) => shown(await createReason(tx, caller, body))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{close_reason_id}`,
    name: 'update_close_reason',
    summary: 'Change or move a close reason',
    description:
      'Changes only the fields that are sent. Deals that carry it keep it, whatever its outcome becomes.',
    tag,
    permission: manage,
    params,
    headers,
    body: UpdateCloseReason,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CloseReason,
    errors: { ...errors, 409: 'If-Match names another version, or the close reason is archived' },
    example: { label: 'Too expensive', position: 1 },
    handle: ({ org, caller, params, headers, body }) =>
      org.transact(async (tx) =>
        shown(await changeReason(tx, caller, params.close_reason_id, body, headers['if-match'])),
      ),
  }),
  archive,
  archiving(false, {
    path: `${path}/{close_reason_id}/restore`,
    name: 'restore_close_reason',
    summary: 'Restore an archived close reason',
    description: 'It becomes the last one.',
  }),
]
