import { z } from 'zod'
import { orgName } from '../orgs/schema.ts'
import { id, integer, literal } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'

export const SandboxPath = z.object({ org_id: id().describe('The organization that is the sandbox.') })
export const ListQuery = z.object(listQuery)

const copies = ['nothing', 'settings', 'sample'] as const

export const CreateSandbox = z
  .object({
    name: orgName.describe('The name of the sandbox.'),
    copy: literal(...copies)
      .meta({ title: 'SandboxCopy' })
      .default('nothing')
      .describe(
        'settings: deal stages, close reasons, defined fields, segments, personas, and the settings of duplicates, calls, CRM pushes and tracking. Never records or credentials. sample: invented companies, contacts and deals.',
      ),
    expires_in_days: integer({ min: 1, max: 30 })
      .default(7)
      .describe('Days until the sandbox is deleted with everything in it.'),
  })
  .meta({ title: 'CreateSandbox' })

const sandbox = {
  org_id: shown.id('The organization that is the sandbox.'),
  name: shown.text('The name of the sandbox.', 'Trial'),
  copy: shown.word(
    'SandboxCopy',
    copies,
    'The data that was copied into the sandbox when it was made.',
    'sample',
  ),
  status: shown.word(
    'SandboxStatus',
    ['preparing', 'ready', 'failed'],
    'preparing: the sample data is being created, which takes some seconds. failed: it could not be created; delete the sandbox.',
  ),
  created_at: shown.time('When the sandbox was created.'),
  expires_at: shown.time('When the sandbox is deleted with everything in it.'),
}

export const Sandbox = z.object(sandbox).meta({ title: 'Sandbox' })

export const CreatedSandbox = z
  .object({
    ...sandbox,
    api_key_id: shown.id('The id of the test key.'),
    api_key_token: shown.text(
      'A test key of the sandbox, shown only in this answer. The test key has the permissions of the key that made the sandbox.',
      'svc_test_…',
    ),
  })
  .meta({ title: 'CreatedSandbox' })

export type ListQuery = z.output<typeof ListQuery>
export type CreateSandbox = z.output<typeof CreateSandbox>
export type Sandbox = z.output<typeof Sandbox>
export type CreatedSandbox = z.output<typeof CreatedSandbox>
