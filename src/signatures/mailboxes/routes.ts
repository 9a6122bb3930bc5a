import { z } from 'zod'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { integer } from '../../platform/http/fields.ts'
import { ifMatch } from '../../platform/http/if-match.ts'
import { pushMailbox } from '../deploy/pushes.ts'
import { findSandboxSignature } from '../providers/sandbox.ts'
import {
  CreateMailbox,
  Mailbox,
  MailboxQuery,
  Preview,
  PushMailbox,
  QueuedPush,
  SandboxSignature,
  UpdateMailbox,
} from '../schema.ts'
import { changeMailbox, createMailbox, deleteMailbox, findMailbox, listMailboxes } from './mailboxes.ts'
import { previewMailbox } from './previews.ts'

const tag = 'E-mail signatures'
const params = z.object({ mailbox_id: integer({ min: 1 }) })
const notFound = { 404: 'No mailbox of this organization has this id' }
const unknownNames = { 404: 'No mailbox, template or persona of this organization has this id' }

/** A mailbox with its version as ETag. */
const shown = (mailbox: Mailbox): Answer<Mailbox> =>
  new Answer(mailbox, { headers: { etag: `"${mailbox.version}"` } })

export const mailboxEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes',
    name: 'list_mailboxes',
    summary: 'List the mailboxes',
    description: 'Newest first. `deployment` is what pushes with keys of your mode came to.',
    tag,
    permission: 'signatures:read',
    query: MailboxQuery,
    shape: 'page',
    response: z.array(Mailbox),
    handle: ({ org, context, caller, query }) => listMailboxes(org, context.cursors, caller.mode, query),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/mailboxes',
    name: 'create_mailbox',
    summary: 'Add a mailbox',
    description: 'Nothing is installed until it is pushed.',
    tag,
    permission: 'signatures:write',
    body: CreateMailbox,
    status: 201,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Mailbox,
    errors: {
      404: 'No template or persona of this organization has this id',
      409: 'The organization has a mailbox of this address already',
    },
    example: {
      email: 'ada@example.com',
      display_name: 'Ada Lovelace',
      template_id: '0190a3c4-8b1e-7cc0-9a53-0f2f6f1c2d3e',
      fields: { title: 'Head of Analysis', phone: '+1 415 555 0100' },
    },
    handle: ({ org, caller, body }) =>
      org.transact(async (tx) => shown(await createMailbox(tx, caller, body))),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'get_mailbox',
    summary: 'Read a mailbox',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Mailbox,
    errors: notFound,
    handle: ({ org, caller, params }) =>
      org.read(async (tx) => shown(await findMailbox(tx, caller, params.mailbox_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'update_mailbox',
    summary: 'Change a mailbox',
    description: 'Changes only the fields that are sent; nothing is installed until it is pushed.',
    tag,
    permission: 'signatures:write',
    params,
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateMailbox,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Mailbox,
    errors: {
      ...unknownNames,
      409: 'If-Match names another version, or the organization has a mailbox of this address already',
    },
    example: { fields: { title: 'Chief Analyst' } },
    handle: ({ org, caller, params, headers, body }) =>
      org.transact(async (tx) =>
        shown(await changeMailbox(tx, caller, params.mailbox_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'delete_mailbox',
    summary: 'Remove a mailbox',
    description: 'What is installed at its provider stays there.',
    tag,
    permission: 'signatures:write',
    params,
    shape: 'none',
    errors: notFound,
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        await deleteMailbox(tx, caller, params.mailbox_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}/preview',
    name: 'preview_mailbox',
    summary: "See what a mailbox's next push would install",
    description: 'Compiled as a push would compile it, with warnings about what mail programs do not take.',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    response: Preview,
    errors: { ...notFound, 409: 'It has no template, or that does not compile for it' },
    handle: ({ org, params }) => org.read((tx) => previewMailbox(tx, org.orgId, params.mailbox_id)),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}/sandbox',
    name: 'get_sandbox_signature',
    summary: 'Read what the sandbox has installed',
    description: 'What pushes with keys of your mode installed there.',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    response: SandboxSignature,
    errors: { 404: 'The sandbox has no signature of such a mailbox' },
    handle: ({ org, caller, params }) =>
      org.read((tx) => findSandboxSignature(tx, caller, params.mailbox_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/mailboxes/{mailbox_id}/push',
    name: 'push_mailbox',
    summary: 'Install the signature of a mailbox',
    description:
      'Queues a re-compile and re-install: GET /signatures/pushes/{push_id} tells what becomes of it. What is installed is the mailbox as it is when that begins, this version or a newer one.',
    tag,
    permission: 'signatures:write',
    params,
    body: PushMailbox,
    shape: 'data',
    response: QueuedPush,
    errors: { ...notFound, 409: 'The version is not the current one, or the mailbox has no template' },
    example: { version: 1 },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) => pushMailbox(tx, caller, context, params.mailbox_id, body.version)),
  }),
]
