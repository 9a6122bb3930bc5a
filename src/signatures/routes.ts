import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { deployEndpoints } from './deploy/routes.ts'
import { mailboxEndpoints } from './mailboxes/routes.ts'
import { Settings, UpdateSettings } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'
import { templateEndpoints } from './templates/routes.ts'

const tag = 'E-mail signatures'

const settingsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/signatures/settings',
    name: 'get_signature_settings',
    sdk: 'signatures.settings.get',
    summary: 'Read the signature settings',
    description: 'The answer never contains private keys.',
    tag,
    permission: 'signatures:read',
    shape: 'data',
    response: Settings,
    handle: ({ org, context }) => org.read((tx) => readSettings(tx, context.secrets)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/signatures/settings',
    name: 'update_signature_settings',
    sdk: 'signatures.settings.update',
    summary: 'Change the signature settings',
    description: 'Stores the credentials of a provider; null deletes them.',
    tag,
    permission: 'signatures:manage',
    confirm: true,
    body: UpdateSettings,
    shape: 'data',
    response: Settings,
    example: { gmail: { service_account: null } },
    handle: ({ org, context, body }) => org.transact((tx) => changeSettings(tx, context.secrets, body)),
  }),
]

export const signatureEndpoints: Endpoint[] = [
  ...templateEndpoints,
  ...mailboxEndpoints,
  ...deployEndpoints,
  ...settingsEndpoints,
]
