import { z } from 'zod'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { ifMatch } from '../../platform/http/if-match.ts'
import { rollOut } from '../deploy/rollouts.ts'
import { CreateTemplate, PushTemplate, Rollout, Template, TemplateQuery, UpdateTemplate } from '../schema.ts'
import { changeTemplate, createTemplate, deleteTemplate, findTemplate, listTemplates } from './templates.ts'

const tag = 'E-mail signatures'
const params = z.object({ template_id: id() })
const notFound = { 404: 'No signature template of this organization has this id' }

/** A template with its version as ETag. */
const shown = (template: Template): Answer<Template> =>
  new Answer(template, { headers: { etag: `"${template.version}"` } })

export const templateEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/templates',
    name: 'list_signature_templates',
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
    summary: 'Create a signature template',
    description: 'Liquid and HTML; what cannot be read, or would always be too long, is refused.',
    tag,
    permission: 'signatures:write',
    body: CreateTemplate,
    status: 201,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    example: {
      name: 'Plain',
      html: '<p><b>{{ display_name }}</b><br>{{ title }}, {{ org.name }}<br><a href="tel:{{ phone }}">{{ phone }}</a></p>',
    },
    handle: ({ org, caller, body }) =>
      org.transact(async (tx) => shown(await createTemplate(tx, caller, body))),
  }),
  endpoint({
    method: 'GET',
    path: '/signatures/templates/{template_id}',
    name: 'get_signature_template',
    summary: 'Read a signature template',
    tag,
    permission: 'signatures:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    errors: notFound,
    handle: ({ org, params }) =>
      org.read(async (tx) => shown(await findTemplate(tx, org.orgId, params.template_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/signatures/templates/{template_id}',
    name: 'update_signature_template',
    summary: 'Change a signature template',
    description:
      'Changes only the fields that are sent. The versions of its mailboxes rise, unless only its name changes; nothing is installed until it is pushed.',
    tag,
    permission: 'signatures:write',
    params,
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateTemplate,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Template,
    errors: { ...notFound, 409: 'If-Match names another version than the current one' },
    example: { html: '<p><b>{{ display_name }}</b><br>{{ org.name }}</p>' },
    handle: ({ org, caller, params, headers, body }) =>
      org.transact(async (tx) =>
        shown(await changeTemplate(tx, caller, params.template_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: '/signatures/templates/{template_id}',
    name: 'delete_signature_template',
    summary: 'Delete a signature template',
    description: 'One that no mailbox uses.',
    tag,
    permission: 'signatures:write',
    params,
    shape: 'none',
    errors: { ...notFound, 409: 'Mailboxes use it' },
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        await deleteTemplate(tx, caller, params.template_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/signatures/templates/{template_id}/push',
    name: 'push_signature_template',
    summary: 'Push a template to all its mailboxes',
    description:
      'Compiles and installs the signature of every mailbox that uses it, in the background: GET /signatures/rollouts/{rollout_id} tells how far that is, GET /signatures/pushes?rollout_id=… of each mailbox.',
    tag,
    permission: 'signatures:write',
    params,
    body: PushTemplate,
    status: 202,
    shape: 'data',
    response: Rollout,
    errors: { ...notFound, 409: 'The version is not the current one, or no mailbox uses the template' },
    example: { version: 1 },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) => rollOut(tx, caller, context, params.template_id, body.version)),
  }),
]
