import { z } from 'zod'
import { type ToolRequest, tool } from '../tool.ts'
import { splitToolPermissions } from '../tool-permissions.ts'
import { cursor, limit, readRecords, recordId } from './input.ts'

const optionsMax = 100

/** The endpoint that lists the values, and its query. Two endpoints return an object that contains the list. */
const options = {
  owners: ['list_owners', {}],
  fields: ['list_fields', {}],
  stages: ['get_deal_stages', {}],
  reasons: ['list_close_reasons', {}],
  numbers: ['list_voice_numbers', { limit: optionsMax }],
  personas: ['list_personas', { limit: optionsMax, status: 'active' }],
  connections: ['list_crm_connections', { limit: optionsMax }],
  mailboxes: ['list_mailboxes', { limit: optionsMax }],
  templates: ['list_signature_templates', { limit: optionsMax }],
} as const

type About = keyof typeof options
const abouts = Object.keys(options) as [About, ...About[]]

export const organizationTools = [
  tool({
    name: 'get_organization',
    title: 'About this organization',
    description:
      'Names the organization, the mode (live or test), which permissions this connection has, and which it lacks. Call it first, and when a tool is missing.',
    kind: 'read',
    scopes: null,
    input: z.object({}),
    run: async (_args, { caller, call, consoleUrl }: ToolRequest) => {
      const { data } = await call<object>('get_organization')
      return {
        ...data,
        mode: caller.mode,
        ...splitToolPermissions(caller.permissions),
        console_url: consoleUrl,
      }
    },
  }),
  tool({
    name: 'list_options',
    title: 'List the values of a field',
    description:
      'Lists the values that other tools accept: owners of records, defined fields of custom with their options, deal stages, close reasons, phone numbers, personas, CRM connections, mailboxes with their signature versions, and signature templates.',
    kind: 'read',
    scopes: [
      ...readRecords,
      'close_reasons:read',
      'voice:read',
      'personas:read',
      'crm:read',
      'signatures:read',
    ],
    input: z.object({ about: z.enum(abouts) }),
    run: async ({ about }, { call }) => {
      const [name, query] = options[about]
      const { data } = await call<object>(name, { query })
      const values = Array.isArray(data) ? data : Object.values(data).find(Array.isArray)
      return { [about]: values }
    },
  }),
  tool({
    name: 'list_events',
    title: 'List events',
    description:
      'Lists events, newest first: what changed, and who changed it. Of one object, of one type, or all. To read current values, use get_record.',
    kind: 'read',
    scopes: ['events:read'],
    input: z.object({
      object_id: recordId.optional(),
      type: z.string().optional().describe('Such as deal.closed.'),
      since: z.int().optional().describe('Unix seconds.'),
      limit: limit(50, 20),
      cursor,
    }),
    run: async ({ since, ...query }, { call }) => {
      const { data, pagination } = await call('list_events', { query: { ...query, created_since: since } })
      return { events: data, next_cursor: pagination?.next_cursor ?? null }
    },
  }),
]
