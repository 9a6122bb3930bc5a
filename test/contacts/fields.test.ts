import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const ids = (answer: { body: { data: { contact_id: string }[] } }) =>
  answer.body.data.map((c) => c.contact_id)
const find = async (org: TestOrg, query: Record<string, string>) =>
  ids(await org.get(`/contacts?${new URLSearchParams(query)}`))

describe('emails', () => {
  test('e-mail addresses, primary and secondary, are returned unchanged and found in any letter case', async () => {
    const org = await app.newOrg()
    const { contact_id: id, ...data } = (
      await org.post('/contacts', {
        email: 'Ada@Example.COM',
        emails: ["O'Neil+x@büro.example", 'ADA@example.com'],
      })
    ).body.data
    expect(data.email).toBe('Ada@Example.COM')
    expect(data.emails).toEqual(['Ada@Example.COM', "O'Neil+x@büro.example"])
    for (const email of [
      'ada@example.com',
      'ADA@EXAMPLE.COM',
      ' ada@example.com ',
      "o'neil+X@BÜRO.example",
      "o'neil+x@xn--bro-hoa.example",
    ])
      expect(await find(org, { email })).toEqual([id])
    expect(await find(org, { email: 'neil@example.com' })).toEqual([])
    // A plus sign that is not encoded arrives as a space.
    expect(ids(await org.get("/contacts?email=o'neil+x@b%C3%BCro.example"))).toEqual([id])
    const tagged = (await org.post('/contacts', { email: 'grace+vip@example.com' })).body.data.contact_id
    expect(ids(await org.get('/contacts?email[starts_with]=grace+vip'))).toEqual([tagged])
    const bad = await org.get('/contacts?email=nobody')
    expect([bad.status, bad.body.detail[0].loc]).toEqual([422, ['query', 'email']])
  })

  test('the primary e-mail address is listed first, and PATCH can choose, replace or remove it', async () => {
    const org = await app.newOrg()
    const created = await org.post('/contacts', { emails: ['a@x.example', 'b@x.example', 'c@x.example'] })
    const path = `/contacts/${created.body.data.contact_id}`
    expect(created.body.data.email).toBe('a@x.example')
    const steps: [object, string[]][] = [
      [{ email: 'B@x.example' }, ['B@x.example', 'a@x.example', 'c@x.example']],
      [{ email: 'd@x.example' }, ['d@x.example', 'a@x.example', 'c@x.example']],
      [{ email: null }, ['a@x.example', 'c@x.example']],
      [{ emails: ['c@x.example', 'C@x.example'] }, ['c@x.example']],
      [{ email: 'e@x.example', emails: ['c@x.example'] }, ['e@x.example', 'c@x.example']],
    ]
    for (const [change, emails] of steps) {
      const { data } = (await org.patch(path, change)).body
      expect([data.email, data.emails]).toEqual([emails[0], emails])
    }
    expect(await find(org, { email: 'C@X.example' })).toHaveLength(1)
    for (const gone of ['a', 'b', 'd']) expect(await find(org, { email: `${gone}@x.example` })).toEqual([])
  })
})

