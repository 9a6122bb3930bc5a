import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connect, untilJobEnds } from '../support/crm-sync/crm.ts'
import { newMember } from '../support/members.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let stranger: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  stranger = await app.newOrg()
  await org.post('/voice/numbers', { number: from })
})
afterAll(() => app.close())

const from = '+14155550100'
const call = { to_number: '+12025550123', from_number: from }

describe('a confirmation', () => {
  test('a confirmation is not valid if the call would now do something else', async () => {
    const ids: string[] = []
    for (const first_name of ['Left', 'Right'])
      ids.push((await org.post('/contacts', { first_name })).body.data.contact_id)
    const args = { entity_type: 'contact', survivor_id: ids[0], loser_ids: [ids[1]] }
    const { result } = await callTool(org, 'merge_records', args)
    await org.patch(`/contacts/${ids[1]}`, { first_name: 'Another' })
    const { confirm_token } = result
    expect(await callTool(org, 'merge_records', { ...args, confirm_token })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/"Right" into "Left".*"Another" into "Left"/s),
    })
  })

  test('a confirmation of a push is not valid for more people, and the confirmed push runs once', async () => {
    const connection_id = await connect(org)
    let added = 0
    const add = () =>
      org.post('/contacts', { last_name: 'Grown', email: `grown-${++added}@x.example`, tags: ['grown'] })
    await add()
    const args = { kind: 'leads', connection_id, filter: { tag: 'grown' } }
    const person = await newMember(app, org.orgId, 'owner')
    const approved = async () => {
      const { confirm_token } = (await callTool(org, 'push_to_crm', args)).result
      const { effect_id } = (await person.get('/approvals')).body.data.at(-1)
      await person.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
      return { ...args, confirm_token }
    }
    const one = await approved()
    await add()
    expect(await callTool(org, 'push_to_crm', one)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/Confirmed: Push 1 person .* Now: Push 2 people/),
    })
    const two = await approved()
    const jobs = await Promise.all([two, two, two].map((sent) => callTool(org, 'push_to_crm', sent)))
    await add()
    jobs.push(await callTool(org, 'push_to_crm', two))
    const ids = new Set(jobs.map(({ result }) => result?.job_id).filter(Boolean))
    expect(ids.size, JSON.stringify(jobs)).toBe(1)
    await untilJobEnds(org, [...ids][0])
  })

  test('a repeated confirmed call gets the first answer, in any order of members and with explicit defaults', async () => {
    const ids: string[] = []
    for (let n = 0; n < 11; n++)
      ids.push((await org.post('/contacts', { first_name: `Old ${n}` })).body.data.contact_id)
    const { result } = await callTool(org, 'archive_records', { entity_type: 'contact', ids })
    const { confirm_token } = result
    const sent = { archived: true, confirm_token, ids, entity_type: 'contact' }
    const first = await callTool(org, 'archive_records', sent)
    expect(first.isError).toBe(false)
    expect((await callTool(org, 'archive_records', sent)).result).toEqual(first.result)
  })

  test.each(['of another mode', 'of another organization', 'after 10 minutes'])(
    'a confirmation is refused: %s',
    async (how) => {
      const args = { ...call, instructions: how }
      const { confirm_token } = (await callTool(org, 'place_call', args)).result
      if (how === 'after 10 minutes')
        await app.operateOn(org.orgId, (tx) =>
          tx.run(sql`update pending_effect set expires_at = now() where org_id = ${tx.orgId}`),
        )
      const sender =
        how === 'of another mode'
          ? await app.newKey(org.orgId, { mode: 'test' })
          : how === 'of another organization'
            ? stranger
            : org
      expect(await callTool(sender, 'place_call', { ...args, confirm_token })).toMatchObject({
        isError: true,
        text: expect.stringContaining('belongs to another call'),
      })
    },
  )

  test('a confirmation cannot be decided a second time', async () => {
    const args = { ...call, instructions: 'decided once' }
    const { confirm_token } = (await callTool(org, 'place_call', args)).result
    const person = await newMember(app, org.orgId, 'owner')
    const { effect_id } = (await person.get('/approvals')).body.data.at(-1)
    const decide = async (approved: boolean) =>
      (await person.post('/approvals/decide', { effect_ids: [effect_id], approved })).body.data[0].outcome
    expect([await decide(false), await decide(true)]).toEqual(['declined', 'declined_before'])
    expect((await callTool(org, 'place_call', { ...args, confirm_token })).text).toContain('declined')
  })

  test('at most 100 calls of a sender wait for a person', async () => {
    const flooder = await app.newKey(org.orgId)
    await app.operateOn(org.orgId, (tx) =>
      tx.run(sql`
        insert into pending_effect (org_id, effect_id, api_key_id, mode, tool, arguments_hash, question, facts, is_outside,
          created_at, expires_at)
        select ${tx.orgId}, gen_random_uuid(), ${flooder.apiKeyId}, 'live', 'place_call', '', '', '{}', true, now(),
          now() + interval '10 minutes' from generate_series(1, 100)`),
    )
    expect((await callTool(flooder, 'place_call', call)).text).toContain('100 calls wait for a person')
    expect((await callTool(org, 'place_call', call)).isError).toBe(false)
  })
})

