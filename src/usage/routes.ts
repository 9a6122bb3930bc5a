import { limitLongReads } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { Usage, UsageQuery } from './schema.ts'
import { readUsage } from './usage.ts'

export const usageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/usage',
    name: 'get_usage',
    sdk: 'usage.get',
    summary: 'Read the usage of the organization',
    description:
      'The numbers of requests, calls and events in each hour or day, of your organization and mode. Each series has every step.',
    tag: 'Organization',
    permission: 'organization:read',
    needsAllRecords: true,
    query: UsageQuery,
    shape: 'data',
    response: Usage,
    // The events of the last hour are counted. There may be a million.
    handle: ({ org, caller, query }) =>
      limitLongReads(caller.payerId, () => org.read((tx) => readUsage(tx, query))),
  }),
]
