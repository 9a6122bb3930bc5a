import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import { changeForm, createForm, deleteForm, findForm, listForms, listFormVersions } from './forms.ts'
import { CreateForm, Form, FormPath, FormVersion, UpdateForm } from './schema.ts'

const base = '/forms'
const path = `${base}/{form_id}`
const tag = 'Forms'
const [read, write, manage] = ['forms:read', 'forms:write', 'forms:manage']
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No form of this organization has this id',
  409: 'If-Match does not name the current version',
}

export const formEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_forms',
    sdk: 'forms.list',
    summary: 'List the forms',
    description: 'All forms, the newest first, without pages.',
    tag,
    permission: read,
    shape: 'data',
    response: z.array(Form),
    handle: ({ org, caller }) => limitWholeLists(caller.payerId, () => listForms(org)),
  }),
  endpoint({
    method: 'POST',
    path: base,
    name: 'create_form',
    sdk: 'forms.create',
    summary: 'Create a form',
    description:
      'A form asks visitors of web pages for answers. Its fields can fill fields of contacts. A submission writes only the own contact of the visitor, never another one.',
    tag,
    permission: write,
    body: CreateForm,
    status: 201,
    location: path,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Form,
    errors: { 409: 'The organization has 100 forms' },
    example: {
      name: 'Demo requests',
      status: 'live',
      title: 'Ask for a demo',
      fields: [
        { key: 'name', label: 'First name', maps_to: 'first_name' },
        { key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
        { key: 'size', label: 'Employees', type: 'select', options: ['1 to 9', '10 to 99', '100 or more'] },
      ],
      consent: { text: 'You may send me news by e-mail.', channels: ['email'] },
    },
    handle: ({ org, caller, body }) => {
      if (body.call_back) requirePermission(caller, 'voice:write')
      return org.transact(async (tx) => withETag(await createForm(tx, body)))
    },
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_form',
    sdk: 'forms.get',
    summary: 'Read a form',
    tag,
    permission: read,
    params: FormPath,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Form,
    errors: { 404: errors[404] },
    handle: ({ org, params }) => org.read(async (tx) => withETag(await findForm(tx, params.form_id))),
  }),
  endpoint({
    method: 'PATCH',
    path,
    name: 'update_form',
    sdk: 'forms.update',
    summary: 'Change a form',
    description:
      'Only the members that you send change. `fields` replaces all fields. Each change makes a version, and earlier submissions keep the version that the person saw.',
    tag,
    permission: write,
    params: FormPath,
    headers,
    body: UpdateForm,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Form,
    errors,
    example: { status: 'live', thank_you: { text: 'Thank you. We will call you tomorrow.' } },
    handle: ({ org, caller, params, headers, body }) => {
      if (body.call_back) requirePermission(caller, 'voice:write')
      return org.transact(async (tx) =>
        withETag(await changeForm(tx, params.form_id, body, headers['if-match'])),
      )
    },
  }),
  endpoint({
    method: 'DELETE',
    path,
    name: 'delete_form',
    sdk: 'forms.delete',
    summary: 'Delete a form without submissions',
    tag,
    permission: manage,
    params: FormPath,
    headers,
    shape: 'none',
    errors: {
      404: errors[404],
      409: 'The form has submissions, or If-Match does not name the current version',
    },
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        await deleteForm(tx, params.form_id, headers['if-match'])
        return undefined
      }),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/versions`,
    name: 'list_form_versions',
    sdk: 'forms.versions',
    summary: 'List the versions of a form',
    description: 'The last 200 versions, the newest first, without pages.',
    tag,
    permission: read,
    params: FormPath,
    shape: 'data',
    response: z.array(FormVersion),
    errors: { 404: errors[404] },
    handle: ({ org, caller, params }) =>
      limitWholeLists(caller.payerId, () => listFormVersions(org, params.form_id)),
  }),
]
