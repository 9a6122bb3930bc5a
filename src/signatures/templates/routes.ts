import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import { CreateTemplate, Template, TemplateQuery, UpdateTemplate } from '../schema.ts'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  findTemplate,
  listTemplates,
  requireTemplate,
} from './templates.ts'

const tag = 'E-mail signatures'
const params = z.object({ template_id: id().describe('The id of the template.') })
const notFound = { 404: 'No signature template of this organization has this id' }

export const templateEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/templates',
    name: 'list_signature_templates',
    sdk: 'signatures.templates.list',
    summary: 'List the signature templates',
    description: 'Newest first.',
    tag,
    permission: 'signatures:read',
    query: TemplateQuery,
    shape: 'page',
    response: z.array(Template),
    handle: ({ org, context, query }) => listTemplates(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/templates',
    name: 'create_signature_template',
    sdk: 'signatures.templates.create',
    summary: 'Create a signature template',
    description:
      'A template is Liquid and HTML. A template that cannot be read, or that is too long with any data, gets 422.',
    tag,
    permission: 'signatures:write',
    body: CreateTemplate,
    isLong: true,
    status: 201,
    location: '/signatures/templates/{template_id}',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    example: {
      name: 'Plain',
      html: '<p><b>{{ display_name }}</b><br>{{ title }}, {{ org.name }}<br><a href="tel:{{ phone }}">{{ phone }}</a></p>',
    },
    handle: async ({ org, caller, body }) => {
      await requireTemplate(caller.payerId, body)
      return org.transact(async (tx) => withETag(await createTemplate(tx, body)))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/templates/{template_id}',
    name: 'get_signature_template',
    sdk: 'signatures.templates.get',
    summary: 'Read a signature template',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    errors: notFound,
    handle: ({ org, params }) => org.read(async (tx) => withETag(await findTemplate(tx, params.template_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/signatures/templates/{template_id}',
    name: 'update_signature_template',
    sdk: 'signatures.templates.update',
    summary: 'Change a signature template',
    description:
      'Only the fields that you send change. The versions of all mailboxes of the template rise, unless only the name changes. Nothing is installed until you push.',
    tag,
    permission: 'signatures:write',
    params,
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateTemplate,
    isLong: true,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    errors: { ...notFound, 409: 'If-Match does not name the current version' },
    example: { html: '<p><b>{{ display_name }}</b><br>{{ org.name }}</p>' },
    handle: async ({ org, caller, params, headers, body }) => {
      await requireTemplate(caller.payerId, body)
      return org.transact(async (tx) =>
        withETag(await changeTemplate(tx, params.template_id, body, headers['if-match'])),
      )
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/signatures/templates/{template_id}',
    name: 'delete_signature_template',
    sdk: 'signatures.templates.delete',
    summary: 'Delete a signature template',
    description: 'A template that a mailbox uses cannot be deleted.',
    tag,
    permission: 'signatures:write',
    params,
    shape: 'none',
    errors: { ...notFound, 409: 'Mailboxes use the template' },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await deleteTemplate(tx, params.template_id)
        return undefined
      }),
  }),
]