describe('phones', () => {
  test('phone numbers become E.164 with the default country of the organization, and are found in every form', async () => {
    const org = await app.newOrg({ country: 'GB' })
    const { data } = (
      await org.post('/contacts', {
        phone: '020 7946 0958',
        phones: ['+1 (415) 555-0100', '+44 20 7946 0958'],
      })
    ).body
    expect([data.phone, data.phones]).toEqual(['+442079460958', ['+442079460958', '+14155550100']])
    for (const phone of [
      '+442079460958',
      '020 7946 0958',
      '(020) 79460958',
      '+1 415 555 0100',
      '0014155550100',
    ])
      expect(await find(org, { phone })).toEqual([data.contact_id])
    // A plus sign that is not encoded arrives as a space.
    expect(ids(await org.get('/contacts?phone=+14155550100'))).toEqual([data.contact_id])
    expect(ids(await org.get('/contacts?phone[starts_with]=+4420'))).toEqual([data.contact_id])
    expect(await find(org, { phone: '+442079460959' })).toEqual([])
    const patched = await org.patch(`/contacts/${data.contact_id}`, { phone: '+14155550100' })
    expect(patched.body.data.phones).toEqual(['+14155550100', '+442079460958'])
  })

  test('phone numbers in national form need a default country of the organization', async () => {
    const org = await app.newOrg({ country: null })
    const bodies: [object, unknown[]][] = [
      [{ phone: '020 7946 0958' }, ['body', 'phone']],
      [{ phones: ['+442079460958', '020 7946 0958'] }, ['body', 'phones', 1]],
      [{ first_name: 'Ada', phones: [' '] }, ['body', 'phones', 0]],
    ]
    for (const [body, loc] of bodies) {
      const { status, body: answer } = await org.post('/contacts', body)
      expect([status, answer.detail[0].loc]).toEqual([422, loc])
      expect(answer.detail[0].msg).toMatch(/^value is not a valid phone number/)
    }
    const created = await org.post('/contacts', { phone: '+44 20 7946 0958' })
    expect(created.body.data.phone).toBe('+442079460958')
    const filter = await org.get('/contacts?phone=02079460958')
    expect([filter.status, filter.body.detail[0].loc]).toEqual([422, ['query', 'phone']])
    expect(ids(await org.get('/contacts?phone=+442079460958'))).toEqual([created.body.data.contact_id])
  })

  test('phone numbers replace the unreadable number of an import', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
    await app.operate((tx) =>
      tx.run({ text: `update contact set phone_raw = 'ask Bob' where contact_id = $1`, values: [id] }),
    )
    expect((await org.patch(`/contacts/${id}`, { city: 'Rome' })).body.data.phone_raw).toBe('ask Bob')
    const { data } = (await org.patch(`/contacts/${id}`, { phone: '+14155550100' })).body
    expect([data.phone, data.phone_raw]).toEqual(['+14155550100', null])
  })
})

