import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { engineEndpoints } from './engine/routes.ts'
import { mergeEndpoints } from './merge/routes.ts'
import { scanEndpoints } from './scans/routes.ts'
import { ChangeDuplicateSettings, DuplicateSettings } from './schema.ts'
import { changeSettings, readAllSettings } from './settings.ts'
import { checkChanges, checkThresholds } from './settings-check.ts'

const tag = 'Duplicates'

const settingsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/duplicates/settings',
    name: 'get_duplicate_settings',
    sdk: 'duplicates.settings.get',
    summary: 'Read the settings for duplicates',
    tag,
    permission: 'duplicates:read',
    shape: 'data',
    response: DuplicateSettings,
    handle: ({ org }) => org.read((tx) => readAllSettings(tx)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/duplicates/settings',
    name: 'update_duplicate_settings',
    sdk: 'duplicates.settings.update',
    summary: 'Change the settings for duplicates',
    description:
      'Changes only the settings that you send; null restores a default. The engine checks an open proposal again when one of its records changes, and in the next scan.',
    tag,
    permission: 'duplicates:manage',
    body: ChangeDuplicateSettings,
    shape: 'data',
    response: DuplicateSettings,
    example: { contact: { rules: { same_external_id: 'auto' }, review_threshold: 0.95 } },
    handle: ({ org, body }) => {
      checkChanges(body)
      return org.transact((tx) => changeSettings(tx, body, checkThresholds))
    },
  }),
]

export const duplicateEndpoints: Endpoint[] = [
  ...mergeEndpoints,
  ...settingsEndpoints,
  ...engineEndpoints,
  ...scanEndpoints,
]
