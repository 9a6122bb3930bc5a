import { limitLongReads } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { createKey, deleteKey, findKey, listKeys, rotateKey, updateKey } from './keys.ts'
import { CreatedKey, CreateKey, Key, KeyList, KeyPath, RotateKey, UpdateKey } from './schema.ts'

const tag = 'API keys'
const errors = { 404: 'No API key of this organization has this id' }

export const keyEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api-keys',
    name: 'create_api_key',
    sdk: 'apiKeys.create',
    summary: 'Create an API key',
    description:
      'Only this answer has the secret: in `api_key_token`, or in `token` for an agency key. With X-Target-Org-Id, the key is created in the client organization.',
    tag,
    permission: 'api_keys:manage',
    confirm: true,
    body: CreateKey,
    status: 201,
    location: '/api-keys/{api_key_id}',
    shape: 'bare',
    response: CreatedKey,
    holdsSecret: 'api_key_id',
    errors: {
      400: 'The organization is not an agency, so it cannot have an agency key',
      409: 'The organization has 10,000 API keys, expired ones included',
    },
    example: { name: 'Nightly sync', mode: 'test' },
    handle: ({ org, caller, body }) => org.transact((tx) => createKey(tx, caller, body)),
  }),
  endpoint({
    method: 'GET',
    path: '/api-keys',
    name: 'list_api_keys',
    sdk: 'apiKeys.list',
    summary: 'List the API keys',
    description: 'All keys of the organization, the newest first, without their secrets.',
    tag,
    permission: 'api_keys:read',
    shape: 'bare',
    response: KeyList,
    handle: ({ org, caller }) => limitLongReads(caller.payerId, () => listKeys(org)),
  }),
  endpoint({
    method: 'GET',
    path: '/api-keys/{api_key_id}',
    name: 'get_api_key',
    sdk: 'apiKeys.get',
    summary: 'Read an API key',
    tag,
    permission: 'api_keys:read',
    params: KeyPath,
    shape: 'bare',
    response: Key,
    errors,
    handle: ({ org, params }) => org.read((tx) => findKey(tx, params.api_key_id)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/api-keys/{api_key_id}',
    name: 'update_api_key',
    sdk: 'apiKeys.update',
    summary: 'Rename an API key, or change its permissions',
    tag,
    permission: 'api_keys:manage',
    confirm: true,
    params: KeyPath,
    body: UpdateKey,
    shape: 'bare',
    response: Key,
    errors,
    example: { name: 'Nightly sync (old)' },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) => {
        tx.afterCommit(() => context.forgetKeys(org.orgId))
        return updateKey(tx, caller, params.api_key_id, body)
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api-keys/{api_key_id}',
    name: 'delete_api_key',
    sdk: 'apiKeys.delete',
    summary: 'Delete an API key',
    description: 'Its token is refused at once on this node, and within 2 seconds on others.',
    tag,
    permission: 'api_keys:manage',
    confirm: true,
    params: KeyPath,
    shape: 'none',
    errors,
    handle: ({ org, context, params }) =>
      org.transact(async (tx) => {
        tx.afterCommit(() => context.forgetKeys(org.orgId))
        await deleteKey(tx, params.api_key_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/api-keys/{api_key_id}/rotate',
    name: 'rotate_api_key',
    sdk: 'apiKeys.rotate',
    summary: 'Replace an API key with a new one',
    description:
      'To rotate a key that is in use, send `grace_seconds`: the old token keeps working for that long, while you deploy the new one. Without a body the old token stops working at once. The new key has the name, mode, permissions and expiry of the old one. A key is rotated once: after that, rotate its successor.',
    tag,
    permission: 'api_keys:manage',
    confirm: true,
    params: KeyPath,
    body: RotateKey,
    status: 201,
    location: '/api-keys/{api_key_id}',
    shape: 'bare',
    response: CreatedKey,
    holdsSecret: 'api_key_id',
    errors: {
      ...errors,
      409: 'The key was rotated already, or has expired, or the organization has 10,000 keys',
    },
    example: { grace_seconds: 3600 },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) => {
        tx.afterCommit(() => context.forgetKeys(org.orgId))
        return rotateKey(tx, caller, params.api_key_id, body.grace_seconds)
      }),
  }),
]
