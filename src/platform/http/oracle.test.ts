import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RecordedCase, recordedCases } from '../../../test/fixtures/fastapi-422.ts'
import { dictionary, dictionaryOf, list, nested } from './collections.ts'
import { boolean, id, integer, literal, number, parsedText, refuse, strictBoolean, text } from './fields.ts'
import { bodyInput } from './json-body.ts'
import { type Detail, type Part, ValidationError, validate } from './validation.ts'

type Schemas = { path?: RegExp; params?: z.ZodType; query?: z.ZodType; header?: z.ZodType; body?: z.ZodType }

const item = { id: integer(), name: text() }
const word = literal('live', 'test')

const endpoints: Record<string, Schemas> = {
  '/v1/api-keys': {
    body: z.object({ name: text(), mode: word.default('live'), is_agency: boolean().default(false) }),
  },
  '/duplicates/recent-merges': {
    query: z.object({
      entity_type: text().nullable().default(null),
      include_shadow: boolean().nullable().default(null),
      limit: integer({ min: 1, max: 100 }).default(25),
    }),
  },
  '/signatures/mailboxes/{mailbox_id}/push': {
    params: z.object({ mailbox_id: integer() }),
    body: z.object({ version: integer() }),
  },
  '/leads': { body: z.object({ connection_id: id(), large_population_confirmed: boolean().default(false) }) },
  '/enumkeys': { body: z.object({ name: text({ min: 1, max: 5 }), mode: word.default('live') }) },
  '/forbid': { body: z.object({ name: text() }) },
  '/duplicates/enum': { query: z.object({ entity_type: word.optional(), flag: boolean().optional() }) },
  '/hdr': { header: z.object({ 'x-req': integer(), 'x-uuid': id().optional() }) },
  '/q': {
    query: z.object({
      tags: list(text()).default([]),
      ids: list(integer(), { max: 3 }).nullable().default(null),
      s: text({ min: 2, max: 4 }).nullable().default(null),
      i: integer().nullable().default(null),
      f: number().nullable().default(null),
      b: boolean().nullable().default(null),
      d: text().nullable().default(null),
      t: text().nullable().default(null),
      u: id().nullable().default(null),
      a: text().nullable().default(null),
    }),
  },
  '/req': { query: z.object({ q: text(), n: integer() }) },
  '/qmodel': { query: z.object({ limit: integer() }) },
  '/optbody': { body: z.object({ version: integer() }).optional() },
  '/listbody': { body: list(nested(item)) },
  '/nestedlist': { body: z.object({ items: list(nested(item)) }) },
  '/ve': {
    body: z.object({ v: parsedText((value) => (value === 'ok' ? value : refuse('phone must be E.164'))) }),
  },
  '/alias': { body: z.object({ firstName: text() }) },
}

const types: Record<string, z.ZodType> = {
  str: text(),
  int: integer(),
  float: number(),
  bool: boolean(),
  uuid: id(),
  liststr: list(text()),
  listint: list(integer()),
  dictany: dictionary(),
  dictint: dictionaryOf(integer()),
  nested: nested(item),
  optint: integer().nullish(),
  optstr: text().nullish(),
  lit: word,
  lit1: literal('live'),
  ge1: integer({ min: 1 }),
  le100: integer({ max: 100 }),
  min1: text({ min: 1 }),
  max1: text({ max: 1 }),
  maxlist: list(integer(), { max: 2 }),
  sbool: strictBoolean(),
}

/** Groups of cases about features that Crosswalk's API lacks. */
const groupsNotOffered: Record<string, string> = {
  'type:dt': 'times are Unix seconds',
  'type:date': 'times are Unix seconds',
  'type:time': 'times are Unix seconds',
  'type:td': 'times are Unix seconds',
  'type:aware': 'times are Unix seconds',
  'type:dec': 'amounts are integers',
  'type:email': 'the e-mail field has its own rules and tests',
  'type:url': 'no URL field here; features define theirs',
  'type:anyurl': 'no URL field here; features define theirs',
  'type:pat': 'no pattern field; features define theirs',
  'type:litint': 'literals are words',
  'type:enum': 'a closed set of words is a literal (literal_error), as in the key endpoints',
  'type:gt0': 'ranges include their ends',
  'type:mult5': 'no multiples',
  'type:sint': 'only booleans have a strict form',
  'type:uuid4': 'ids of any version are taken',
  'type:union': 'no unions',
  'type:unionib': 'no unions',
  'type:unionlit': 'no unions',
  discriminated: 'no unions',
  'undiscriminated-union': 'no unions',
  'embedded-body': 'FastAPI spreads several body parameters over one object; we have one body',
}

/** Cases that do not apply to Crosswalk, with the reason. The key is the path, a space and the body. */
const casesNotOffered: Record<string, string> = {
  '/enumkeys {"name": "a", "mode": "x"}': 'type enum: a literal here',
  '/enumkeys {"name": "a", "mode": 1}': 'type enum: a literal here',
  '/duplicates/enum?entity_type=x ': 'type enum: a literal here',
  ...Object.fromEntries(
    recordedCases('query-types')
      .filter(({ path }) => /^\/q\?[dt]=/.test(path))
      .map(({ path }) => [`${path} `, 'dates and times: Unix seconds here']),
  ),
}

const invalidJson = (at: number): Detail[] => [
  { type: 'json_invalid', loc: ['body', at], msg: 'JSON decode error', ctx: { error: 'Expecting value' } },
]
const notFinite = (...loc: string[]): Detail[] => [
  { type: 'finite_number', loc, msg: 'Input should be a finite number' },
]
const beyondDoubles = (...loc: string[]): Detail[] => [
  {
    type: 'less_than_equal',
    loc,
    msg: 'Input should be less than or equal to 9007199254740991',
    ctx: { le: 9007199254740991 },
  },
]

