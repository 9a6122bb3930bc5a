import { z } from 'zod'
import { permissionPattern, resources } from '../auth/permissions.ts'
import { list } from '../platform/http/collections.ts'
import { boolean, formatted, id, integer, literal, refuse, text } from '../platform/http/fields.ts'

/** A permission that can be granted to a key. */
const permission = formatted(
  (value) =>
    permissionPattern.test(value)
      ? value
      : refuse(
          `a permission is * or <resource>:<read|write|manage|*>, such as contacts:read; the resources are ${resources.join(', ')}`,
        ),
  { pattern: permissionPattern.source, examples: ['contacts:read'] },
)

/** An empty list is refused: a key without permissions would be a mistake. */
const permissions = list(permission, { min: 1, max: 100 })

const name = text({ min: 1, max: 120 }).describe('A label of your choice.')

export const CreateKey = z
  .object({
    name,
    mode: literal('live', 'test')
      .default('live')
      .describe(
        'Permanent. A test key acts on the same records as a live key; only its calls, CRM pushes and signature installs are simulated. The prefix of the token shows the mode, but does not set it.',
      ),
    is_agency: boolean()
      .default(false)
      .describe('An agency key may act on the linked client orgs with X-Target-Org-Id.'),
    expires_in_days: integer({ min: 1, max: 365 })
      .nullable()
      .optional()
      .describe('Days until the key stops working; never unless given.'),
    permissions: permissions
      .nullable()
      .optional()
      .describe(
        'The permissions of the key. Without it the key gets all permissions, which a restricted key cannot grant.',
      ),
  })
  .meta({ title: 'CreateApiKey' })

export const UpdateKey = z
  .object({
    name: name.optional(),
    permissions: permissions.nullable().optional().describe('null grants all permissions.'),
  })
  .meta({ title: 'UpdateApiKey' })

export const RotateKey = z
  .object({
    grace_seconds: integer({ min: 0, max: 604_800 })
      .default(0)
      .describe('For how many seconds the old token keeps working. 0: it stops working at once.'),
  })
  .default({ grace_seconds: 0 })

export const KeyPath = z.object({ api_key_id: id() })

const created = {
  api_key_id: z.string(),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  is_agency: z.boolean(),
  created_at: z.int().describe('Unix seconds.'),
  expires_at: z.int().nullable().describe('Unix seconds; null: never.'),
  permissions: z.array(z.string()).nullable().describe('null: all.'),
}

/**
 * A new key with its secret, which no later answer shows. An agency key has it under `token`; other keys have it under
 * `api_key_token`.
 */
export const CreatedKey = z
  .object({
    ...created,
    api_key_token: z.string().optional(),
    token: z.string().optional(),
  })
  .meta({ title: 'CreatedApiKey' })

export const Key = z
  .object({
    ...created,
    token_hint: z.string().describe('The last four characters of the token.'),
    last_used_at: z.int().nullable().describe('Unix seconds, to the minute; null: never used.'),
    created_by_org_id: z
      .string()
      .nullable()
      .describe(
        'The org whose key made this key, directly or through a key that it made. null: the operator made it.',
      ),
    created_by_api_key_id: z.string().nullable(),
  })
  .meta({ title: 'ApiKey' })

export const KeyList = z.object({ keys: z.array(Key), total: z.int() })

export type CreateKey = z.output<typeof CreateKey>
export type UpdateKey = z.output<typeof UpdateKey>
export type Key = z.output<typeof Key>
export type CreatedKey = z.output<typeof CreatedKey>
