import { z } from 'zod'
import { integer, strictBoolean } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'

const retentionDaysMax = 1_095

export const UpdateTrackingSettings = z
  .object({
    retention_days: integer({ min: 1, max: retentionDaysMax })
      .optional()
      .describe('After how many days events are deleted: at most the `retention_days_max` of this server.'),
    cookieless: strictBoolean()
      .optional()
      .describe(
        'Whether views of people who refuse analytics are counted, with ids that are valid for one day only.',
      ),
    respect_dnt: strictBoolean().optional().describe('Whether Do Not Track refuses analytics.'),
    identify_creates: strictBoolean()
      .optional()
      .describe(
        'Whether an identify call of a page that nobody verified makes a contact, which only this visitor writes. By default it makes none.',
      ),
  })
  .meta({ title: 'UpdateTrackingSettings' })

export const TrackingSettings = z
  .object({
    retention_days: shown.count('After how many days events are deleted.', 180),
    retention_days_max: shown.count(
      'The maximum number of days that this server keeps events (`TRACKING_RETENTION_DAYS`).',
      180,
    ),
    cookieless: shown.flag(
      'Whether views of people who refuse analytics are counted, with ids that are valid for one day only. Otherwise their events are dropped.',
    ),
    respect_dnt: shown.flag('Whether Do Not Track refuses analytics.'),
    identify_creates: shown.flag(
      'Whether an identify call of a page that nobody verified makes a contact of the visitor.',
    ),
    version: shown.version(),
    updated_at: shown.pendingTime('The last change; null: never changed.'),
  })
  .meta({ title: 'TrackingSettings' })

export type UpdateTrackingSettings = z.output<typeof UpdateTrackingSettings>
export type TrackingSettings = z.output<typeof TrackingSettings>
