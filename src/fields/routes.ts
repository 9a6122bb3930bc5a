import { z } from 'zod'
import { refusalOf } from '../auth/permissions.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { changeField, createField, deleteField, listFields, readField } from './fields.ts'
import { CreateField, Field, FieldList, FieldQuery, UpdateField } from './schema.ts'

const path = '/fields'
const tag = 'Fields'
const read = ['contacts:read', 'companies:read', 'deals:read']
const manage = 'organization:manage'
const params = z.object({ field_id: id().describe('The id of the field.') })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No field of this organization has this id',
  409: 'If-Match does not name the current version, an import of these records runs, the values are being converted, or records have values that do not fit',
}

export const fieldEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_fields',
    sdk: 'fields.list',
    summary: 'List the defined fields',
    description:
      'The definitions of members of `custom`, without pages. `can_manage` says whether your API key may change them.',
    tag,
    permission: read,
    query: FieldQuery,
    shape: 'data',
    response: FieldList,
    handle: async ({ org, caller, query }) => ({
      fields: await org.read((tx) => listFields(tx, query.entity)),
      can_manage: refusalOf(caller, manage) === null,
    }),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_field',
    sdk: 'fields.create',
    summary: 'Define a field',
    description:
      'From now on, every write of this member of `custom` must fit the type: from the API, imports and tools. Text is converted if its meaning is clear: "5" as a number, "yes" as true, "gold" as the option "Gold". null and empty text remove the value.',
    tag,
    permission: manage,
    body: CreateField,
    status: 201,
    location: `${path}/{field_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Field,
    errors: {
      409: 'The key is defined already, this record type has 200 fields or options with 100,000 characters, an import of these records runs, or records have values that do not fit',
    },
    example: { entity: 'contact', key: 'tier', label: 'Tier', type: 'select', options: ['Gold', 'Silver'] },
    handle: ({ org, body, context }) =>
      org.transact(async (tx) => withETag(await createField(tx, context.jobs, body))),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{field_id}`,
    name: 'get_field',
    sdk: 'fields.get',
    summary: 'Read the definition of a field',
    tag,
    permission: read,
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Field,
    errors: { 404: errors[404] },
    handle: ({ org, params }) => org.read(async (tx) => withETag(await readField(tx, params.field_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{field_id}`,
    name: 'update_field',
    sdk: 'fields.update',
    summary: 'Change or move a field',
    description:
      'Only the fields that you send change. With another type or fewer options, the values of all records are checked first. Values stay unchanged unless you send `"existing": "convert"`: then a job converts them. `rename_options` renames options, and a job changes the value in all records. `conversion` counts the records.',
    tag,
    permission: manage,
    params,
    headers,
    body: UpdateField,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Field,
    errors,
    example: { label: 'Customer tier', position: 1 },
    handle: ({ org, params, headers, body, context }) =>
      org.transact(async (tx) =>
        withETag(await changeField(tx, context.jobs, params.field_id, body, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{field_id}`,
    name: 'delete_field',
    sdk: 'fields.delete',
    summary: 'Delete the definition of a field',
    description: 'Records keep their values in `custom`, and the member accepts any JSON again.',
    tag,
    permission: manage,
    params,
    headers,
    shape: 'none',
    errors: {
      404: errors[404],
      409: 'If-Match does not name the current version, an import of these records runs, or a job converts the values',
    },
    handle: ({ org, params, headers, context }) =>
      org.transact(async (tx) => {
        await deleteField(tx, context.jobs, params.field_id, headers['if-match'])
        return undefined
      }),
  }),
]
