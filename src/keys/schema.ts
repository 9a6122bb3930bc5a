import { z } from 'zod'
import { permissionPattern, resources } from '../auth/permissions.ts'
import { list } from '../platform/http/collections.ts'
import { boolean, id, integer, literal, parsedText, refuse, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

/** A permission that can be granted to a key. */
const permission = parsedText(
  (value) =>
    permissionPattern.test(value)
      ? value
      : refuse(
          `a permission is * or <resource>:<read|write|manage|*>, such as contacts:read; the resources are ${resources.join(', ')}`,
        ),
  { pattern: permissionPattern.source, examples: ['contacts:read'] },
)

/** Refuse an empty list: a key without permissions would be a mistake. */
const permissions = list(permission, { min: 1, max: 100 })

const name = text({ min: 1, max: 120 }).describe('A label of your choice.')

export const CreateKey = z
  .object({
    name,
    mode: literal('live', 'test')
      .meta({ title: 'Mode' })
      .default('live')
      .describe(
        'The mode never changes. A test key acts on the same records as a live key; only its calls, CRM pushes and signature installs are simulated. The prefix of the token shows the mode, but does not set it.',
      ),
    is_agency: boolean()
      .default(false)
      .describe('True makes an agency key, which can act on linked clients with X-Target-Org-Id.'),
    expires_in_days: integer({ min: 1, max: 365 })
      .nullable()
      .optional()
      .describe('The number of days until the key stops working. By default the key does not expire.'),
    permissions: permissions
      .nullable()
      .optional()
      .describe(
        'The permissions of the key. If you omit them, the key gets all permissions, which a restricted key cannot give.',
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
  .meta({ title: 'RotateApiKey' })
  .default({ grace_seconds: 0 })

export const KeyPath = z.object({ api_key_id: id().describe('The id of the API key.') })

const created = {
  api_key_id: shown.id('The id of the API key.'),
  name: shown.text('A label of your choice.', 'Nightly sync'),
  mode: shown.mode(
    'Whether calls, CRM pushes and signature installs of the key are real (live) or simulated (test).',
    'test',
  ),
  is_agency: shown.flag('Whether the key may act on linked clients with X-Target-Org-Id.'),
  created_at: shown.time('When the key was created.'),
  expires_at: shown.pendingTime('When the key stops working; null: never.'),
  permissions: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'What the key may do; null: everything.',
      examples: [['contacts:read', 'contacts:write']],
    }),
}

const CreatedOrgKey = z
  .object({
    ...created,
    is_agency: z.literal(false).describe('The key acts on its own organization.'),
    api_key_token: shown.text(
      'The secret, shown only in this answer. Send it as `Authorization: Bearer`.',
      'svc_test_…',
    ),
  })
  .meta({ title: 'CreatedOrganizationKey' })

const CreatedAgencyKey = z
  .object({
    ...created,
    is_agency: z.literal(true).describe('The key may act on linked clients with X-Target-Org-Id.'),
    token: shown.text(
      'The secret, shown only in this answer. Send it as `Authorization: Bearer`.',
      'svc_test_…',
    ),
  })
  .meta({ title: 'CreatedAgencyKey' })

/**
 * A new key with its secret, which no later answer shows. An agency key has it in `token`, and any other key in
 * `api_key_token`.
 */
export const CreatedKey = z
  .discriminatedUnion('is_agency', [CreatedOrgKey, CreatedAgencyKey])
  .meta({ title: 'CreatedApiKey' })

export const Key = z
  .object({
    ...created,
    token_hint: shown.text('The last four characters of the token.', 'k3Zv'),
    last_used_at: shown.time('When the key was last used, to the minute; null: never.').nullable(),
    created_by_org_id: shown
      .id(
        'The organization whose member or API key created this key, directly or through other keys. null: the operator created it.',
      )
      .nullable(),
    created_by_api_key_id: shown
      .id('The id of the API key that created this key; null: a member or the operator created it.')
      .nullable(),
    created_by_member_id: shown
      .id('The id of the member who created this key; null: an API key or the operator created it.')
      .nullable()
      .meta({ examples: [null] }),
    replaced_by_api_key_id: shown
      .id('The id of the API key that replaced this key in a rotation; null: the key was not rotated.')
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ title: 'ApiKey' })

export const KeyList = z
  .object({
    keys: z.array(Key).describe('All API keys, the newest first.'),
    total: shown.count('The number of API keys.', 1),
  })
  .meta({ title: 'ApiKeyList' })

export type CreateKey = z.output<typeof CreateKey>
export type UpdateKey = z.output<typeof UpdateKey>
export type Key = z.output<typeof Key>
export type CreatedKey = z.output<typeof CreatedKey>
