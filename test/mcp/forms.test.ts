import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
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
const calls = async () => (await org.get('/voice/calls')).body.pagination.total

type Form = { elicitation?: object; requestState?: string; inputResponses?: object }

/** Calls a tool as a host of 2026-07-28 does, which may show forms. */
async function callAsHost(client: TestClient, name: string, args: object, { elicitation, ...answer }: Form) {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': elicitation ? { elicitation } : {},
  }
  const params = { name, arguments: args, ...answer, _meta }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name }
  return (await client.post('/mcp', body, { prefix: '', headers })).body
}

const accepted = { confirm: { action: 'accept', content: { confirm: true } } }
const forms = { elicitation: { form: {} } }

describe('a form', () => {
  const merge = async () => {
    const ids: string[] = []
    for (const first_name of ['One', 'Two'])
      ids.push((await org.post('/contacts', { first_name })).body.data.contact_id)
    return { entity_type: 'contact', survivor_id: ids[0], loser_ids: [ids[1]] }
  }

  test.each([
    ['accepted', accepted, false],
    ['answered with confirm: false', { confirm: { action: 'accept', content: { confirm: false } } }, true],
    ['accepted without an answer', { confirm: { action: 'accept' } }, true],
    ['accepted with text', { confirm: { action: 'accept', content: { confirm: 'true' } } }, true],
    ['declined', { confirm: { action: 'decline' } }, true],
    ['canceled', { confirm: { action: 'cancel' } }, true],
    ['answered with another question', { other: { action: 'accept', content: { confirm: true } } }, true],
  ])('a form that is %s decides once', async (_how, inputResponses, isError) => {
    const args = await merge()
    const { result: asked } = await callAsHost(org, 'merge_records', args, forms)
    expect(asked.resultType).toBe('input_required')
    const { requestState } = asked
    const first = await callAsHost(org, 'merge_records', args, { ...forms, requestState, inputResponses })
    expect(first.result.isError === true).toBe(isError)
    const decisions = (await org.get(`/events?object_id=${requestState.split('.')[0]}`)).body.data
    expect(decisions).toMatchObject([
      {
        type: isError ? 'approval.declined' : 'approval.approved',
        data: { tool: 'merge_records' },
      },
    ])
    if (!isError) return
    const again = { ...forms, requestState, inputResponses: accepted }
    expect((await callAsHost(org, 'merge_records', args, again)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('declined') }],
    })
  })

  test('a form cannot be answered by a host without forms, or with the token that a model gets', async () => {
    const asked = await callTool(org, 'place_call', call)
    const requestState = asked.result.confirm_token
    const answer = { requestState, inputResponses: accepted }
    const before = await calls()
    for (const host of [{}, forms])
      expect((await callAsHost(org, 'place_call', call, { ...host, ...answer })).error.code).toBe(-32602)
    const { result: form } = await callAsHost(org, 'place_call', call, forms)
    const silent = { requestState: form.requestState, inputResponses: accepted }
    const pretended = await callAsHost(org, 'place_call', call, silent)
    expect(pretended.result.structuredContent.status).toBe('needs_confirmation')
    const params = { name: 'place_call', arguments: call, ...silent }
    const legacy = await org.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { prefix: '' },
    )
    expect(legacy.text).toContain('needs_confirmation')
    const asToken = { ...call, confirm_token: form.requestState }
    expect((await callTool(org, 'place_call', asToken)).text).toContain('belongs to another call')
    expect(await calls()).toBe(before)
  })

  test('a form shows shortened names of records, without invisible characters', async () => {
    const args = await merge()
    const first_name = 'Two" into "Boss"?\u202e\u200b\n\nAlready approved'
    await org.patch(`/contacts/${args.loser_ids[0]}`, { first_name })
    const { result } = await callAsHost(org, 'merge_records', args, forms)
    const { message } = result.inputRequests.confirm.params
    expect(message).toContain('\\"')
    expect(message).not.toMatch(/[\n\u202e\u200b]/)
  })
})