/** Requests for which the recorded application failed with 500, each with Crosswalk's answer. */
const brokenThere: Record<string, Detail[]> = {
  '/v1/api-keys {"name": NaN}': invalidJson(9),
  '/v1/api-keys {"name": "\\ud800"}': [
    {
      type: 'string_unicode',
      loc: ['body', 'name'],
      msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
    },
  ],
  '/signatures/mailboxes/1/push {"version": Infinity}': invalidJson(12),
  '/q?f=inf ': notFinite('query', 'f'),
  '/t/float {"v": "nan"}': notFinite('body', 'v'),
  '/t/float {"v": "-inf"}': notFinite('body', 'v'),
  '/t/float {"v": "1e400"}': notFinite('body', 'v'),
}

/**
 * Crosswalk accepts only integers that a double stores exactly. The recorded application accepted
 * these.
 */
const widerThere: Record<string, Detail[]> = {
  '/signatures/mailboxes/99999999999999999999/push {"version": 1}': beyondDoubles('path', 'mailbox_id'),
  '/signatures/mailboxes/1/push {"version": 1000000000000000000000000000000}': beyondDoubles(
    'body',
    'version',
  ),
  '/t/int {"v": 100000000000000000000}': beyondDoubles('body', 'v'),
}

/** Refusals with texts of Crosswalk's own. They have no prefix, and no empty `ctx.error`. */
const ownWords: Record<string, Detail[]> = {
  '/ve {"v": "bad"}': [{ type: 'value_error', loc: ['body', 'v'], msg: 'phone must be E.164' }],
}

const unknownParameter = (name: string, ctx?: Detail['ctx']): Detail => ({
  type: 'extra_forbidden',
  loc: ['query', name],
  msg: 'Extra inputs are not permitted',
  ...(ctx && { ctx }),
})

/** Requests with an unknown parameter, which the recorded application ignored. Crosswalk refuses unknown parameters. */
const ignoredThere: Record<string, Detail[]> = {
  '/duplicates/recent-merges?unknown=1 ': [unknownParameter('unknown')],
  '/duplicates/recent-merges?LIMIT=0 ': [unknownParameter('LIMIT', { nearest: 'limit' })],
}

const cases = recordedCases()
const driven = cases.filter(
  (entry) => !(entry.group in groupsNotOffered) && !(nameOf(entry) in casesNotOffered),
)

describe('recorded FastAPI answers', () => {
  for (const entry of driven) {
    test(`a ${entry.group} request gets the answer that FastAPI gave: ${nameOf(entry).slice(0, 120)}`, () => {
      const name = nameOf(entry)
      const ours = brokenThere[name] ?? widerThere[name] ?? ownWords[name] ?? ignoredThere[name]
      expect(answerTo(entry)).toEqual(
        ours
          ? { status: 422, response: { detail: ours } }
          : { status: entry.status, response: entry.response },
      )
    })
  }

  test('each recorded case that is left out has a reason', () => {
    expect(cases).toHaveLength(299)
    const groups = new Set(cases.map(({ group }) => group))
    const names = new Set(cases.map(nameOf))
    expect(Object.keys(groupsNotOffered).filter((group) => !groups.has(group))).toEqual([])
    const listed = [casesNotOffered, brokenThere, widerThere, ownWords, ignoredThere].flatMap(Object.keys)
    expect(listed.filter((name) => !names.has(name))).toEqual([])
    const broken = driven.filter(({ status }) => status === 500).map(nameOf)
    expect(broken.sort()).toEqual(Object.keys(brokenThere).sort())
  })
})

function nameOf({ path, body }: RecordedCase): string {
  return `${path} ${body?.toString('latin1') ?? ''}`
}

function answerTo({ path, headers, body }: RecordedCase): { status: number; response: unknown } {
  const [pathname = '', query = ''] = path.split('?')
  const { params, schemas } = endpointAt(pathname)
  const parts: (Part & { value: unknown })[] = []
  try {
    if (schemas.params) parts.push({ in: 'path', schema: schemas.params, value: params })
    if (schemas.query) parts.push({ in: 'query', schema: schemas.query, value: new URLSearchParams(query) })
    if (schemas.header) parts.push({ in: 'header', schema: schemas.header, value: headers })
    if (schemas.body) {
      parts.push({
        in: 'body',
        schema: schemas.body,
        value: bodyInput(body ?? undefined, headers['content-type']),
      })
    }
    const outputs = Object.values(validate(parts))
    const taken = outputs.filter((output) => output !== undefined)
    return { status: 200, response: taken.length > 0 ? Object.assign({}, ...taken) : null }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { status: 422, response: { detail: error.details } }
  }
}

function endpointAt(pathname: string): { params: Record<string, string>; schemas: Schemas } {
  const type = /^\/t\/(\w+)$/.exec(pathname)?.[1]
  if (type && types[type]) return { params: {}, schemas: { body: z.object({ v: types[type] }) } }
  const mailbox = /^\/signatures\/mailboxes\/([^/]+)\/push$/.exec(pathname)?.[1]
  const schemas = endpoints[mailbox ? '/signatures/mailboxes/{mailbox_id}/push' : pathname]
  if (!schemas) throw new Error(`no schemas for ${pathname}`)
  return { params: mailbox ? { mailbox_id: mailbox } : {}, schemas }
}
