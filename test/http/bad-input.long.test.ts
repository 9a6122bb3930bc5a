import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { anyText } from '../support/any-text.ts'
import { startTestApp } from '../support/app.ts'
import { exchange, rawRequest } from '../support/raw-http.ts'
import { runs } from '../support/runs.ts'
import { call, everyEndpoint, exampleOf, makeParams } from '../support/walk.ts'

const app = await startTestApp()
afterAll(() => app.close())
const org = await app.newAgency()

const json = { 'content-type': 'application/json' }
const deep = (open: string, close: string, levels = 100_000) => open.repeat(levels) + close.repeat(levels)
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const lone = '\\ud800'

describe('bodies', () => {
  // The status, and the type and the place of the only error.
  test.each<[string, string | Uint8Array, number, string?, (string | number)[]?]>([
    ['NUL in a text', '{"first_name":"a\\u0000b"}', 422, 'string_unicode', ['body', 'first_name']],
    [
      'NUL in a key',
      '{"first_name":"a","custom":{"\\u0000":1}}',
      422,
      'string_unicode',
      ['body', 'custom', '\0'],
    ],
    ['a bare NUL', '{"first_name":"a\0b"}', 422, 'json_invalid', ['body', 16]],
    ['a lone surrogate', `{"first_name":"${lone}"}`, 422, 'string_unicode', ['body', 'first_name']],
    [
      'a lone surrogate deep in custom',
      `{"first_name":"a","custom":{"x":["${lone}"]}}`,
      422,
      'string_unicode',
      ['body', 'custom', 'x', 0],
    ],
    [
      'a lone surrogate in an unknown field',
      `{"first_name":"a","ignored":"${lone}"}`,
      422,
      'string_unicode',
      ['body', 'ignored'],
    ],
    ['100,000 arrays', deep('[', ']'), 422, 'json_invalid', ['body', 100]],
    ['100,000 objects', deep('{"a":', '}').replace(':}', ':1}'), 422, 'json_invalid', ['body', 500]],
    ['100,000 arrays in custom', `{"custom":${deep('[', ']')}}`, 422, 'json_invalid', ['body', 109]],
    ['100,000 brackets that never close', '['.repeat(100_000), 422, 'json_invalid', ['body', 100]],
    ['1e999', '{"first_name":"a","custom":{"n":1e999}}', 422, 'finite_number', ['body', 'custom', 'n']],
    ['-1e999', '{"custom":-1e999}', 422, 'finite_number', ['body', 'custom']],
    ['NaN', '{"first_name":NaN}', 422, 'json_invalid', ['body', 14]],
    ['an array', '[]', 422, 'model_attributes_type', ['body']],
    ['a number', '12345678901234567890', 422, 'model_attributes_type', ['body']],
    ['null', 'null', 422, 'missing', ['body']],
    ['white space', ' \n ', 422, 'json_invalid', ['body', 3]],
    ['nothing', '', 422, 'missing', ['body']],
    ['a form', 'first_name=a', 422, 'json_invalid', ['body', 0]],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 400],
    ['UTF-8 cut short', Buffer.from('{"first_name":"\u00e9').subarray(0, -1), 400],
    ['a surrogate in UTF-8', Buffer.from('7b2261223a22eda08022 7d'.replaceAll(' ', ''), 'hex'), 400],
    ['UTF-16', utf16('{"first_name":"a"}'), 400],
    ['UTF-16 without a byte order mark', utf16('{"first_name":"a"}').subarray(2), 400],
    ['UTF-32', Buffer.from('7b000000', 'hex'), 400],
    ['a byte order mark', Buffer.from('\ufeff{"first_name":"a"}'), 400],
  ])('a body that is %s gets an error that names the fault', async (_name, raw, status, type, loc) => {
    const answer = await org.post('/contacts', undefined, { raw, headers: json })
    expect(answer.status, answer.text).toBe(status)
    if (type)
      expect(answer.body.detail.map(({ type, loc }: never) => ({ type, loc }))).toEqual([{ type, loc }])
    else expect(answer.body.detail).toContain('UTF-8')
  })

  test('keys such as __proto__ and constructor in a body are stored like other keys', async () => {
    const raw = '{"first_name":"a","custom":{"__proto__":{"x":1},"constructor":{"prototype":2}}}'
    const created = await org.post('/contacts', undefined, { raw, headers: json })
    expect(created.status).toBe(201)
    expect(created.text).toContain('"custom":{"__proto__":{"x":1},"constructor":{"prototype":2}}')
    expect(created.body.data.email).toBeNull()
    const member = await org.post('/contacts', undefined, {
      raw: '{"first_name":"a","__proto__":{"email":"x"}}',
      headers: json,
    })
    expect(member.body.detail).toMatchObject([{ type: 'extra_forbidden', loc: ['body', '__proto__'] }])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/csv', 'image/png'])(
    'bodies of JSON with the content type %s are refused',
    async (type) => {
      const answer = await org.post('/contacts', undefined, {
        raw: '{"first_name":"a"}',
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.body.detail]).toMatchObject([
        422,
        [{ type: 'model_attributes_type', loc: ['body'] }],
      ])
    },
  )
})

