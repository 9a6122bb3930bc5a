import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { fillSandboxJob } from './fill-job.ts'
import { createSandbox, deleteSandbox, findSandbox, listSandboxes } from './sandboxes.ts'
import { CreatedSandbox, CreateSandbox, ListQuery, Sandbox, SandboxPath } from './schema.ts'

const tag = 'Sandboxes'
const path = '/organization/sandboxes'
const errors = { 404: 'This organization has no sandbox with this id' }

export const sandboxEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path,
    name: 'create_sandbox',
    sdk: 'sandboxes.create',
    summary: 'Create a sandbox',
    description:
      'A sandbox is a throw-away organization for trials. It has records of its own, and only test keys, so every call, CRM push and signature install in it is simulated. Only this answer has the token of its first key. A sandbox shares the rate limit of the organization that made it.',
    tag,
    permission: 'organization:manage',
    confirm: true,
    body: CreateSandbox,
    status: 201,
    location: `${path}/{org_id}`,
    shape: 'data',
    response: CreatedSandbox,
    holdsSecret: 'api_key_id',
    errors: {
      403: 'The API key lacks the permission, or belongs to a sandbox',
      409: 'The organization has 5 sandboxes',
    },
    example: { name: 'Trial of the import' },
    handle: ({ org, caller, context, body }) =>
      org.transact(async (tx) => {
        const created = await createSandbox(tx, caller, body)
        if (created.status === 'preparing') {
          const payload = { org_id: tx.orgId, sandbox_org_id: created.org_id }
          await context.jobs.enqueue(tx, fillSandboxJob, payload)
        }
        return created
      }),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'list_sandboxes',
    sdk: 'sandboxes.list',
    summary: 'List the sandboxes',
    description: 'The newest first, without tokens.',
    tag,
    permission: 'organization:read',
    query: ListQuery,
    shape: 'page',
    response: z.array(Sandbox),
    handle: ({ org, context, query }) => listSandboxes(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{org_id}`,
    name: 'get_sandbox',
    sdk: 'sandboxes.get',
    summary: 'Read a sandbox',
    tag,
    permission: 'organization:read',
    params: SandboxPath,
    shape: 'data',
    response: Sandbox,
    errors,
    handle: ({ org, params }) => org.read((tx) => findSandbox(tx, params.org_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{org_id}`,
    name: 'delete_sandbox',
    sdk: 'sandboxes.delete',
    summary: 'Delete a sandbox',
    confirm: true,
    description:
      'Its API keys are refused at once on this node, and within 2 seconds on others. Its write keys, forms and webhook endpoints end with it. Its records are deleted in the background.',
    tag,
    permission: 'organization:manage',
    params: SandboxPath,
    shape: 'none',
    errors,
    handle: ({ org, context, params }) =>
      org.transact(async (tx) => {
        tx.afterCommit(() => context.forgetKeys(params.org_id))
        await deleteSandbox(tx, params.org_id)
        return undefined
      }),
  }),
]
