import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const exported = async (org: TestOrg, query: string, path = '/contacts'): Promise<Answer> => {
  const answer = await org.get(`${path}/export?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const linesOf = (text: string) => text.split('\n').slice(0, -1)
const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })

const profile = {
  city: 'Köln "am Rhein", 你好 🙂',
  region: 'a\r\nb',
  country: ' =1+1'.trim(),
  linkedin_url: 'https://linkedin.example/x',
  tags: ['vip', 'a, b', '@x', 'x;y'],
  external_ids: { crm: 'D-17', shop: '=2' },
  source: 'fair',
}
// Write the body as text: JSON.stringify would lose digits.
const custom = '{"deep":[{"n":1.50},null,"x"],"large":12345678901234567890,"emoji":"🙂","=a":"-1"}'

const create = (org: TestOrg, path: string, fields: object) =>
  org.post(path, undefined, {
    raw: `${JSON.stringify(fields).slice(0, -1)},"custom":${custom}}`,
    headers: { 'content-type': 'application/json' },
  })

describe('an organization with full and sparse records', () => {
  let org: TestOrg

  beforeAll(async () => {
    org = await app.newOrg()
    const company = await create(org, '/companies', {
      ...{ name: '+Acme', domain: 'acme.example', domains: ['acme2.example'], phone: '+14155550101' },
      ...{ website: 'https://acme.example', industry: 'Toys', employee_count: 3, ...profile },
    })
    const person = await create(org, '/contacts', {
      ...{
        email: '-first@example.com',
        emails: ['second@example.com'],
        first_name: '=cmd',
        last_name: "'t Hooft",
      },
      ...{ phone: '+14155550102', phones: ['+14155550103'], company_id: company.body.data.company_id },
      ...{ company_name: '@Acme', job_title: 'CEO; CFO', lifecycle_stage: 'lead' },
      ...{ consent: { email: 'granted', phone: 'denied' } },
      ...{ consent_details: { email: { kind: 'written', source: '=form', at: 1_700_000_000 } } },
      ...profile,
    })
    expect([company.status, person.status, person.text]).toEqual([201, 201, expect.any(String)])
    const other = await org.post('/contacts', {
      ...{ last_name: 'Absorbed', external_ids: { crm: 'D-18' }, consent: { email: 'granted' } },
    })
    await org.post('/duplicates/merge', {
      ...{ entity_type: 'contact', survivor_id: person.body.data.contact_id },
      loser_ids: [other.body.data.contact_id],
    })
    await org.post('/contacts', { last_name: 'Sparse' })
    await org.post('/companies', { name: 'Sparse' })
    await create(org, '/deals', {
      ...{ name: '=Deal', amount_cents: 12_345, currency: 'EUR', company_id: company.body.data.company_id },
      ...{ contact_ids: [person.body.data.contact_id], owner_email: 'o@example.com', probability: 20 },
      ...{ expected_close_on: '2026-12-31', tags: profile.tags, external_ids: profile.external_ids },
    })
    await org.post('/deals', { name: 'Sparse' })
  })

  test.each([
    ['/contacts', 'contact_id'],
    ['/companies', 'company_id'],
    ['/deals', 'deal_id'],
  ])('%s: each JSON line of an export is byte for byte the record in the answer to GET', async (path, id) => {
    const { text, headers } = await exported(org, 'format=jsonl', path)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const lines = linesOf(text)
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      const single = await org.get(`${path}/${JSON.parse(line)[id]}`)
      expect(`{"data":${line},"pagination":null}`).toBe(single.text)
    }
  })

  test('an export as CSV has a column for each field, and escapes formulas', async () => {
    const { text, headers } = await exported(org, '')
    const day = new Date().toISOString().slice(0, 10)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="contacts-${day}.csv"`)
    const [sparse, full] = rowsOf(text)
    const list = await org.get('/contacts')
    const record = list.body.data[1]
    expect(full).toEqual({
      ...{ contact_id: record.contact_id, email: "'-first@example.com", email_raw: '' },
      ...{ emails: "'-first@example.com;second@example.com", phone: '+14155550102', phone_raw: '' },
      ...{ phones: '+14155550102;+14155550103', first_name: "'=cmd", last_name: "'t Hooft" },
      ...{
        company_id: record.company_id,
        company_name: "'@Acme",
        job_title: 'CEO; CFO',
        lifecycle_stage: 'lead',
      },
      ...{ consent_email: 'granted', consent_phone: 'denied', consent_email_kind: 'written' },
      ...{ consent_email_source: "'=form", consent_email_at: '1700000000' },
      ...{ consent_phone_kind: '', consent_phone_source: '', consent_phone_at: '' },
      ...{ linkedin_url: profile.linkedin_url, city: profile.city, region: profile.region, country: "'=1+1" },
      ...{ owner_id: '', owner_email: '', claimed_by: '' },
      ...{ tags: '["vip","a, b","@x","x;y"]', custom: custom.replace('1.50', '1.5') },
      ...{ external_ids: '{"crm":"D-17","shop":"=2"}', source: 'fair', merged_ids: record.merged_ids[0] },
      ...{ merged_external_ids: '{"crm":["D-18"]}', version: String(record.version), archived_at: '' },
      ...{ created_at: String(record.created_at), updated_at: String(record.updated_at) },
    })
    expect(Object.entries(sparse!).filter(([, cell]) => cell !== '')).toHaveLength(8)
    expect(Object.keys(sparse!)).toEqual(text.slice(0, text.indexOf('\r\n')).split(','))
  })

  test('with a time zone, a CSV file shows local times with their offset, and imports read them', async () => {
    const { text } = await exported(org, 'timezone=asia/kolkata&fields=created_at,consent_details&q=hooft')
    const [row] = rowsOf(text)
    expect(row).toMatchObject({ consent_email_at: '2023-11-15T03:43:20+05:30', consent_phone_at: '' })
    const { created_at } = (await org.get('/contacts?q=hooft')).body.data[0]
    expect(row!.created_at).toMatch(/\+05:30$/)
    expect(Date.parse(row!.created_at!)).toBe(created_at * 1000)
  })

  test.each([
    ['timezone=CET%2B1', 'a timezone is a name of the IANA database'],
    ['timezone=Europe/Berlin&format=jsonl', 'a time zone needs format=csv'],
  ])('an export with %s is refused', async (query, says) => {
    const { status, body } = await org.get(`/contacts/export?${query}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'timezone']])
    expect(body.detail[0].msg).toContain(says)
  })

  test('`fields` selects the columns of an export', async () => {
    const { text } = await exported(org, 'fields=last_name,consent,contact_id&q=sparse')
    expect(text).toMatch(
      /^contact_id,last_name,consent_email,consent_phone\r\n[\w-]{36},Sparse,unknown,unknown\r\n$/,
    )
    const { text: json } = await exported(org, 'format=jsonl&fields=last_name&q=sparse')
    expect(json).toBe('{"last_name":"Sparse"}\n')
  })

  test('`conditions` are a tree with `or` and `not`, beside the other filters', async () => {
    const conditions = encodeURIComponent(
      JSON.stringify({
        or: [{ field: 'lifecycle_stage', value: 'lead' }, { not: { field: 'tag', value: 'vip' } }],
      }),
    )
    const names = async (query: string) =>
      rowsOf((await exported(org, `fields=last_name&conditions=${conditions}${query}`)).text).map(
        ({ last_name }) => last_name,
      )
    expect(await names('&sort=-name')).toEqual(['Sparse', "'t Hooft"])
    expect(await names('&lifecycle_stage=lead')).toEqual(["'t Hooft"])
    for (const [wrong, loc] of [
      ['{', ['query', 'conditions']],
      ['{"field":"nickname","value":"x"}', ['query', 'conditions', 'field']],
    ] as const) {
      const answer = await org.get(`/contacts/export?conditions=${encodeURIComponent(wrong)}`)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    }
  })

  test.each([
    [
      '/contacts',
      [
        'contact_id',
        'company_id',
        'version',
        'created_at',
        'updated_at',
        'merged_ids',
        'merged_external_ids',
      ],
    ],
    ['/companies', ['company_id', 'version', 'created_at', 'updated_at']],
  ])(
    '%s: importing an exported CSV file into another organization gives the same values',
    async (path, own) => {
      const copy = await app.newOrg()
      const { text } = await exported(org, 'timezone=Asia/Kolkata', path)
      const headers = { 'content-type': 'text/csv' }
      const inspected = await copy.post(`${path}/imports/inspect`, undefined, { raw: text, headers })
      expect(inspected.body.data.source).toBe('crosswalk')
      for (const { header, field } of inspected.body.data.columns)
        expect([header, field]).not.toEqual([header, null])
      const { body } = await copy.post(`${path}/imports`, undefined, { raw: text, headers })
      await vi.waitFor(async () => {
        const { data } = (await copy.get(`/imports/${body.data.import_id}`)).body
        expect(data).toMatchObject({ status: 'succeeded', counts: { created: 2, refused: 0 } })
      }, patience)
      const shown = async (from: TestOrg) =>
        (await from.get(`${path}?sort=name`)).body.data.map((record: Record<string, unknown>) => {
          const { crosswalk: _, ...external_ids } = record.external_ids as Record<string, string>
          const rest = Object.entries(record).filter(([name]) => !own.includes(name))
          return { ...Object.fromEntries(rest), external_ids }
        })
      expect(await shown(copy)).toEqual(await shown(org))
      expect((await exported(copy, 'format=jsonl', path)).text).toContain(custom.replace('1.50', '1.5'))
    },
  )
})

test.each([
  ['csv', /^contact_id,[\w,]+\r\n$/],
  ['jsonl', /^$/],
])('%s of an organization without records is a complete file', async (format, text) => {
  expect((await exported(await app.newOrg(), `format=${format}`)).text).toMatch(text)
})

test.each(['format=xml', 'limit=5', 'fields=nickname', 'cursor=x', 'city[near]=Oslo'])(
  'an export with %s gets 422',
  async (query) => {
    const org = await app.newOrg()
    expect((await org.get(`/contacts/export?${query}`)).status).toBe(422)
  },
)

test('an agency exports the records of its client', async () => {
  const [org, agency] = [await app.newOrg(), await app.newAgency()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, org.orgId))
  await agency.post('/contacts', { first_name: 'Own' })
  await org.post('/contacts', { first_name: 'Others' })
  const path = '/contacts/export?format=jsonl&fields=first_name'
  const asked = await agency.get(path, { headers: { 'x-target-org-id': org.orgId } })
  expect([asked.text, (await agency.get(path)).text]).toEqual([
    '{"first_name":"Others"}\n',
    '{"first_name":"Own"}\n',
  ])
})