describe('custom', () => {
  const json = (custom: string) => ({
    raw: `{"first_name":"Ada","custom":${custom}}`,
    headers: { 'content-type': 'application/json' },
  })
  const texts = [
    '{"z":1,"a":{"y":[],"b":{}},"m":{"n":null}}',
    '{"big":12345678901234567890,"small":0.12345678901234567890,"exponent":1.5e+300,"negative":-9007199254740993}',
    '{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}',
    '{"":0,"ключ":"значение","🦊":"🦊\u2028","quotes":"\\"\\\\\\n\\t","é":"e\u0301"}',
    '{"deep":[[[[[[[[[[{"a":[true,false,null,"",-1.5]}]]]]]]]]]]}',
  ]

  test.each(texts)('custom is returned unchanged: %s', async (text) => {
    const org = await app.newOrg()
    const created = await org.send('POST', '/contacts', json(text))
    expect(created.status).toBe(201)
    const path = `/contacts/${created.body.data.contact_id}`
    for (const answer of [created, await org.get(path), await org.get('/contacts')])
      expect(answer.text).toContain(`"custom":${text}`)
    const again = await org.send('PATCH', path, json(text))
    expect(again.text).toBe(created.text)
    const other = await org.patch(path, { city: 'Rome' })
    expect(other.text).toContain(`"custom":${text}`)
  })

  test('custom keeps a null of a new record, while a PATCH with null removes a value', async () => {
    const org = await app.newOrg()
    const created = await org.post('/contacts', { first_name: 'Ada', custom: { a: 1, b: null, c: { d: 1 } } })
    expect(created.body.data.custom).toEqual({ a: 1, b: null, c: { d: 1 } })
    const path = `/contacts/${created.body.data.contact_id}`
    const changed = await org.patch(path, { custom: { a: null, b: 2, c: { e: 1 } } })
    expect([changed.body.data.custom, changed.body.data.version]).toEqual([{ b: 2, c: { e: 1 } }, 2])
    const same = await org.patch(path, { custom: { b: 2, unknown: null } })
    expect(same.body.data.version).toBe(2)
    const cleared = await org.patch(path, { custom: null })
    expect(cleared.body.data.custom).toEqual({})
  })

  test('names with escapes do not depend on names that another organization sent', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    await other.send('POST', '/contacts', json('{"sizes":1,"gr\\\\u0":2}'))
    const written = '{"sizes":1,"gr\\u00f6\\u00dfe":"XL"}'
    const created = await org.send('POST', '/contacts', json(written))
    const path = `/contacts/${created.body.data.contact_id}`
    for (const { text } of [created, await org.get(path)])
      expect(text).toContain('"custom":{"sizes":1,"größe":"XL"}')
  })

  test('changes of single values may not let custom grow beyond 64 KiB', async () => {
    const org = await app.newOrg()
    const half = 'x'.repeat(33_000)
    const created = await org.post('/contacts', { first_name: 'Ada', custom: { a: half } })
    const path = `/contacts/${created.body.data.contact_id}`
    const { status, body } = await org.patch(path, { custom: { b: half } })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'custom']])
    expect((await org.patch(path, { custom: { a: null, b: half } })).status).toBe(200)
  })

  test('a contact gets a new version if only a digit of custom differs, and none if only the order of keys differs', async () => {
    const org = await app.newOrg()
    const created = await org.send('POST', '/contacts', json('{"n":12345678901234567890,"m":1}'))
    const path = `/contacts/${created.body.data.contact_id}`
    const digit = await org.send('PATCH', path, json('{"n":12345678901234567891,"m":1}'))
    expect([digit.body.data.version, digit.text.includes('12345678901234567891')]).toEqual([2, true])
    expect((await org.send('PATCH', path, json('{"m":1,"n":12345678901234567891}'))).body.data.version).toBe(
      2,
    )
  })

  test('custom has at most 64 KiB', async () => {
    const org = await app.newOrg()
    const full = { text: `x${'é'.repeat((65_536 - '{"text":"x"}'.length) / 2)}` }
    expect(Buffer.byteLength(JSON.stringify(full))).toBe(65_536)
    const created = await org.post('/contacts', { first_name: 'Ada', custom: full })
    expect([created.status, created.body.data.custom]).toEqual([201, full])
    const { status, body } = await org.post('/contacts', {
      first_name: 'Ada',
      custom: { text: `${full.text}x` },
    })
    expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([
      422,
      'value_error',
      ['body', 'custom'],
    ])
  })
})

test('external ids and tags may have any characters, and are returned unchanged', async () => {
  const org = await app.newOrg()
  const external_ids = { 'a b': '{"x":1}', __proto__x: 'NULL', ümlaut: '\\N', quote: '"\'' }
  const tags = ['NULL', '{a,b}', '"', '\\', "o'neil", 'a,b', '🦊', 'VIP', 'vip']
  const created = await org.post('/contacts', { external_ids, tags })
  expect(created.body.data).toMatchObject({ external_ids, tags })
  const id = created.body.data.contact_id
  for (const tag of tags) expect(await find(org, { tag })).toEqual([id])
  expect(await find(org, { tag: 'Vip' })).toEqual([])
  const raw = { raw: '{"external_ids":{"__proto__":"7"}}', headers: { 'content-type': 'application/json' } }
  const proto = await org.send('POST', '/contacts', raw)
  expect(proto.text).toContain('"external_ids":{"__proto__":"7"}')
  const cleared = await org.patch(`/contacts/${id}`, { tags: null })
  expect([cleared.body.data.tags, await find(org, { tag: 'VIP' })]).toEqual([[], []])
})
