import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import {
  CreateMailbox,
  Mailbox,
  MailboxPath,
  MailboxQuery,
  Preview,
  PreviewTemplate,
  TemplatePreview,
  UpdateMailbox,
} from '../mailbox-schema.ts'
import { changeMailbox, createMailbox, deleteMailbox, findMailbox, listMailboxes } from './mailboxes.ts'
import { previewMailbox, previewTemplate } from './previews.ts'

const tag = 'E-mail signatures'
const params = MailboxPath
const notFound = { 404: 'No mailbox of this organization has this id' }
const unknownNames = { 404: 'No mailbox, template or persona of this organization has this id' }

export const mailboxEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes',
    name: 'list_mailboxes',
    sdk: 'signatures.mailboxes.list',
    summary: 'List the mailboxes',
    description: 'Newest first. `deployment` shows the pushes by API keys of your mode.',
    tag,
    permission: 'signatures:read',
    query: MailboxQuery,
    shape: 'page',
    response: z.array(Mailbox),
    handle: ({ org, context, query }) => listMailboxes(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/mailboxes',
    name: 'create_mailbox',
    sdk: 'signatures.mailboxes.create',
    summary: 'Add a mailbox',
    description: 'Nothing is installed until you push the mailbox.',
    tag,
    permission: 'signatures:write',
    body: CreateMailbox,
    status: 201,
    location: '/signatures/mailboxes/{mailbox_id}',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Mailbox,
    errors: {
      404: 'No template or persona of this organization has this id',
      409: 'The organization already has a mailbox with this address',
    },
    example: {
      email: 'ada@example.com',
      display_name: 'Ada Lovelace',
      template_id: exampleId('template_id'),
      fields: { title: 'Head of Analysis', phone: '+1 415 555 0100' },
    },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createMailbox(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'get_mailbox',
    sdk: 'signatures.mailboxes.get',
    summary: 'Read a mailbox',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Mailbox,
    errors: notFound,
    handle: ({ org, params }) => org.read(async (tx) => withETag(await findMailbox(tx, params.mailbox_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'update_mailbox',
    sdk: 'signatures.mailboxes.update',
    summary: 'Change a mailbox',
    description: 'Only the fields that you send change. Nothing is installed until you push the mailbox.',
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
      409: 'If-Match does not name the current version, or the organization already has a mailbox with this address',
    },
    example: { fields: { title: 'Chief Analyst' } },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(await changeMailbox(tx, params.mailbox_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: '/signatures/mailboxes/{mailbox_id}',
    name: 'delete_mailbox',
    sdk: 'signatures.mailboxes.delete',
    summary: 'Delete a mailbox',
    description: 'The installed signature stays at the provider.',
    tag,
    permission: 'signatures:write',
    params,
    shape: 'none',
    errors: notFound,
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await deleteMailbox(tx, params.mailbox_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/mailboxes/{mailbox_id}/preview',
    name: 'preview_mailbox',
    sdk: 'signatures.mailboxes.preview',
    summary: "See what a mailbox's next push would install",
    description: 'The compiled signature, with warnings about what mail programs reject.',
    tag,
    permission: 'signatures:read',
    params,
    isLong: true,
    shape: 'data',
    response: Preview,
    errors: { ...notFound, 409: 'The mailbox has no template, or the template does not compile for it' },
    handle: ({ org, caller, params }) => previewMailbox(org, caller.payerId, params.mailbox_id),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/templates/preview',
    name: 'preview_signature_template',
    sdk: 'signatures.templates.preview',
    summary: 'See what a template looks like before you store it',
    description:
      'Compiles the template that you send, with the data of a mailbox. A template that cannot be read gets 422; the message ends with the line and the column. The request changes nothing, so an Idempotency-Key has no effect.',
    tag,
    permission: 'signatures:read',
    body: PreviewTemplate,
    isLong: true,
    effect: 'none',
    shape: 'data',
    response: TemplatePreview,
    errors: { 404: 'No mailbox of this organization has this id' },
    example: { html: '<p><b>{{ display_name }}</b><br>{{ title }}, {{ org.name }}</p>' },
    handle: ({ org, caller, body }) => previewTemplate(org, caller.payerId, body),
  }),
]
