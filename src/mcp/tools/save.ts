import { z } from 'zod'
import { tool } from '../tool.ts'
import { withToolNamesIn } from '../tools-for-paths.ts'
import { entityType, recordId, recordNames, writeRecords } from './input.ts'

const textField = z.string().nullable().optional()
const tags = z.array(z.string()).optional().describe('All tags. They replace the current tags.')
const custom = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Custom fields. Members that are not sent stay; null removes a member.')
const externalIds = z.record(z.string(), z.string()).optional().describe('Ids in other systems, by system.')
const owner = textField.describe('The address of an owner, from list_options with about `owners`.')
const version = z
  .int()
  .optional()
  .describe('The version that you read. The change is refused if the record has changed since.')

const contact = z.strictObject({
  contact_id: recordId.optional().describe('Change this contact; without it, create or match one.'),
  version,
  email: textField,
  phone: textField.describe('E.164, such as +14155550100.'),
  first_name: textField,
  last_name: textField,
  company_id: recordId.nullable().optional(),
  company_name: textField,
  job_title: textField,
  lifecycle_stage: textField,
  linkedin_url: textField,
  city: textField,
  region: textField,
  country: textField,
  owner_email: owner,
  tags,
  custom,
  external_ids: externalIds,
})

const company = z.strictObject({
  company_id: recordId.optional().describe('Change this company; without it, create or match one.'),
  version,
  name: textField,
  domain: textField,
  phone: textField,
  website: textField,
  industry: textField,
  employee_count: z.int().nullable().optional(),
  city: textField,
  region: textField,
  country: textField,
  owner_email: owner,
  tags,
  custom,
  external_ids: externalIds,
})

const deal = z.strictObject({
  deal_id: recordId.optional().describe('Change this deal; without it, create one.'),
  version,
  name: z.string().optional().describe('Required for a new deal.'),
  amount_cents: z.int().nullable().optional().describe('In cents: 1250.00 is 125000.'),
  currency: textField.describe('ISO 4217, such as USD.'),
  stage: z.string().optional().describe('A stage from list_options with about `stages`.'),
  company_id: recordId.nullable().optional(),
  contact_ids: z.array(recordId).optional(),
  expected_close_on: textField.describe('YYYY-MM-DD.'),
  probability: z.int().nullable().optional().describe('0 to 100.'),
  owner_email: owner,
  tags,
  custom,
  external_ids: externalIds,
})

const batchMax = 50
const itemsOf = <Item extends z.ZodObject>(item: Item) =>
  z.array(item).min(1).max(batchMax).describe(`1 to ${batchMax} records; each is saved or refused alone.`)

const outcome =
  'Each item is saved separately; the answer has the outcome, id and version of each, or why it was refused. Send only the fields to set.'

type Saved = { entity: keyof typeof recordNames; matches: string; input: z.ZodObject; scope: string }

function saveTool({ entity, matches, input, scope }: Saved) {
  const { plural } = recordNames[entity]
  return tool({
    name: `save_${plural}`,
    title: `Save ${plural}`,
    description: `Creates or changes up to ${batchMax} ${plural}. ${matches} ${outcome}`,
    kind: 'idempotent write',
    scopes: [scope],
    input: input as z.ZodObject<{ items: z.ZodArray<z.ZodObject> }>,
    run: async ({ items, ...rest }, { call, idempotencyKey }) => {
      const body = { items: items.map((item) => ({ ...item, ...matchOf(item, rest) })) }
      const { data } = await call(`batch_${plural}`, { body, idempotencyKey })
      return { items: withToolNamesIn(data) }
    },
  })

  function matchOf(item: Record<string, unknown>, { match_on: matchOn }: Record<string, unknown>) {
    return matchOn === undefined || item[recordNames[entity].id] !== undefined ? {} : { match_on: matchOn }
  }
}

const matchOn = <const Keys extends readonly [string, ...string[]]>(keys: Keys) =>
  z.enum(keys).optional().describe('The field that matches an item without an id.')

export const saveTools = [
  saveTool({
    entity: 'contact',
    matches: 'With match_on, an item without contact_id changes the contact that has this address or id.',
    input: z.object({ items: itemsOf(contact), match_on: matchOn(['email', 'phone', 'external_id']) }),
    scope: 'contacts:write',
  }),
  saveTool({
    entity: 'company',
    matches: 'With match_on, an item without company_id changes the company that has this domain or id.',
    input: z.object({ items: itemsOf(company), match_on: matchOn(['domain', 'phone', 'external_id']) }),
    scope: 'companies:write',
  }),
  saveTool({
    entity: 'deal',
    matches: 'To close or reopen a deal, use set_deal_outcome.',
    input: z.object({ items: itemsOf(deal) }),
    scope: 'deals:write',
  }),
  tool({
    name: 'archive_records',
    title: 'Archive or restore records',
    description:
      'Archives up to 50 contacts, companies or deals: they leave lists, and keep their data. archived: false restores them. More than 10 at once need the confirmation of a person.',
    kind: 'destructive write',
    scopes: writeRecords,
    input: z.object({
      entity_type: entityType,
      ids: z.array(recordId).min(1).max(batchMax).describe('The ids of the records.'),
      archived: z.boolean().default(true),
    }),
    confirm: async ({ entity_type, ids, archived }) =>
      archived && ids.length > unconfirmedMax
        ? {
            question: `Archive ${ids.length} ${recordNames[entity_type].plural}?`,
            facts: { entity_type, count: ids.length },
            isOutside: false,
          }
        : null,
    run: async ({ entity_type, ids, archived }, { call, idempotencyKey }) => {
      const { plural, id: idName } = recordNames[entity_type]
      const action = archived ? 'archive' : 'restore'
      const body = { items: ids.map((id) => ({ [idName]: id, action })) }
      const { data } = await call(`batch_${plural}`, { body, idempotencyKey })
      return { items: withToolNamesIn(data) }
    },
  }),
]

const unconfirmedMax = 10
