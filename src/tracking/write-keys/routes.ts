import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import { CreateWriteKey, RotateWriteKey, UpdateWriteKey, WriteKey, WriteKeyPath } from './schema.ts'
import {
  changeWriteKey,
  createWriteKey,
  deleteWriteKey,
  findWriteKey,
  listWriteKeys,
  rotateWriteKey,
} from './write-keys.ts'

const base = '/write-keys'
const path = `${base}/{write_key_id}`
const tag = 'Tracking'
const [read, manage] = ['tracking:read', 'tracking:manage']
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No write key of this organization has this id',
  409: 'If-Match does not name the current version',
}

export const writeKeyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_write_keys',
    sdk: 'writeKeys.list',
    summary: 'List the write keys',
    description: 'All write keys, the newest first, without pages.',
    tag,
    permission: read,
    shape: 'data',
    response: z.array(WriteKey),
    handle: ({ org }) => org.read(listWriteKeys),
  }),
  endpoint({
    method: 'POST',
    path: base,
    name: 'create_write_key',
    sdk: 'writeKeys.create',
    summary: 'Create a write key',
    description:
      'A write key is part of a web page, where everybody can read it. It can add events and read nothing.',
    tag,
    permission: manage,
    body: CreateWriteKey,
    status: 201,
    location: path,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WriteKey,
    errors: {
      403: 'The organization is a sandbox, which has only test keys',
      409: 'The organization has 100 write keys',
    },
    example: { name: 'www.example.com', mode: 'test', origins: ['https://www.example.com'] },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createWriteKey(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_write_key',
    sdk: 'writeKeys.get',
    summary: 'Read a write key',
    tag,
    permission: read,
    params: WriteKeyPath,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WriteKey,
    errors: { 404: errors[404] },
    handle: ({ org, params }) =>
      org.read(async (tx) => withETag(await findWriteKey(tx, params.write_key_id))),
  }),
  endpoint({
    method: 'PATCH',
    path,
    name: 'update_write_key',
    sdk: 'writeKeys.update',
    summary: 'Change a write key',
    description: 'Only the fields that you send change. The key itself changes only by a rotation.',
    tag,
    permission: manage,
    params: WriteKeyPath,
    headers,
    body: UpdateWriteKey,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WriteKey,
    errors,
    example: { origins: ['https://www.example.com', 'https://*.example.com'] },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(await changeWriteKey(tx, params.write_key_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path,
    name: 'delete_write_key',
    sdk: 'writeKeys.delete',
    summary: 'Delete a write key',
    tag,
    permission: manage,
    params: WriteKeyPath,
    shape: 'none',
    errors: { 404: errors[404] },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await deleteWriteKey(tx, params.write_key_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/rotate`,
    name: 'rotate_write_key',
    sdk: 'writeKeys.rotate',
    summary: 'Replace the key of a write key',
    description:
      'The write key gets a new `key`, and keeps its id, its settings and its events. Cached pages still send the old key, so it is accepted for `grace_seconds` more: by default 7 days.',
    tag,
    permission: manage,
    params: WriteKeyPath,
    headers,
    body: RotateWriteKey,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WriteKey,
    errors: {
      ...errors,
      409: 'The previous key is still accepted, or If-Match does not name the current version',
    },
    example: { grace_seconds: 86_400 },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(await rotateWriteKey(tx, params.write_key_id, { ...body, version: headers['if-match'] })),
      ),
  }),
]
