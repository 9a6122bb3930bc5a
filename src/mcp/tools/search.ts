import { z } from 'zod'
import { allows } from '../../auth/permissions.ts'
import { WrongArguments } from '../failure-text.ts'
import { type ToolRequest, tool } from '../tool.ts'
import { type EntityType, entityTypes, readRecords, recordNames } from './input.ts'

type Stored = Record<string, unknown>

const perType = 10

/** AI hosts for research require two tools with these names: they search, and then fetch the records that they cite. */
export const searchTools = [
  tool({
    name: 'search',
    title: 'Search all records',
    description:
      'Finds contacts, companies and deals by words of names, e-mail addresses, phone numbers and domains. Returns ids for fetch and get_record, and links that a person can open. Use list_records to filter or to read long lists.',
    kind: 'read',
    scopes: readRecords,
    input: z.object({ query: z.string().min(1).max(200).describe('Words to look for.') }),
    run: async ({ query }, request) => {
      const types = entityTypes.filter((type) =>
        allows(request.caller.permissions, `${recordNames[type].plural}:read`),
      )
      const found = await Promise.all(types.map((type) => searchIn(type, query, request)))
      return { results: found.flat() }
    },
  }),
  tool({
    name: 'fetch',
    title: 'Fetch one record',
    description:
      'Returns one record that search found, as text with its link. For related deals, calls and merges, use get_record.',
    kind: 'read',
    scopes: readRecords,
    input: z.object({
      id: z.string().describe('The id of a result of search: contact:<id>, company:<id> or deal:<id>.'),
    }),
    run: async ({ id }, request) => {
      const [type, recordId] = parseResultId(id)
      const { data } = await request.call<Stored>(`get_${type}`, {
        params: { [recordNames[type].id]: recordId },
      })
      return { ...resultOf(type, data, request), text: JSON.stringify(data), metadata: { type } }
    },
  }),
]

async function searchIn(type: EntityType, query: string, request: ToolRequest) {
  const { data } = await request.call<Stored[]>(`list_${recordNames[type].plural}`, {
    query: { q: query, limit: perType },
  })
  return data.map((record) => resultOf(type, record, request))
}

/** The paths of the console's pages, which do not have the names that the API uses. */
const consolePaths = { contact: 'people', company: 'companies', deal: 'deals' } as const

function resultOf(type: EntityType, record: Stored, { consoleUrl }: ToolRequest) {
  const recordId = record[recordNames[type].id]
  const url = `${consoleUrl}/${consolePaths[type]}/${recordId}`
  return { id: `${type}:${recordId}`, title: titleOf(record), url }
}

/** A name by which a person recognizes the record. */
export function titleOf(record: Stored): string {
  const name = record.name ?? [record.first_name, record.last_name].filter(Boolean).join(' ')
  return String(name || record.email || record.phone || record.domain || 'No name')
}

function parseResultId(id: string): [EntityType, string] {
  const [, type, recordId] = /^(contact|company|deal):(.+)$/.exec(id) ?? []
  if (type === undefined || recordId === undefined)
    throw new WrongArguments('id must be contact:<id>, company:<id> or deal:<id>, as search returns it')
  return [type as EntityType, recordId]
}
