import { z } from 'zod'
import { type ToolRequest, tool } from '../tool.ts'
import { cursor, entityType, limit, readRecords, recordId, recordNames } from './input.ts'

const concise = {
  contact: [
    'contact_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'company_name',
    'job_title',
    'lifecycle_stage',
    'tags',
  ],
  company: ['company_id', 'name', 'domain', 'phone', 'industry', 'city', 'country', 'tags'],
  deal: [
    'deal_id',
    'name',
    'amount_cents',
    'currency',
    'stage',
    'status',
    'company_id',
    'contact_ids',
    'tags',
  ],
}

const relations = ['deals', 'notes', 'tasks', 'calls', 'merges', 'events'] as const

export const recordTools = [
  tool({
    name: 'list_records',
    title: 'List records',
    description:
      'Lists contacts, companies or deals that match all filters, by latest change if updated_since is set. `total` counts all matches. Concise answers have only the main fields; choose others with `fields`, or read one record with get_record.',
    kind: 'read',
    scopes: readRecords,
    input: z.object({
      entity_type: entityType,
      q: z.string().optional().describe('Words of names, addresses, numbers, domains.'),
      email: z.string().optional().describe('Contacts with this e-mail address.'),
      phone: z.string().optional().describe('Contacts or companies with this number in E.164.'),
      domain: z.string().optional().describe('Companies with this domain.'),
      tag: z.string().optional(),
      company_id: recordId.optional().describe('Contacts or deals of this company.'),
      contact_id: recordId.optional().describe('Deals of this contact.'),
      status: z.enum(['open', 'won', 'lost', 'archived']).optional().describe('open, won, lost: deals only.'),
      segment_id: recordId.optional().describe('Only records of this segment.'),
      updated_since: z.int().optional().describe('Unix seconds.'),
      fields: z.array(z.string()).max(30).optional().describe('Names of the fields to return.'),
      response_format: z.enum(['concise', 'detailed']).default('concise'),
      limit: limit(50, 20),
      cursor,
    }),
    run: async ({ entity_type, status, fields, response_format, ...filters }, { call }) => {
      const { plural } = recordNames[entity_type]
      const isArchived = status === 'archived'
      const chosen = fields ?? (response_format === 'concise' ? concise[entity_type] : undefined)
      const { data, pagination } = await call(`list_${plural}`, {
        query: {
          ...filters,
          fields: chosen?.join(','),
          archived: isArchived ? true : undefined,
          status: isArchived ? undefined : status,
        },
      })
      return { records: data, total: pagination?.total, next_cursor: pagination?.next_cursor ?? null }
    },
  }),
  tool({
    name: 'get_record',
    title: 'Read a record',
    description:
      'Returns all fields of one contact, company or deal, even by the id of a record that was merged into it. `include` adds its deals, latest notes, open tasks, calls (contacts with a phone number), merges, and latest events. Ids come from search and list_records.',
    kind: 'read',
    scopes: readRecords,
    input: z.object({
      entity_type: entityType,
      id: recordId.describe('The id of the record.'),
      include: z
        .array(z.enum(relations))
        .max(relations.length)
        .default([])
        .describe('The related data to add.'),
    }),
    run: async ({ entity_type, id, include }, request) => {
      const { data: record } = await request.call<Stored>(`get_${entity_type}`, {
        params: { [recordNames[entity_type].id]: id },
      })
      const added = await Promise.all(
        [...new Set(include)].map(async (name) => [name, await related[name](entity_type, record, request)]),
      )
      return { record, ...Object.fromEntries(added) }
    },
  }),
]

type Stored = Record<string, unknown>
type Related = (type: keyof typeof recordNames, record: Stored, request: ToolRequest) => Promise<unknown>

const relatedMax = 20
/** How many characters of a note get_record shows. */
const noteMax = 1_000

const related: Record<(typeof relations)[number], Related> = {
  deals: async (type, record, { call }) => {
    if (type === 'deal') return []
    const query = { [recordNames[type].id]: record[recordNames[type].id], limit: relatedMax }
    return (await call('list_deals', { query: { ...query, fields: concise.deal.join(',') } })).data
  },
  notes: async (type, record, { call }) => {
    const query = { record_id: record[recordNames[type].id], limit: relatedMax }
    const { data } = await call<{ text: string }[]>('list_notes', { query })
    return data.map((note) => ({
      ...note,
      text: note.text.slice(0, noteMax),
      is_cut: note.text.length > noteMax,
    }))
  },
  tasks: async (type, record, { call }) =>
    (await call('list_tasks', { query: { record_id: record[recordNames[type].id], limit: relatedMax } }))
      .data,
  calls: async (_type, record, { call }) => {
    if (typeof record.phone !== 'string') return []
    return (await call('list_calls', { query: { to_number: record.phone, limit: relatedMax } })).data
  },
  merges: async (type, record, { call }) => {
    const query = { entity_type: type, record_id: record[recordNames[type].id], limit: relatedMax }
    return (await call('list_merges', { query })).data
  },
  events: async (type, record, { call }) => {
    const query = { object_id: record[recordNames[type].id], limit: relatedMax }
    return (await call('list_events', { query })).data
  },
}
