import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { day, id, integer, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { commonFields } from '../records/base-fields.ts'
import { referenceField } from '../records/make-field.ts'
import { ownerFields } from '../records/owners/owner-fields.ts'
import { canonicalIdSql } from '../records/pending-moves.ts'
import type { Links, RecordField } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'
import { amount, currency } from './money.ts'
import { dealStatuses, stage } from './schema.ts'

const contact = { rawColumn: 'contact_raw_id', column: 'contact_id', to: 'contact' } as const

/** SQL of the canonical contacts in the sent order, each once. */
const contactIds = `array(
  select s.contact_id from (
    select ${canonicalIdSql('l', contact)} as contact_id, l.position
    from deal_contact l where l.org_id = r.org_id and l.deal_id = r.deal_id
  ) s group by s.contact_id order by min(s.position), s.contact_id)`

const stageField: RecordField<string | undefined> = {
  columns: 'text',
  input: stage
    .optional()
    .describe(
      'The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage.',
    ),
  output: z.string().describe('A stage from the list of GET /deals/stages.'),
  apply(state, sent, { before, orgDefaults }) {
    state.stage = sent ?? before?.stage ?? orgDefaults.stages?.[0]
  },
}

const status: RecordField = {
  columns: { deal_status: 'text' },
  output: shown.word(
    'DealStatus',
    dealStatuses,
    'Only the endpoints for close and reopen change the status.',
  ),
  wire: { sql: 'r.deal_status', kind: 'text' },
  apply(state, _sent, { before }) {
    state.deal_status = before?.deal_status ?? 'open'
  },
}

/** The contacts are in another table. */
export const contactsLink: Links = {
  field: 'contact_ids',
  rawColumn: 'contact_raw_ids',
  column: 'contact_ids',
  table: 'deal_contact',
  to: 'contact',
}

const contactsField: RecordField<string[] | null | undefined> = {
  columns: {},
  input: list(id(), { max: 100 })
    .nullable()
    .optional()
    .describe('The contacts in their order, the main one first.'),
  output: z.array(shown.id('A contact.')).describe('The contacts in their order, the main one first.'),
  wire: { sql: contactIds, kind: 'text[]' },
  link: contactsLink,
  list: { keyOf: String, max: 100 },
  apply(state, sent, { before, add }) {
    const stored = (before?.contact_raw_ids ?? []) as string[]
    const rawIds = [...new Set([...(add ? stored : []), ...(sent ?? [])])]
    state.contact_raw_ids = sent === undefined ? stored : rawIds
    // Keep the stored contacts if the request sends none. `resolveReferences` replaces sent ids with canonical ones.
    state.contact_ids = sent === undefined ? (before?.contact_ids ?? []) : rawIds
  },
}

/** To add a field, add a line here and a migration with its column. */
export const dealFields = {
  name: {
    about: 'The name of the deal.',
    columns: 'text',
    input: text({ min: 1, max: 300, trim: true }),
    output: z.string(),
  },
  amount_cents: {
    columns: 'bigint',
    input: amount
      .nullable()
      .optional()
      .describe('In the minor unit of `currency`, such as cents. An amount needs a currency.'),
    output: z.int().nullable().describe('In the minor unit of `currency`, such as cents; null: not known.'),
  },
  currency: {
    about: 'The currency of the amount, as its code of ISO 4217.',
    columns: 'text',
    input: currency.nullable().optional(),
    output: z.string().nullable(),
  },
  stage: stageField,
  status,
  company_id: referenceField(toCompany, 'The company that the deal is about; null: none.'),
  contact_ids: contactsField,
  close_reason_id: {
    columns: 'uuid',
    output: shown.id('Why the deal was won or lost; null: open, or closed without a reason.').nullable(),
  },
  closed_at: {
    columns: 'timestamptz',
    output: shown.time('When the deal was closed; null: open.').nullable(),
  },
  ...ownerFields('The e-mail address of the person in charge, who need not be a member; null: nobody.'),
  expected_close_on: {
    about: 'The day on which the deal is expected to close, as YYYY-MM-DD; null: not known.',
    columns: 'date',
    input: day.nullable().optional(),
    output: z.string().nullable(),
  },
  probability: {
    about: 'The probability that the deal is won, in percent; null: not known.',
    columns: 'integer',
    input: integer({ min: 0, max: 100 }).nullable().optional(),
    output: z.int().nullable(),
  },
  ...commonFields,
}
