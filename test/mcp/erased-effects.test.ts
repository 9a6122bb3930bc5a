import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
})
afterAll(() => app.close())

const newContact = async (body: object) => (await org.post('/contacts', body)).body.data.contact_id
const erase = (id: string) => org.post(`/contacts/${id}/erase`)
const stored = () =>
  app.operateOn(org.orgId, (tx) =>
    tx.rows<{ tool: string; question: string; facts: object }>(sql`
      select tool, question, facts from pending_effect where org_id = ${org.orgId} order by effect_id`),
  )

const newEffect = (effect: { question?: string; facts: object; hasBegun?: boolean }) =>
  app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into pending_effect (org_id, effect_id, api_key_id, mode, tool, arguments_hash, question, facts,
        is_outside, permission, asked_by, created_at, expires_at, begun_at)
      values (${org.orgId}, ${crypto.randomUUID()}, ${org.apiKeyId}, 'live', 'push_to_crm', '\\x00', ${effect.question ?? 'Push?'},
        ${JSON.stringify(effect.facts)}::jsonb, true, 'crm:write', 'Key', now(), now() + interval '10 minutes',
        ${effect.hasBegun ? sql`now()` : null})`),
  )
const clear = () =>
  app.operateOn(org.orgId, (tx) => tx.run(sql`delete from pending_effect where org_id = ${org.orgId}`))

test('a merge that waits for a person ends when one of its contacts is erased', async () => {
  const [survivor_id, loser] = [
    await newContact({ first_name: 'Ada' }),
    await newContact({ first_name: 'Adam' }),
  ]
  const merge = { entity_type: 'contact', survivor_id, loser_ids: [loser] }
  const { result } = await callTool(org, 'merge_records', merge)
  expect(await stored()).toMatchObject([{ tool: 'merge_records' }])
  await erase(loser)
  expect(await stored()).toEqual([])
  const late = await callTool(org, 'merge_records', { ...merge, confirm_token: result.confirm_token })
  expect(late).toMatchObject({ isError: true, text: expect.stringContaining('Call the tool again') })
})

test.each([
  ['the number', { question: 'Call +12025550142?', facts: {} }],
  ['the address', { facts: { people: ['Late.Eve@acme.example'] } }],
])('a call that waits and names %s of an erased contact ends', async (_what, effect) => {
  const id = await newContact({ email: 'late.eve@acme.example', phone: '+12025550142' })
  await newEffect(effect)
  await erase(id)
  expect(await stored()).toEqual([])
})

test('an erasure removes the samples of people from pushes that wait, and the texts of calls that began', async () => {
  const id = await newContact({ first_name: 'Eve' })
  await newEffect({ facts: { count: 2, sample: [{ FirstName: 'Eve' }] } })
  await erase(id)
  expect(await stored()).toMatchObject([{ question: 'Push?', facts: { count: 2 } }])
  expect((await stored())[0]!.facts).not.toHaveProperty('sample')
  await clear()
  const began = await newContact({ first_name: 'Eve' })
  await newEffect({ facts: { contact_ids: [began] }, hasBegun: true })
  await erase(began)
  expect(await stored()).toMatchObject([{ question: '', facts: {} }])
  expect((await stored())[0]!.facts).toEqual({})
})
