import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  await org.post('/voice/numbers', { number: from })
})
afterAll(() => app.close())

const from = '+14155550100'
const call = { to_number: '+12025550123', from_number: from }

const ask = async (client = org, args: object = call) => (await callTool(client, 'place_call', args)).result
const calls = async () => (await org.get('/voice/calls')).body.pagination.total

describe('a call that needs a person', () => {
  test('a call does not run with the token alone, and runs once after the approval', async () => {
    const asked = await ask()
    const confirmed = { ...call, confirm_token: asked.confirm_token }
    const before = await calls()
    expect((await ask(org, confirmed)).status).toBe('needs_confirmation')
    const person = await newMember(app, org.orgId, 'member')
    const { body } = await person.get('/approvals')
    const mine = body.data.find(({ question }: { question: string }) => question === asked.question)
    await person.post('/approvals/decide', { effect_ids: [mine.effect_id], approved: true })
    const placed = await Promise.all([1, 2, 3].map(() => callTool(org, 'place_call', confirmed)))
    expect(new Set(placed.map(({ result }) => result?.call_id).filter(Boolean)).size).toBe(1)
    expect(await calls()).toBe(before + 1)
    const { body: events } = await org.get('/events?type=approval.approved')
    expect(events.data).toMatchObject([
      {
        object_id: mine.effect_id,
        data: { tool: 'place_call' },
        actor: { kind: 'member', id: person.memberId },
      },
    ])
  })

  test.each(['forged', 'of another tool', 'with other arguments', 'of another key'])(
    'a call is refused with a token that is %s',
    async (how) => {
      const { confirm_token } = await ask()
      const merge = { entity_type: 'contact', survivor_id: org.orgId, loser_ids: [org.apiKeyId] }
      const answer =
        how === 'of another key'
          ? await callTool(await app.newKey(org.orgId), 'place_call', { ...call, confirm_token })
          : how === 'of another tool'
            ? await callTool(org, 'merge_records', { ...merge, confirm_token })
            : how === 'forged'
              ? await callTool(org, 'place_call', {
                  ...call,
                  confirm_token: `${confirm_token.slice(0, -4)}AAAA`,
                })
              : await callTool(org, 'place_call', { ...call, to_number: '+12025550199', confirm_token })
      expect(answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('belongs to another call'),
      })
    },
  )

  test('a call that is declined in the console stays declined', async () => {
    const { confirm_token, question } = await ask(org, { ...call, instructions: 'decline me' })
    const person = await newMember(app, org.orgId, 'owner')
    const { body } = await person.get('/approvals')
    const effect_ids = body.data.map(({ effect_id }: { effect_id: string }) => effect_id)
    expect(body.data.map((each: { question: string }) => each.question)).toContain(question)
    await person.post('/approvals/decide', { effect_ids, approved: false })
    const answer = await callTool(org, 'place_call', { ...call, instructions: 'decline me', confirm_token })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('declined') })
  })

  test('a person sees the calls that they may decide, even if 100 others wait that they may not decide', async () => {
    const busy = await app.newOrg()
    await busy.post('/voice/numbers', { number: from })
    const { apiKeyId } = await app.newKey(busy.orgId)
    await app.operateOn(busy.orgId, (tx) =>
      tx.run(sql`
        insert into pending_effect (org_id, effect_id, api_key_id, mode, tool, arguments_hash, question, facts,
          is_outside, permission, asked_by, created_at, expires_at)
        select ${busy.orgId}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${apiKeyId}, 'live',
          'push_to_crm', '\\x00', 'Push?', '{}', true, 'crm:write', 'Key', now(), now() + interval '10 minutes'
        from generate_series(1, 100) as n`),
    )
    const { question } = await ask(busy)
    const owner = await newMember(app, busy.orgId)
    const person = await newMember(app, busy.orgId, 'member')
    await owner.patch(`/members/${person.memberId}`, { permissions: ['voice:write'] })
    expect((await person.get('/approvals')).body.data).toMatchObject([{ tool: 'place_call', question }])
  })

  test('people of other organizations, or without the permission, can neither see nor approve a call', async () => {
    await ask(org, { ...call, instructions: 'mine' })
    const owner = await newMember(app, org.orgId)
    const [{ effect_id }] = (await owner.get('/approvals')).body.data
    const viewer = await newMember(app, org.orgId, 'viewer')
    const stranger = await newMember(app, (await app.newOrg()).orgId)
    for (const person of [viewer, stranger]) {
      expect((await person.get('/approvals')).body.data).toEqual([])
      const decided = await person.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
      expect(decided.body.data).toEqual([{ effect_id, outcome: 'expired' }])
    }
  })
})

describe('a write that is sent twice', () => {
  const items = [{ first_name: 'Twice' }]
  const total = async () => (await org.get('/contacts?first_name=Twice')).body.pagination.total

  test('a write that is sent twice within a minute takes effect once, and the second answer says so', async () => {
    const first = await callTool(org, 'save_contacts', { items })
    const second = await callTool(org, 'save_contacts', { items })
    expect(second.result).toEqual({ ...first.result, repeated: true })
    expect(await total()).toBe(1)
  })

  test('a write takes effect again with another request_id, and once with the same request_id', async () => {
    const before = await total()
    for (const request_id of ['a', 'a', 'b']) await callTool(org, 'save_contacts', { items, request_id })
    expect(await total()).toBe(before + 2)
  })
})

describe('failures', () => {
  test.each([
    ['list_records', { entity_type: 'person' }, 'entity_type'],
    ['list_records', { entity_type: 'contact', emial: 'x' }, 'emial'],
    ['get_record', { entity_type: 'contact', id: 'no id' }, 'contact_id'],
    ['save_contacts', { items: [{ email: 'no address' }] }, ''],
    ['fetch', { id: 'x' }, 'contact:<id>'],
  ])('the error of %s with %j names the fault', async (name, args, text) => {
    const answer = await callTool(org, name, args)
    expect(answer.isError ? answer.text : JSON.stringify(answer.result)).toContain(text)
  })

  test('an API key gets only the tools of its permissions, and cannot call others', async () => {
    const reader = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
    const { text } = await reader.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { prefix: '' },
    )
    expect(text).toContain('list_records')
    expect(text).not.toContain('save_contacts')
    const answer = await callTool(reader, 'save_contacts', { items: [{ first_name: 'No' }] })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('contacts:write') })
  })

  test('invisible characters of records are removed from results', async () => {
    await org.post('/contacts', { first_name: 'Hid\u200Bden\u{E0041}', last_name: 'Name' })
    const { text } = await callTool(org, 'list_records', { entity_type: 'contact', q: 'Name' })
    expect(text).toContain('Hidden')
  })
})
