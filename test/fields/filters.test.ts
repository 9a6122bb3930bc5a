import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  org = await app.newOrg()
})

describe('a filter by a field with options', () => {
  const define = (type: string) =>
    org.post('/fields', { entity: 'contact', key: 'tier', type, options: ['Gold', 'Silver'] })
  const expected = "'Gold' or 'Silver'"

  test.each([
    ['select', 'custom.tier=golden', ['custom.tier']],
    ['select', 'custom.tier[ne]=golden', ['custom.tier[ne]']],
    ['multi_select', 'custom.tier[in]=gold,golden', ['custom.tier[in]', 1]],
  ])(
    'a %s filter %s with a value that is not an option is a 422 that names the options',
    async (type, query, loc) => {
      await define(type)
      for (const path of ['/contacts', '/contacts/export']) {
        const { status, body } = await org.get(`${path}?${query}`)
        expect([status, body.detail]).toMatchObject([
          422,
          [{ type: 'literal_error', loc: ['query', ...loc], ctx: { expected } }],
        ])
      }
    },
  )

  test('a search, a bulk change and a segment refuse a value that is not an option, and accept the start of an option', async () => {
    await define('select')
    const filter = (op: string, value: unknown) => ({ not: { field: 'custom.tier', op, value } })
    const sent = { entity: 'contact', name: 'Best', change: { add_tags: ['best'] } }
    const { entity, name, change } = sent
    for (const [path, more] of [
      ['/contacts/search', {}],
      ['/bulk-changes', { entity, change }],
      ['/segments', { entity, name }],
    ] as const) {
      const refused = await org.post(path, { ...more, filter: filter('in', ['golden']) })
      expect([path, refused.status, refused.body.detail[0]?.loc]).toEqual([
        path,
        422,
        ['body', 'filter', 'not', 'value', 0],
      ])
      const accepted = await org.post(path, { ...more, filter: filter('starts_with', 'Go') })
      expect([path, accepted.status]).toEqual([path, expect.toBeOneOf([200, 201, 202])])
    }
  })

  test('a segment still finds records with a removed option, which no new filter can name', async () => {
    const { field_id, version } = (await define('select')).body.data
    const { contact_id } = (await org.post('/contacts', { first_name: 'Ada', custom: { tier: 'Gold' } })).body
      .data
    const filter = { field: 'custom.tier', value: 'Gold' }
    const { segment_id } = (await org.post('/segments', { entity: 'contact', name: 'Best', filter })).body
      .data
    const fewer = { options: ['Silver'], existing: 'keep' }
    expect(
      (await org.patch(`/fields/${field_id}`, fewer, { headers: { 'if-match': `"${version}"` } })).status,
    ).toBe(200)
    const found = await org.get(`/contacts?segment_id=${segment_id}`)
    expect(found.body.data).toMatchObject([{ contact_id }])
    expect((await org.get('/contacts?custom.tier=Gold')).status).toBe(422)
    expect((await org.patch(`/segments/${segment_id}`, { q: 'Ada' })).status).toBe(200)
    expect((await org.patch(`/segments/${segment_id}`, { filter })).status).toBe(422)
  })
})
