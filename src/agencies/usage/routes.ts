import { z } from 'zod'
import { limitLongReads } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { csvFile } from '../../platform/http/send-file.ts'
import { exportClientUsage } from './export.ts'
import { ClientUsage, ClientUsageQuery, UsagePeriodQuery, UsageTotals } from './schema.ts'
import { listClientUsage, readUsageTotals } from './usage.ts'

const tag = 'Agency'
const errors = { 403: 'The key is not an agency key, or the request acts on a client' }
const fileExamples = {
  csv: 'org_id,name,from,to,requests,rate_limited,calls,call_minutes,events,webhooks_delivered,webhooks_failed\r\n01a20c15-77aa-7b3d-a8ef-6d2f4a1e5b02,Northwind,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,1204,0,12,31,310,290,0\r\n',
}

export const clientUsageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/agency/usage',
    name: 'list_agency_client_usage',
    sdk: 'agency.usage.list',
    summary: 'List the usage of the clients',
    description:
      'The numbers of each client in a month or another period, for invoices and reports. They equal the numbers of `GET /usage` for the client, in the mode of the API key. The newest client first.',
    tag,
    permission: 'agency:read',
    query: ClientUsageQuery,
    shape: 'page',
    response: z.array(ClientUsage),
    errors,
    isLong: true,
    // The events of the last hour of each client are counted.
    handle: ({ org, caller, context, query }) =>
      limitLongReads(caller.payerId, () => listClientUsage(org, context.cursors, query)),
  }),
  endpoint({
    method: 'GET',
    path: '/agency/usage/totals',
    name: 'get_agency_usage_totals',
    sdk: 'agency.usage.totals.get',
    summary: 'Read the usage of all clients together',
    description: 'The sums over all clients. The usage of the agency itself is not included.',
    tag,
    permission: 'agency:read',
    query: UsagePeriodQuery,
    shape: 'data',
    response: UsageTotals,
    errors,
    isLong: true,
    handle: ({ org, caller, query }) => limitLongReads(caller.payerId, () => readUsageTotals(org, query)),
  }),
  endpoint({
    method: 'GET',
    path: '/agency/usage/export',
    name: 'export_agency_client_usage',
    sdk: 'agency.usage.export',
    summary: 'Export the usage of the clients',
    description:
      'A CSV file with a line for each client, the oldest first. `from` and `to` are in UTC. An apostrophe precedes names that a spreadsheet would take for formulas.',
    tag,
    permission: 'agency:read',
    query: UsagePeriodQuery,
    shape: 'file',
    fileExamples,
    errors,
    handle: async ({ org, caller, query }) =>
      csvFile('client-usage', exportClientUsage(org, caller.payerId, query)),
  }),
]