describe('an unknown parameter is refused', () => {
  test.each<[string, object, (string | number)[]]>([
    ['/duplicates/settings', { mode: 'off' }, ['mode']],
    ['/duplicates/settings', { contact: { mdoe: 'off' } }, ['contact', 'mdoe']],
    ['/signatures/settings', { gmail: { service_acount: null } }, ['gmail', 'service_acount']],
    ['/signatures/settings', { gmial: null }, ['gmial']],
    ['/integrations/crm-sync/settings', { treshold: 5 }, ['treshold']],
  ])('%s refuses %j, because the client did not mean to change nothing', async (path, body, place) => {
    const answer = await org.patch(path, body)
    expect([answer.status, answer.body.detail]).toMatchObject([
      422,
      [{ type: 'extra_forbidden', loc: ['body', ...place], msg: 'Extra inputs are not permitted' }],
    ])
  })
})

describe('addresses', () => {
  const long = 'a'.repeat(10_000)
  test.each([
    ['/contacts/%00', 422],
    [`/contacts/${long}`, 422],
    ['/contacts/%F0%9F%98%80', 422],
    ['/contacts/%ED%A0%80', 404],
    ['/contacts/%ff', 404],
    ['/contacts/%ZZ', 404],
    ['/contacts/%', 404],
    ['/%2e%2e/contacts', 404],
    ['//contacts', 404],
    ['/contacts//', 422],
    [`/${long}`, 404],
    ['/contacts/..%2f..%2fetc', 422],
    ['/__proto__', 404],
    ['/contacts?limit=1&limit=abc', 422],
    ['/contacts?limit=abc&limit=1', 200],
    ['/contacts?limit=', 422],
    ['/contacts?limit', 422],
    ['/contacts?limit=1e2', 422],
    ['/contacts?limit[]=1&limit.x=2', 422],
    ['/contacts?%00=1', 422],
    ['/contacts?q=%00', 422],
    ['/contacts?q=%ff', 422],
    ['/contacts?q=%', 200],
    ['/contacts?q=%27%22%5C%3A%2A%26%7C%21%28%29%3C%3E', 200],
    ['/contacts?__proto__=1&constructor=2&toString=3', 422],
    ['/contacts?&&&', 200],
    ['/contacts?&&&===&', 422],
    ['/contacts?email=a%40b.example&email=c%40d.example', 422],
    [`/contacts?email=${long}`, 422],
    [`/contacts?tag=%F0%9F%98%80`, 200],
    ['/contacts?updated_since=99999999999999999999', 422],
    ['/contacts?page=9007199254740993', 422],
    ['/contacts?cursor=AAAA', 422],
    [`/events?type=${'%00'}`, 422],
    ['/contacts?company_id=%7B00000000-0000-0000-0000-000000000000%7D', 200],
  ])('the path %s gets its expected status', async (path, status) => {
    const { text, statuses } = await exchange(app.address, rawRequest(org.token, 'GET', `/v1${path}`))
    expect(statuses, text).toEqual([status])
    expect(text).toContain('content-type: application/json; charset=utf-8')
  })
})

describe('random JSON', () => {
  const takesBodies = everyEndpoint.filter(([, { body }]) => body)
  const anything = fc.jsonValue({ maxDepth: 3 })

  test.each(takesBodies)('%s never answers 5xx to random JSON', async (_name, endpoint) => {
    const params = await makeParams(endpoint, org)
    const { properties = {} } = toJsonSchema(endpoint.body!, 'input')
    const sample = exampleOf(endpoint, params) as Record<string, unknown>
    // Objects with known field names. Their values are from the example, or random.
    const near = fc.record(
      Object.fromEntries(
        Object.keys(properties).map((name) => [
          name,
          name in sample ? fc.oneof(fc.constant(sample[name]), anything) : anything,
        ]),
      ),
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 1, arbitrary: anything }, { weight: 4, arbitrary: near }),
        async (body) => {
          const answer = await call(endpoint, org, params, { body })
          expect(answer.status, answer.text).toBeLessThan(500)
          if (answer.status === 422) for (const { loc } of answer.body.detail) expect(loc[0]).toBe('body')
        },
      ),
      { numRuns: runs(2, 10) },
    )
  })

  test.each(takesBodies)('%s never answers 5xx to random bytes', async (_name, endpoint) => {
    const params = await makeParams(endpoint, org)
    const types = ['application/json', ...(endpoint.streams ?? [])]
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...types), async (raw, type) => {
        const answer = await call(endpoint, org, params, {
          raw,
          headers: { 'content-type': type },
        })
        expect(answer.status, answer.text).toBeLessThan(500)
      }),
      { numRuns: runs(1, 5) },
    )
  })
})

describe('random queries', () => {
  test.each(everyEndpoint.filter(([, { query }]) => query))(
    '%s never answers 5xx to a random query',
    async (_name, endpoint) => {
      const params = await makeParams(endpoint, org)
      const values = fc.oneof(anyText({ maxLength: 12 }), fc.integer().map(String))
      const query = fc.record(
        Object.fromEntries(Object.keys(endpoint.query!.shape).map((name) => [name, values])),
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const answer = await call(endpoint, org, params, {
            query: `?${new URLSearchParams(asked as Record<string, string>)}`,
          })
          expect(answer.status, answer.text).toBeLessThan(500)
          if (answer.status === 422) for (const { loc } of answer.body.detail) expect(loc[0]).toBe('query')
        }),
        { numRuns: runs(2, 10) },
      )
    },
  )
})

test('no invalid request caused a 5xx or an error in the log', async () => {
  const { text } = await app.stranger.get('/metrics', { prefix: '' })
  const counts = text.split('\n').filter((line) => line.includes('_seconds_count'))
  expect(counts.length).toBeGreaterThan(10)
  expect(counts.filter((line) => /status="5/.test(line))).toEqual([])
})
