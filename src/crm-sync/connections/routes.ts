import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import { listSandboxRecords } from '../adapters/sandbox.ts'
import {
  Connection,
  ConnectionQuery,
  ConnectionTest,
  CreateConnection,
  SandboxRecord,
  UpdateConnection,
} from '../connection-schema.ts'
import {
  changeConnection,
  createConnection,
  deleteConnection,
  findConnection,
  listConnections,
} from '../connections.ts'
import { cancelJobsOfConnection } from '../jobs/jobs.ts'
import { testConnection } from './connection-test.ts'
import { forgetConnection } from './forget.ts'
import { limitTests } from './limit-tests.ts'

const tag = 'CRM sync'
const base = '/integrations/crm-sync/connections'
const params = z.object({ connection_id: id().describe('The id of the connection.') })
const notFound = { 404: 'No CRM connection of this organization has this id' }

export const connectionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_crm_connections',
    sdk: 'crm.connections.list',
    summary: 'List the CRM connections',
    description:
      'Newest first. The answer has the `url` and `username` of the credentials, and at most the last four characters of the others.',
    tag,
    permission: 'crm:read',
    query: ConnectionQuery,
    shape: 'page',
    response: z.array(Connection),
    // Each connection has a secret, which is read and opened on its own.
    handle: ({ org, caller, context, query }) =>
      limitWholeLists(caller.payerId, () => listConnections(org, context.cursors, context.secrets, query)),
  }),
  endpoint({
    method: 'POST',
    path: base,
    name: 'create_crm_connection',
    sdk: 'crm.connections.create',
    summary: 'Connect a CRM',
    description: 'This sends nothing to the CRM. To test the connection, use POST …/test.',
    tag,
    permission: 'crm:manage',
    confirm: true,
    body: CreateConnection,
    status: 201,
    location: `${base}/{connection_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Connection,
    example: { provider: 'sandbox', name: 'Trying it out' },
    handle: ({ org, context, body }) =>
      org.transact(async (tx) => withETag(await createConnection(tx, context.secrets, body))),
  }),
  endpoint({
    method: 'GET',
    path: `${base}/{connection_id}`,
    name: 'get_crm_connection',
    sdk: 'crm.connections.get',
    summary: 'Read a CRM connection',
    tag,
    permission: 'crm:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Connection,
    errors: notFound,
    handle: ({ org, context, params }) =>
      org.read(async (tx) => withETag(await findConnection(tx, context.secrets, params.connection_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${base}/{connection_id}`,
    name: 'update_crm_connection',
    sdk: 'crm.connections.update',
    summary: 'Change a CRM connection',
    description:
      'Changes only the fields that you send, also inside credentials and settings. A field_map replaces the old one.',
    tag,
    permission: 'crm:manage',
    confirm: true,
    params,
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateConnection,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Connection,
    errors: { ...notFound, 409: 'If-Match does not name the current version' },
    example: { field_map: { 'custom.plan': 'plan', city: null } },
    handle: ({ org, context, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(
          await changeConnection(tx, context.secrets, params.connection_id, body, headers['if-match']),
        ),
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: `${base}/{connection_id}`,
    name: 'delete_crm_connection',
    sdk: 'crm.connections.delete',
    summary: 'Disconnect a CRM',
    description:
      'Deletes the credentials, the links to the CRM and the records of its sandbox, and cancels running jobs. The CRM keeps its records, and the jobs stay readable.',
    tag,
    permission: 'crm:manage',
    params,
    shape: 'none',
    errors: notFound,
    handle: ({ org, context, params }) =>
      org.transact(async (tx) => {
        await deleteConnection(tx, context.secrets, params.connection_id)
        await cancelJobsOfConnection(tx, context, params.connection_id)
        const deleted = { org_id: org.orgId, connection_id: params.connection_id }
        await context.jobs.enqueue(tx, forgetConnection, deleted)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${base}/{connection_id}/test`,
    name: 'test_crm_connection',
    sdk: 'crm.connections.test',
    summary: 'Test a CRM connection',
    description:
      'Asks the CRM whether a push would work: credentials, permissions, the field for the Crosswalk id, and every field that would be sent. The answer reports Leads and Contacts separately. The test writes nothing to the CRM.',
    tag,
    permission: 'crm:write',
    params,
    shape: 'data',
    response: ConnectionTest,
    errors: {
      ...notFound,
      502: 'The CRM answered neither the request for Leads nor the request for Contacts',
    },
    handle: ({ org, caller, context, params }) =>
      limitTests(caller.payerId, () => testConnection(context, org, caller, params.connection_id)),
  }),
  endpoint({
    method: 'GET',
    path: `${base}/{connection_id}/sandbox`,
    name: 'list_crm_sandbox_records',
    sdk: 'crm.connections.sandboxRecords.list',
    summary: 'List the records of the sandbox',
    description:
      'Records that pushes over this connection created in the sandbox: pushes of test keys, and of sandbox connections. Needs `contacts:read` as well.',
    tag,
    permission: 'crm:read',
    params,
    query: ConnectionQuery,
    shape: 'page',
    response: z.array(SandboxRecord),
    errors: notFound,
    handle: async ({ org, caller, context, params, query }) => {
      const records = await listSandboxRecords(org, context.cursors, params.connection_id, query)
      requirePermission(caller, 'contacts:read')
      return records
    },
  }),
]
