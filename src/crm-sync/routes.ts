import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { connectionEndpoints } from './connections/routes.ts'
import { jobEndpoints } from './jobs/routes.ts'
import { Settings, UpdateSettings } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

const tag = 'CRM sync'

const settingsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/integrations/crm-sync/settings',
    name: 'get_crm_settings',
    sdk: 'crm.settings.get',
    summary: 'Read the CRM settings',
    tag,
    permission: 'crm:read',
    shape: 'data',
    response: Settings,
    handle: ({ org }) => org.read((tx) => readSettings(tx)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/integrations/crm-sync/settings',
    name: 'update_crm_settings',
    sdk: 'crm.settings.update',
    summary: 'Change the CRM settings',
    tag,
    permission: 'crm:manage',
    body: UpdateSettings,
    shape: 'data',
    response: Settings,
    example: { threshold: 1000 },
    handle: ({ org, body }) => org.transact((tx) => changeSettings(tx, body)),
  }),
]

export const crmEndpoints: Endpoint[] = [...connectionEndpoints, ...settingsEndpoints, ...jobEndpoints]
