import { requirePermission } from '../auth/permissions.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { previewSettings } from './engine/preview-settings.ts'
import { engineEndpoints } from './engine/routes.ts'
import { SettingsPreviews } from './engine/schema.ts'
import { resourceOf } from './entities.ts'
import { mergeEndpoints } from './merge/routes.ts'
import { scanEndpoints } from './scans/routes.ts'
import { ChangeDuplicateSettings, DuplicateSettings } from './schema.ts'
import { changeSettings, readAllSettings, settingsAfter } from './settings.ts'
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
  endpoint({
    method: 'POST',
    path: '/duplicates/settings/preview',
    name: 'preview_duplicate_settings',
    sdk: 'duplicates.settings.preview',
    summary: 'Preview settings for duplicates',
    description:
      'Takes the body of PATCH /duplicates/settings, changes nothing, and shows what the engine would have done in the last seven days. The preview judges the pairs that the engine proposed or merged in this time. The API key also needs the read permission of each record type in the body.',
    tag,
    permission: 'duplicates:read',
    needsAllRecords: true,
    body: ChangeDuplicateSettings,
    isLong: true,
    shape: 'data',
    response: SettingsPreviews,
    example: { contact: { mode: 'auto', auto_threshold: 0.995 } },
    handle: ({ org, caller, body }) => {
      checkChanges(body)
      for (const entityType of entityTypes)
        if (body[entityType] !== undefined) requirePermission(caller, `${resourceOf(entityType)}:read`)
      return org.read(async (tx) => {
        const before = await readAllSettings(tx)
        const after = settingsAfter(before, body)
        checkThresholds(after)
        const previewOf = async (entityType: EntityType) =>
          body[entityType] === undefined
            ? null
            : previewSettings(tx, entityType, { before: before[entityType], after: after[entityType] })
        return {
          contact: await previewOf('contact'),
          company: await previewOf('company'),
          deal: await previewOf('deal'),
        }
      })
    },
  }),
]

export const duplicateEndpoints: Endpoint[] = [
  ...mergeEndpoints,
  ...settingsEndpoints,
  ...engineEndpoints,
  ...scanEndpoints,
]
