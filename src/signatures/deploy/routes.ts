import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { MailboxPath, SandboxSignature } from '../mailbox-schema.ts'
import { findSandboxSignature } from '../providers/sandbox.ts'
import { Push, PushMailbox, PushQuery, PushTemplate, QueuedPush, Rollout } from '../push-schema.ts'
import { findPush, listPushes, pushMailbox } from './pushes.ts'
import { findRollout, pushTemplate } from './rollouts.ts'

const tag = 'E-mail signatures'
const mailboxParams = MailboxPath

export const deployEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/signatures/templates/{template_id}/push',
    name: 'push_signature_template',
    sdk: 'signatures.templates.push',
    summary: 'Push a template to all its mailboxes',
    description:
      'Queues a push for every mailbox that uses the template. GET /signatures/rollouts/{rollout_id} counts these pushes by status; GET /signatures/pushes?rollout_id=… lists them.',
    tag,
    permission: 'signatures:write',
    params: z.object({ template_id: id().describe('The id of the template.') }),
    body: PushTemplate,
    status: 202,
    location: '/signatures/rollouts/{rollout_id}',
    shape: 'data',
    response: Rollout,
    errors: {
      404: 'No signature template of this organization has this id',
      409: 'The version is not the current one, or no mailbox uses the template',
    },
    example: { version: 1 },
    handle: ({ org, context, params, body }) =>
      org.transact((tx) => pushTemplate(tx, context, params.template_id, body.version)),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}/sandbox',
    name: 'get_sandbox_signature',
    sdk: 'signatures.mailboxes.sandbox.get',
    summary: 'Read the signature in the sandbox',
    description:
      'The signature that is in the sandbox now. It comes from the last push in the mode (live or test) of your API key.',
    tag,
    permission: 'signatures:read',
    params: mailboxParams,
    shape: 'data',
    response: SandboxSignature,
    errors: { 404: 'The sandbox has no signature of a mailbox with this id' },
    handle: ({ org, params }) => org.read((tx) => findSandboxSignature(tx, params.mailbox_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/mailboxes/{mailbox_id}/push',
    name: 'push_mailbox',
    sdk: 'signatures.mailboxes.push',
    summary: 'Install the signature of a mailbox',
    description:
      'Queues a push, which compiles and installs the signature. GET /signatures/pushes/{push_id} shows its status. The push installs the mailbox’s version when the install begins: this one or a newer one.',
    tag,
    permission: 'signatures:write',
    params: mailboxParams,
    body: PushMailbox,
    shape: 'data',
    response: QueuedPush,
    errors: {
      404: 'No mailbox of this organization has this id',
      409: 'The version is not the current one, or the mailbox has no template',
    },
    example: { version: 1 },
    handle: ({ org, context, params, body }) =>
      org.transact((tx) => pushMailbox(tx, context, params.mailbox_id, body.version)),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/pushes',
    name: 'list_signature_pushes',
    sdk: 'signatures.pushes.list',
    summary: 'List the pushes of signatures',
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
    sdk: 'signatures.pushes.get',
    summary: 'Read the status of a push',
    tag,
    permission: 'signatures:read',
    params: z.object({ push_id: id().describe('The id of the push.') }),
    shape: 'data',
    response: Push,
    errors: { 404: 'No push of this organization has this id' },
    handle: ({ org, context, params }) => org.read((tx) => findPush(tx, context, params.push_id)),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/rollouts/{rollout_id}',
    name: 'get_signature_rollout',
    sdk: 'signatures.rollouts.get',
    summary: 'Read the status of a rollout',
    description: 'A rollout is the push of a template to all its mailboxes.',
    tag,
    permission: 'signatures:read',
    params: z.object({ rollout_id: id().describe('The id of the rollout.') }),
    shape: 'data',
    response: Rollout,
    errors: { 404: 'No rollout of this organization has this id' },
    handle: ({ org, params }) => org.read((tx) => findRollout(tx, params.rollout_id)),
  }),
]
