import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../../platform/http/if-match.ts'
import { TrackingSettings, UpdateTrackingSettings } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

const path = '/tracking/settings'
const tag = 'Tracking'

export const trackingSettingsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'get_tracking_settings',
    sdk: 'tracking.settings.get',
    summary: 'Read the tracking settings',
    tag,
    permission: 'tracking:read',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: TrackingSettings,
    handle: ({ org, context }) =>
      org.read(async (tx) => withETag(await readSettings(tx, context.config.trackingRetentionDays))),
  }),
  endpoint({
    method: 'PATCH',
    path,
    name: 'update_tracking_settings',
    sdk: 'tracking.settings.update',
    summary: 'Change the tracking settings',
    description:
      'Only the fields that you send change. A shorter `retention_days` deletes older events within minutes, permanently.',
    tag,
    permission: 'tracking:manage',
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateTrackingSettings,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: TrackingSettings,
    errors: { 409: 'If-Match does not name the current version' },
    example: { retention_days: 90 },
    handle: ({ org, context, headers, body }) =>
      org.transact(async (tx) => {
        const keptDays = context.config.trackingRetentionDays
        return withETag(await changeSettings(tx, body, { keptDays, version: headers['if-match'] }))
      }),
  }),
]
