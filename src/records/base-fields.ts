import { z } from 'zod'
import type { JsonMember } from '../platform/db/json-columns.ts'
import { dictionary, dictionaryOf, list, tooManyBytes } from '../platform/http/collections.ts'
import { exampleTime } from '../platform/http/example-ids.ts'
import { text } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { singleLine } from './fields.ts'
import type { Operator } from './filters/tree.ts'
import { lineField } from './make-field.ts'
import { patchMembers } from './patch-members.ts'
import type { RecordField } from './record-type.ts'

/** The fields that contacts and companies share. `linkedinHeaders`: names of CSV columns with a LinkedIn address. */
export const profileFields = (linkedinHeaders: string) => ({
  linkedin_url: lineField('The address of the LinkedIn profile; null: not known.', 500, {
    headers: linkedinHeaders,
  }),
  city: lineField('The town; null: not known.', 200, {
    headers:
      'city town suburb locality municipality cityname mailingcity businesscity homecity workcity addresscity ' +
      'contactcity personcity companycity stadt ort wohnort ville ciudad citta cidade plaats miasto woonplaats localite poblacion',
  }),
  region: lineField('The state, province or county; null: not known.', 200, {
    headers:
      'region state province county stateregion stateprovince provincestate stateorprovince statecode ' +
      'mailingstate businessstate homestate addressstate contactstate personstate administrativearea bundesland ' +
      'kanton canton provincia estado prefecture',
  }),
  country: lineField('Free text. The value is not checked against a list.', 100, {
    headers:
      'country nation countryname countryregion countrycode mailingcountry businesscountry homecountry ' +
      'addresscountry contactcountry personcountry land pays pais paese kraj',
  }),
})

const tag = text({ min: 1, max: 100, trim: true })

const tags: RecordField<string[] | null | undefined> = {
  about: 'Words of your choice, by which lists can be filtered.',
  columns: 'text[]',
  input: list(tag, { max: 100 }).nullable().optional(),
  output: z.array(z.string()),
  headers: 'tags tag labels keywords',
  list: { keyOf: String, max: 100 },
  apply(state, sent, { before, add }) {
    const stored = (before?.tags ?? []) as string[]
    state.tags = sent === undefined ? stored : [...new Set([...(add ? stored : []), ...(sent ?? [])])]
  },
  key: {
    kind: 'tag',
    of: (state) => (state.tags as string[]).map((value) => ({ kind: 'tag', value })),
    isMatched: false,
    filter: {
      schema: filterText(100),
      description: 'Only records with exactly this tag.',
      key: (value) => ({ kind: 'tag', value }),
    },
  },
}

const customMaxBytes = 65_536

/** Returns whether a write grows `custom` above the limit of a request. */
function isOverfull(after: unknown, before: unknown): boolean {
  const size = Buffer.byteLength(JSON.stringify(after))
  return size > customMaxBytes && size > Buffer.byteLength(JSON.stringify(before))
}

const custom: RecordField<Record<string, unknown> | null | undefined> = {
  columns: 'json',
  headers: 'custom',
  input: dictionary({ maxBytes: customMaxBytes })
    .nullable()
    .optional()
    .describe(
      'Any JSON object. PATCH and upsert change only the values that you send; null removes a value.',
    ),
  output: z.record(z.string(), z.unknown()).describe('A JSON object with your own data.'),
  policy: 'members',
  isPatched: true,
  apply(state, sent, { before }) {
    const stored = (before?.custom ?? {}) as Record<string, unknown>
    state.custom = sent === undefined ? stored : sent && before ? patchMembers(stored, sent) : (sent ?? {})
    if (before && sent && isOverfull(state.custom, stored))
      throw new ValidationError([detailAt(['body', 'custom'], tooManyBytes(customMaxBytes))])
  },
}

const externalIds: RecordField<Record<string, string> | null | undefined> = {
  columns: 'json',
  headers: 'externalids',
  input: dictionaryOf(text({ min: 1, max: 255, trim: true }), { max: 50 })
    .nullable()
    .optional()
    .describe('Ids of the record in other systems, by system; a PATCH replaces all of them.'),
  output: z.record(z.string(), z.string()).describe('Ids of the record in other systems, by system.'),
  list: { keyOf: (entry) => (entry as [string, string]).join('\0'), max: 50 },
  apply(state, sent, { before, add }) {
    const stored = (before?.external_ids ?? {}) as Record<string, string>
    state.external_ids = sent === undefined ? stored : { ...(add ? stored : {}), ...sent }
  },
  key: {
    kind: 'external_id',
    isMatched: true,
    of(state) {
      // An external id of an absorbed record also finds the canonical record.
      const aliases = (state.aliases ?? []) as [string, string][]
      const all = [...Object.entries(state.external_ids as Record<string, string>), ...aliases]
      return all.map(([system, id]) => ({ kind: 'external_id', value: `${system}\0${id}` }))
    },
    filter: {
      schema: filterText(400),
      description: 'Only records with this external id: the system, a colon and the id, such as `crm:D-17`.',
      key(value) {
        const colon = value.indexOf(':')
        if (colon < 1 || colon === value.length - 1)
          return { problem: 'an external id is written <system>:<id>, such as crm:D-17' }
        return { kind: 'external_id', value: `${value.slice(0, colon)}\0${value.slice(colon + 1)}` }
      },
    },
  },
}

const source: RecordField<string | null | undefined> = {
  columns: 'text',
  about: 'Where the record came from; null: not known.',
  input: singleLine(120),
  output: z.string().nullable(),
  apply(state, sent, { before }) {
    state.source = sent === undefined ? (before ? before.source : 'api') : sent || null
  },
}

const onlyShown = (output: z.ZodType, wire: JsonMember): RecordField => ({
  columns: {},
  output,
  wire,
})

export const commonFields = {
  tags,
  custom,
  external_ids: externalIds,
  source,
  merged_ids: onlyShown(
    z
      .array(shown.id('The id of a merged record.'))
      .describe(
        'Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record.',
      ),
    { sql: 'r.merged_ids', kind: 'text[]', blank: '[]' },
  ),
  merged_external_ids: onlyShown(
    z
      .record(z.string(), z.array(z.string()))
      .describe(
        'By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record.',
      ),
    { sql: 'r.merged_external_ids', kind: 'json', blank: '{}' },
  ),
  version: onlyShown(shown.version(), 'integer'),
  created_at: onlyShown(shown.time('When the record was created.'), 'seconds'),
  updated_at: {
    ...onlyShown(shown.time('When the record was last changed.'), 'seconds'),
    matches: (op: Operator) => (['eq', 'gt', 'gte'].includes(op) ? ('many' as const) : null),
  },
  archived_at: onlyShown(shown.pendingTime('When the record was archived; null: active.'), 'seconds'),
}

export const commonExample = {
  ...{ tags: ['vip'], custom: { plan: 'pro' }, external_ids: { crm: 'D-17' }, source: 'api' },
  ...{ merged_ids: [], merged_external_ids: {}, version: 1 },
  created_at: exampleTime('created_at'),
  updated_at: exampleTime('updated_at'),
  archived_at: null,
}
