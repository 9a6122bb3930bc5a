import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp } from '../support/app.ts'
import { connect, untilJobEnds } from '../support/crm-sync/crm.ts'
import { connectHost, type Task } from '../support/mcp/scripted-host.ts'

let app: TestApp
let host: Awaited<ReturnType<typeof connectHost>>
let crmJobEnded: (jobId: string) => Promise<unknown>
beforeAll(async () => {
  app = await sharedTestApp()
  const org = await app.newOrg()
  const post = async (path: string, body: object) => {
    const answer = await org.post(path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data ?? answer.body
  }
  const { company_id } = await post('/companies', { name: 'Initech', domain: 'initech.example' })
  const people = [
    {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@initech.example',
      phone: '+12025550123',
      company_id,
    },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example', tags: ['lead'] },
    { first_name: 'Grace', last_name: 'Hopper', email: 'hopper@navy.example' },
    ...Array.from({ length: 12 }, (_, index) => ({ first_name: `Guest ${index}`, tags: ['webinar'] })),
  ]
  for (const person of people) await post('/contacts', person)
  await post('/deals', { name: 'Pilot', amount_cents: 500_000, currency: 'USD', company_id })
  await post('/deals/close-reasons', { outcome: 'won', label: 'Best price' })
  await post('/voice/numbers', { number: '+14155550100' })
  await connect(org)
  host = await connectHost(app.address, org.token ?? '')
  crmJobEnded = (jobId) => untilJobEnds(org, jobId)
})
afterAll(async () => {
  await host.close()
  await app.close()
})

type Script = {
  sentence: string
  /** The maximum number of calls, and of characters in results, for the task. */
  budget: { calls: number; characters: number }
  run: (task: Task) => Promise<void>
}

/** The order matters: later tasks use the changes of earlier tasks. */
const scripts: readonly Script[] = [
  {
    sentence: 'What can you do in Crosswalk?',
    budget: { calls: 1, characters: 1_000 },
    run: async ({ call }) => {
      const about = await call('get_organization')
      expect(about).toMatchObject({ mode: 'live', not_granted: [] })
    },
  },
  {
    sentence: 'What is the phone number of Ada Lovelace?',
    budget: { calls: 2, characters: 1_600 },
    run: async ({ call }) => {
      const { results } = await call('search', { query: 'Ada Lovelace' })
      const { text } = await call('fetch', { id: results[0].id })
      expect(text).toContain('+12025550123')
    },
  },
  {
    sentence: 'Add Alan Turing, alan@bletchley.example, a Cryptanalyst.',
    budget: { calls: 1, characters: 150 },
    run: async ({ call }) => {
      const item = { first_name: 'Alan', last_name: 'Turing', email: 'alan@bletchley.example' }
      const { items } = await call('save_contacts', { items: [{ ...item, job_title: 'Cryptanalyst' }] })
      expect(items).toMatchObject([{ outcome: 'created' }])
    },
  },
  {
    sentence: 'Ada Lovelace moved to London.',
    budget: { calls: 2, characters: 500 },
    run: async ({ call }) => {
      const { records } = await call('list_records', { entity_type: 'contact', q: 'Ada Lovelace' })
      const { contact_id } = records[0]
      const { items } = await call('save_contacts', { items: [{ contact_id, city: 'London' }] })
      expect(items).toMatchObject([{ outcome: 'updated' }])
    },
  },
  {
    sentence: 'How many people came from the webinar?',
    budget: { calls: 1, characters: 3_200 },
    run: async ({ call }) => {
      expect(await call('list_records', { entity_type: 'contact', tag: 'webinar' })).toMatchObject({
        total: 12,
      })
    },
  },
  {
    sentence: 'Archive everybody from the webinar.',
    budget: { calls: 2, characters: 4_700 },
    run: async ({ call, asked }) => {
      const { records } = await call('list_records', { entity_type: 'contact', tag: 'webinar' })
      const ids = records.map(({ contact_id }: { contact_id: string }) => contact_id)
      await call('archive_records', { entity_type: 'contact', ids, archived: true })
      expect(asked).toHaveLength(1)
    },
  },
  {
    sentence: 'Which deals does Initech have?',
    budget: { calls: 2, characters: 650 },
    run: async ({ call }) => {
      const { records } = await call('list_records', { entity_type: 'company', q: 'Initech' })
      const { company_id } = records[0]
      const { records: deals } = await call('list_records', { entity_type: 'deal', company_id })
      expect(deals).toMatchObject([{ name: 'Pilot' }])
    },
  },
  {
    sentence: 'Create the deal Renewal for Initech, worth 125000 cents in USD.',
    budget: { calls: 2, characters: 450 },
    run: async ({ call }) => {
      const { records } = await call('list_records', { entity_type: 'company', q: 'Initech' })
      const deal = {
        name: 'Renewal',
        amount_cents: 125000,
        currency: 'USD',
        company_id: records[0].company_id,
      }
      expect((await call('save_deals', { items: [deal] })).items).toMatchObject([{ outcome: 'created' }])
    },
  },
  {
    sentence: 'We won Pilot because of the price.',
    budget: { calls: 3, characters: 3_500 },
    run: async ({ call }) => {
      const { records } = await call('list_records', { entity_type: 'deal', q: 'Pilot' })
      const { reasons } = await call('list_options', { about: 'reasons' })
      const reason = reasons.find(({ label }: { label: string }) => label === 'Best price')
      const close_reason_id = reason.close_reason_id
      const args = { deal_id: records[0].deal_id, status: 'won', close_reason_id }
      expect((await call('set_deal_outcome', args)).deal).toMatchObject({ status: 'won' })
    },
  },
  {
    sentence: 'How did our pipeline do from 2026-01 to 2026-12?',
    budget: { calls: 1, characters: 3_400 },
    run: async ({ call }) => {
      const summary = await call('summarize_deals', { from: '2026-01', to: '2026-12' })
      expect(JSON.stringify(summary)).toContain('500000')
    },
  },
  {
    sentence: 'Grace Hopper is twice in our contacts: merge them. No, wait: undo it.',
    budget: { calls: 3, characters: 3_600 },
    run: async ({ call, asked }) => {
      const { records } = await call('list_records', { entity_type: 'contact', q: 'Grace Hopper' })
      const [survivor_id, loser] = records.map(({ contact_id }: { contact_id: string }) => contact_id)
      const merge = { entity_type: 'contact', survivor_id, loser_ids: [loser] }
      const { merges } = await call('merge_records', merge)
      expect(asked).toEqual([expect.stringContaining('Grace Hopper')])
      await call('undo_merge', { merge_id: merges[0].merge_id })
    },
  },
  {
    sentence: 'What changed on the contact Ada Lovelace?',
    budget: { calls: 2, characters: 1_300 },
    run: async ({ call }) => {
      const { results } = await call('search', { query: 'Ada Lovelace' })
      const [, object_id] = results[0].id.split(':')
      const { events } = await call('list_events', { object_id })
      expect(events.map(({ type }: { type: string }) => type)).toContain('contact.updated')
    },
  },
  {
    sentence: 'Call Ada Lovelace.',
    budget: { calls: 4, characters: 1_700 },
    run: async ({ call, asked }) => {
      const { records } = await call('list_records', { entity_type: 'contact', q: 'Ada Lovelace' })
      const { numbers } = await call('list_options', { about: 'numbers' })
      const args = { to_number: records[0].phone, from_number: numbers[0].number }
      const { call_id } = await call('place_call', args)
      expect(asked).toEqual(['Call +12025550123 from +14155550100?'])
      expect(await call('get_job', { kind: 'call', id: call_id })).toMatchObject({
        to_number: '+12025550123',
      })
    },
  },
  {
    sentence: 'Push everybody with the tag lead to our CRM as leads.',
    budget: { calls: 4, characters: 2_100 },
    run: async ({ call, asked }) => {
      const { connections } = await call('list_options', { about: 'connections' })
      const { connection_id } = connections[0]
      const people = { kind: 'leads', connection_id, filter: { tag: 'lead' } }
      expect(await call('preview_crm_push', people)).toMatchObject({ count: 1 })
      const { job_id } = await call('push_to_crm', people)
      expect(asked).toEqual([expect.stringContaining('1')])
      await crmJobEnded(job_id)
      expect(await call('get_job', { kind: 'crm_job', id: job_id })).toMatchObject({ status: 'succeeded' })
    },
  },
  {
    sentence: 'Which calls did we place, and is Ada Lovelace connected with a deal?',
    budget: { calls: 3, characters: 2_400 },
    run: async ({ call }) => {
      expect((await call('list_calls')).total).toBe(1)
      const { records } = await call('list_records', { entity_type: 'contact', q: 'Ada Lovelace' })
      const args = { entity_type: 'contact', id: records[0].contact_id, include: ['deals', 'calls'] }
      expect((await call('get_record', args)).calls).toHaveLength(1)
    },
  },
]

test.each(scripts)('the host does a task within its budget: $sentence', async ({ sentence, budget, run }) => {
  const task = host.start(sentence)
  await run(task)
  expect(task.spent.calls).toBeLessThanOrEqual(budget.calls)
  expect(task.spent.characters).toBeLessThanOrEqual(budget.characters)
})

test('the host does fifteen tasks', () => {
  expect(scripts).toHaveLength(15)
})
