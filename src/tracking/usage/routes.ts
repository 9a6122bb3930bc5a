import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { findWriteKey } from '../write-keys/write-keys.ts'
import { TrackingUsage, TrackingUsageQuery } from './schema.ts'
import { readTrackingUsage } from './usage.ts'

export const trackingUsageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tracking/usage',
    name: 'get_tracking_usage',
    sdk: 'tracking.usage.get',
    summary: 'Read how many events were stored, dropped or refused',
    description:
      'The numbers of accepted, duplicate and dropped events in each hour or day are exact: they commit together with the events. Refused requests are counted within 3 s.',
    tag: 'Tracking',
    permission: 'tracking:read',
    query: TrackingUsageQuery,
    shape: 'data',
    response: TrackingUsage,
    errors: { 404: 'The organization has no write key with this id' },
    handle: ({ org, query }) =>
      org.read(async (tx) => {
        if (query.write_key_id !== undefined) await findWriteKey(tx, query.write_key_id)
        return readTrackingUsage(tx, query)
      }),
  }),
]
