import { z } from 'zod'

/** The record types, with the names that the API uses for them. */
export const recordNames = {
  contact: { plural: 'contacts', id: 'contact_id' },
  company: { plural: 'companies', id: 'company_id' },
  deal: { plural: 'deals', id: 'deal_id' },
} as const

export type EntityType = keyof typeof recordNames

export const entityTypes = Object.keys(recordNames) as EntityType[]

export const entityType = z.enum(entityTypes).describe('The type of the records.')

/** An id as a plain string: the API checks its form, and a pattern would only make the list of tools longer. */
export const id = (description: string) => z.string().describe(description)

/** The id of a record, also as `search` returns it: `contact:<id>`. */
export const recordId = z.string().overwrite((text) => text.replace(/^(contact|company|deal):/, ''))

/** The number of results of a tool: at most `most`, by default `usual`. */
export const limit = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe(`How many, at most ${most}.`)

export const cursor = z.string().optional().describe('The next_cursor of the previous page.')

export const readRecords = ['contacts:read', 'companies:read', 'deals:read'] as const
export const writeRecords = ['contacts:write', 'companies:write', 'deals:write'] as const
