import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const create = async (org: TestOrg, body: object = {}) => {
  const answer = await org.post('/personas', { name: 'Mia', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const names = async (org: TestOrg, query = '') => {
  const { body } = await org.get(`/personas${query}`)
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map(({ name }: { name: string }) => name)
}

describe('the life of a persona', () => {
  test('a change of the status by PATCH gets 422, which names the requests that change the status', async () => {
    const org = await app.newOrg()
    const { persona_id: id } = await create(org)
    const refused = await org.patch(`/personas/${id}`, { status: 'active' })
    expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'extra_forbidden'])
    expect(refused.body.detail[0].ctx.expected).toContain('POST /personas/{persona_id}/activate')
    expect((await org.patch(`/personas/${id}`, { nam: 'Mia' })).body.detail[0].ctx).toEqual({
      nearest: 'name',
    })
  })

  test('a persona is created as a draft, read, changed and listed', async () => {
    const org = await app.newOrg()
    const persona = await create(org, {
      ...{ name: ' Mia ', role_title: 'Assistant', description: 'For people', instructions: 'Be brief.' },
      ...{ greeting: 'Hello', voice: { provider_voice_id: 'nova', language: 'EN-us', speed: '1.25' } },
    })
    expect(persona).toEqual({
      ...{ persona_id: expect.stringMatching(/^[0-9a-f-]{14}7/), name: 'Mia', role_title: 'Assistant' },
      ...{ description: 'For people', instructions: 'Be brief.', greeting: 'Hello', status: 'draft' },
      voice: { provider_voice_id: 'nova', language: 'en-US', speed: 1.25 },
      ...{ archived_at: null, version: 1, created_at: expect.any(Number), updated_at: persona.created_at },
    })
    const own = `/personas/${persona.persona_id}`
    const read = await org.get(own)
    expect([read.body.data, read.headers.get('etag')]).toEqual([persona, '"1"'])
    expect((await org.get('/personas')).body.data).toEqual([persona])
    const changed = await org.patch(own, { description: '', voice: { speed: null } })
    expect((await org.patch(own, { status: 'active' })).body.detail).toMatchObject([
      { type: 'extra_forbidden', loc: ['body', 'status'] },
    ])
    expect(changed.body.data).toMatchObject({ description: null, status: 'draft', version: 2 })
    expect(changed.body.data.voice).toEqual({ provider_voice_id: 'nova', language: 'en-US', speed: null })
    const same = await org.patch(own, { name: 'Mia', voice: { language: 'en-US' } })
    expect(same.body.data).toEqual(changed.body.data)
    const cleared = await org.patch(own, { voice: null, role_title: null })
    expect(cleared.body.data.voice).toEqual({ provider_voice_id: null, language: null, speed: null })
    const { data } = (await org.get(`/events?object_id=${persona.persona_id}`)).body
    expect(data.map(({ type, changed }: { type: string; changed: unknown }) => [type, changed])).toEqual([
      ['persona.updated', ['role_title', 'voice']],
      ['persona.updated', ['description', 'voice']],
      ['persona.created', null],
    ])
  })

  test('a persona with invalid fields gets a 422 that lists every error and repeats no sent value', async () => {
    const org = await app.newOrg()
    const { status, body, text } = await org.post('/personas', {
      ...{ name: ' ', role_title: 'x'.repeat(121), instructions: 'secret'.repeat(4000), greeting: 5 },
      voice: { provider_voice_id: 'x'.repeat(201), language: 'english (US)', speed: 9 },
    })
    expect(status).toBe(422)
    expect(
      body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [loc.slice(1).join('.'), type]),
    ).toEqual([
      ['name', 'string_too_short'],
      ['role_title', 'string_too_long'],
      ['instructions', 'string_too_long'],
      ['greeting', 'string_type'],
      ['voice.provider_voice_id', 'string_too_long'],
      ['voice.language', 'value_error'],
      ['voice.speed', 'less_than_equal'],
    ])
    expect(text).not.toContain('secret')
    const { persona_id } = await create(org)
    expect((await org.patch(`/personas/${persona_id}`, { name: null })).status).toBe(422)
    expect((await org.patch(`/personas/${persona_id}`, { voice: 'nova' })).status).toBe(422)
  })

  test.each([
    ['draft', false],
    ['active', true],
  ])('a persona that is archived and restored is %s again', async (status, activate) => {
    const org = await app.newOrg()
    const { persona_id } = await create(org)
    const own = `/personas/${persona_id}`
    const act = (verb: string, headers = {}) => org.post(`${own}/${verb}`, undefined, { headers })
    if (activate) expect((await act('activate')).body.data).toMatchObject({ status, version: 2 })
    const before = (await org.get(own)).body.data
    expect((await act('restore')).body.data).toEqual(before)

    const archived = await act('archive')
    expect([archived.status, archived.body.pagination]).toEqual([200, null])
    expect(archived.body.data).toMatchObject({ status: 'archived', archived_at: expect.any(Number) })
    expect(archived.body.data.version).toBe(before.version + 1)
    const again = await act('archive')
    expect([again.status, again.text]).toEqual([200, archived.text])
    expect((await act('archive', { 'if-match': '"1"' })).status).toBe(409)
    expect((await org.get(own)).body.data).toEqual(archived.body.data)
    for (const refused of [await org.patch(own, { name: 'Other' }), await act('activate')])
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`${own}/restore`)])

    const restored = await act('restore')
    expect(restored.body.data).toMatchObject({ status, archived_at: null, version: before.version + 2 })
    const { data } = (await org.get(`/events?object_id=${persona_id}`)).body
    const past = activate ? ['persona.activated'] : []
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      ...['persona.restored', 'persona.archived', ...past, 'persona.created'],
    ])
  })
})

describe('GET /personas', () => {
  test('the list of personas omits archived personas, can be filtered by status, and has pages', async () => {
    const org = await app.newOrg()
    for (const name of ['A', 'B', 'C', 'D']) {
      const { persona_id } = await create(org, { name })
      if (name < 'C') await org.post(`/personas/${persona_id}/activate`)
      if (name === 'B' || name === 'D') await org.post(`/personas/${persona_id}/archive`)
    }
    expect(await names(org)).toEqual(['C', 'A'])
    expect(await names(org, '?status=active')).toEqual(['A'])
    expect(await names(org, '?status=draft')).toEqual(['C'])
    expect(await names(org, '?status=archived')).toEqual(['D', 'B'])
    const first = (await org.get('/personas?limit=1')).body
    expect(first.pagination).toMatchObject({ has_next: true, total: 2, page: 1, limit: 1 })
    const cursor = `&cursor=${first.pagination.next_cursor}`
    expect((await org.get(`/personas?limit=1${cursor}`)).body.data[0].name).toBe('A')
    expect((await org.get(`/personas?status=draft${cursor}`)).status).toBe(422)
    expect((await org.get('/personas?status=gone')).body.detail).toMatchObject([
      { type: 'literal_error', loc: ['query', 'status'] },
    ])
  })
})

test('archiving a persona requires the same permission as changing a persona', async () => {
  const org = await app.newOrg()
  const { persona_id } = await create(org)
  const [reader, writer] = [
    await app.newKey(org.orgId, { permissions: ['personas:read'] }),
    await app.newKey(org.orgId, { permissions: ['personas:write'] }),
  ]
  const archive = `/personas/${persona_id}/archive`
  const refused = await reader.post(archive)
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('personas:write')])
  expect((await reader.get(`/personas/${persona_id}`)).status).toBe(200)
  expect((await writer.post(archive)).status).toBe(200)
})
