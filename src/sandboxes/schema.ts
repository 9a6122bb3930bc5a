import { z } from 'zod'
import { orgName } from '../orgs/schema.ts'
import { id, integer, literal } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'

export const SandboxPath = z.object({ org_id: id() })
export const ListQuery = z.object(listQuery)

export const CreateSandbox = z.object({
  name: orgName,
  copy: literal('nothing', 'settings', 'sample')
    .default('nothing')
    .describe(
      'settings: deal stages, close reasons, personas, and the settings of duplicates, calls and CRM pushes. Never records or credentials. sample: invented companies, contacts and deals.',
    ),
  expires_in_days: integer({ min: 1, max: 30 })
    .default(7)
    .describe('Days until the sandbox is deleted with everything in it.'),
})

const sandbox = {
  org_id: z.string().describe('The organization that is the sandbox.'),
  name: z.string().describe('The name that the sandbox was made with.'),
  copy: z.enum(['nothing', 'settings', 'sample']),
  status: z
    .enum(['preparing', 'ready', 'failed'])
    .describe(
      'preparing: the sample data is being made, which takes some seconds. failed: it could not be made; delete the sandbox.',
    ),
  created_at: z.int().describe('Unix seconds.'),
  expires_at: z.int().describe('Unix seconds. The sandbox is deleted then.'),
}

export const Sandbox = z.object(sandbox).meta({ title: 'Sandbox' })

export const CreatedSandbox = z
  .object({
    ...sandbox,
    api_key_id: z.string(),
    api_key_token: z
      .string()
      .describe('A test key of the sandbox, shown this once. It has the permissions of the key that asked.'),
  })
  .meta({ title: 'CreatedSandbox' })

export type ListQuery = z.output<typeof ListQuery>
export type CreateSandbox = z.output<typeof CreateSandbox>
export type Sandbox = z.output<typeof Sandbox>
export type CreatedSandbox = z.output<typeof CreatedSandbox>
