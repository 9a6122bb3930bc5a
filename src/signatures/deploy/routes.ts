import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { Push, PushQuery, Rollout } from '../schema.ts'
import { findPush, listPushes } from './pushes.ts'
import { findRollout } from './rollouts.ts'

const tag = 'E-mail signatures'

export const pushEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/pushes',
    name: 'list_signature_pushes',
    summary: 'List the pushes',
    description: 'Newest first.',
    tag,
    permission: 'signatures:read',
    query: PushQuery,
    shape: 'page',
    response: z.array(Push),
    handle: ({ org, context, query }) => listPushes(org, context, query),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/pushes/{push_id}',
    name: 'get_signature_push',
    summary: 'See what became of a push',
    tag,
    permission: 'signatures:read',
    params: z.object({ push_id: id() }),
    shape: 'data',
    response: Push,
    errors: { 404: 'No push of this organization has this id' },
    handle: ({ org, context, params }) => org.read((tx) => findPush(tx, context, org.orgId, params.push_id)),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/rollouts/{rollout_id}',
    name: 'get_signature_rollout',
    summary: 'See how far the push of a template is',
    tag,
    permission: 'signatures:read',
    params: z.object({ rollout_id: id() }),
    shape: 'data',
    response: Rollout,
    errors: { 404: 'No rollout of this organization has this id' },
    handle: ({ org, params }) => org.read((tx) => findRollout(tx, org.orgId, params.rollout_id)),
  }),
]