describe('ids of another organization', () => {
  const id = async (owner: TestOrg, type: 'contact' | 'company' | 'deal') => {
    const made = { contact: { first_name: 'A' }, company: { name: 'B' }, deal: { name: 'C' } }[type]
    const plural = { contact: 'contacts', company: 'companies', deal: 'deals' }[type]
    return (await owner.post(`/${plural}`, made)).body.data[`${type}_id`]
  }

  test.each(['contact', 'company', 'deal'] as const)(
    'no tool finds a %s of another organization',
    async (type) => {
      const foreign = await id(stranger, type)
      const attempts: [string, object][] = [
        ['get_record', { entity_type: type, id: foreign }],
        ['fetch', { id: `${type}:${foreign}` }],
      ]
      if (type === 'deal') attempts.push(['set_deal_outcome', { deal_id: foreign, status: 'won' }])
      else
        attempts.push(
          ['find_duplicates', { entity_type: type, record_id: foreign }],
          ['merge_records', { entity_type: type, survivor_id: await id(org, type), loser_ids: [foreign] }],
          ['merge_records', { entity_type: type, survivor_id: foreign, loser_ids: [await id(org, type)] }],
        )
      for (const [name, args] of attempts) {
        const { isError, text } = await callTool(org, name, args)
        expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/_not_found\)$/)])
      }
      const archived = await callTool(org, 'archive_records', { entity_type: type, ids: [foreign] })
      expect(archived.result.items).toMatchObject([{ outcome: 'failed', code: 'object_not_found' }])
      const events = await callTool(org, 'list_events', { object_id: foreign })
      expect(events.result.events).toEqual([])
    },
  )

  test.each(['crm_job', 'import', 'scan', 'call', 'signature_push', 'signature_rollout'])(
    'no tool finds a job of another organization: %s',
    async (kind) => {
      expect((await callTool(org, 'get_job', { kind, id: stranger.orgId })).isError).toBe(true)
    },
  )
})

describe('calls that are sent twice', () => {
  test('a request_id with other arguments is refused, and the call does not run', async () => {
    const save = (first_name: string) =>
      callTool(org, 'save_contacts', { items: [{ first_name }], request_id: 'one id' })
    expect((await save('Sent')).isError).toBe(false)
    expect(await save('Changed')).toMatchObject({
      isError: true,
      text: expect.stringContaining('request_id'),
    })
    expect((await org.get('/contacts?first_name=Changed')).body.pagination.total).toBe(0)
  })

  test('ten identical calls at once take effect once', async () => {
    const args = { items: [{ first_name: 'At once' }] }
    await Promise.all(Array.from({ length: 10 }, () => callTool(org, 'save_contacts', args)))
    expect((await org.get('/contacts?first_name=At%20once')).body.pagination.total).toBe(1)
  })
})

describe('answers', () => {
  test('an error has at most 4,000 characters, for any arguments', async () => {
    const ids = Array.from({ length: 40_000 }, () => 1)
    const wrong = await callTool(org, 'archive_records', { entity_type: 'contact', ids })
    expect(wrong.isError).toBe(true)
    expect(wrong.text.length).toBeLessThan(4_100)
    await expect(callTool(org, 'x'.repeat(100_000))).rejects.toThrow(/^-32602: .{1,200}$/)
  })

  test('a read with thousands of equal values is refused', async () => {
    const { contact_id: id } = (await org.post('/contacts', { first_name: 'Often' })).body.data
    const read = (times: number) =>
      callTool(org, 'get_record', { entity_type: 'contact', id, include: Array(times).fill('deals') })
    expect(await read(10_000)).toMatchObject({ isError: true, text: expect.stringContaining('include') })
    expect((await read(4)).result.deals).toEqual([])
  })

  test('one large record is cut to 40,000 characters, and the answer names the missing parts', async () => {
    const custom = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field_${n}`, 'x'.repeat(1_000)]))
    const saved = await org.post('/contacts', { first_name: 'Large', custom })
    expect(saved.status, saved.text).toBe(201)
    const { contact_id } = saved.body.data
    for (const [name, args] of [
      ['get_record', { entity_type: 'contact', id: contact_id }],
      ['fetch', { id: `contact:${contact_id}` }],
      ['list_records', { entity_type: 'contact', q: 'Large', response_format: 'detailed' }],
    ] as const) {
      const { text, result } = await callTool(org, name, args)
      expect(text.length, name).toBeLessThanOrEqual(40_000)
      expect(result.cut, name).toBeTruthy()
    }
  })
})
