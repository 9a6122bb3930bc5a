import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import {
  create,
  deniedConsent,
  newCaller,
  number,
  other,
  outcome,
  place,
  suppress,
} from '../support/callers.ts'
import { merge } from '../support/merges.ts'
import { simulatedCalls } from '../support/simulated-calls.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const caller = () => newCaller(app)
const { dials } = simulatedCalls(app)

describe('refused numbers', () => {
  test.each<[string, (org: TestOrg) => Promise<unknown>, string]>([
    ['the number of a contact that denied consent', (org) => create(org, deniedConsent), 'consent_denied'],
    [
      'the second number of a contact that denied consent',
      (org) => create(org, { ...deniedConsent, phone: other, phones: [other, '+44 20 7183 8750'] }),
      'consent_denied',
    ],
    [
      'a number of several contacts, one of which denied consent',
      async (org) => {
        await create(org, { consent: { phone: 'granted' } })
        await create(org, deniedConsent)
        await create(org, { consent: { phone: 'granted' } })
      },
      'consent_denied',
    ],
    [
      'the number of an archived contact that denied consent',
      async (org) => org.delete(`/contacts/${await create(org, deniedConsent)}`),
      'consent_denied',
    ],
    [
      'the number of a contact that absorbed a contact without consent',
      async (org) =>
        merge(
          org,
          'contact',
          await create(org, { consent: { phone: 'granted' } }),
          await create(org, { ...deniedConsent, phone: other }),
        ),
      'consent_denied',
    ],
    [
      'the number of an imported contact that denied consent',
      async (org) => org.post('/contacts/batch', { items: [{ phone: number, ...deniedConsent }] }),
      'consent_denied',
    ],
    [
      'the number of an erased contact that denied consent',
      async (org) => org.post(`/contacts/${await create(org, deniedConsent)}/erase`),
      'number_suppressed',
    ],
    ['a number on the suppression list', (org) => suppress(org), 'number_suppressed'],
  ])('%s is not called', async (_what, prepare, code) => {
    const { org } = await caller()
    await prepare(org)
    const test = await app.newKey(org.orgId, { mode: 'test' })
    for (const [each, body] of [
      [org, {}],
      [org, { dry_run: true }],
      [test, {}],
      [org, { to_number: '00442071838750' }],
    ] as const) {
      const answer = await place(each, body)
      expect([answer.status, answer.body]).toEqual([
        400,
        { detail: expect.stringMatching(/^to_number: .*nobody was called/), code },
      ])
    }
    expect(await dials(org)).toBe(0)
    expect((await org.get('/voice/calls')).body.data).toEqual([])
    expect((await org.get('/voice/usage')).body.data.months).toEqual([])
  })

  test.each<[string, (org: TestOrg) => Promise<unknown>]>([
    ['a contact granted consent', (org) => create(org, { consent: { phone: 'granted' } })],
    ['a contact denied consent to e-mail only', (org) => create(org, { consent: { email: 'denied' } })],
    [
      'a contact with another number denied consent',
      (org) => create(org, { ...deniedConsent, phone: other }),
    ],
    [
      'a contact denied consent, and granted it later',
      async (org) =>
        org.patch(`/contacts/${await create(org, deniedConsent)}`, { consent: { phone: 'granted' } }),
    ],
    [
      'a contact without consent lost the number',
      async (org) => org.patch(`/contacts/${await create(org, deniedConsent)}`, { phones: [other] }),
    ],
    [
      'a merge with a contact without consent was undone',
      async (org) => {
        const [survivor, loser] = [
          await create(org, {}),
          await create(org, { ...deniedConsent, phone: other }),
        ]
        const [undone] = await merge(org, 'contact', survivor, loser)
        await org.post(`/duplicates/undo-merge/${undone!.merge_id}`)
      },
    ],
    ['its suppression was deleted', async (org) => org.delete(`/voice/suppressions/${await suppress(org)}`)],
    ['only another organization suppressed it', async () => suppress((await caller()).org)],
    [
      'only a contact of another organization denied consent',
      async () => create((await caller()).org, deniedConsent),
    ],
  ])('a number can be called if %s', async (_what, prepare) => {
    const { org } = await caller()
    await prepare(org)
    expect(await outcome(org)).toBe('dispatched')
  })

  test('a call refused for its number does not use up the idempotency key: the same key dials after consent', async () => {
    const { org } = await caller()
    const contact = await create(org, deniedConsent)
    expect((await place(org, {}, 'k')).body.code).toBe('consent_denied')
    await org.patch(`/contacts/${contact}`, { consent: { phone: 'granted' } })
    expect((await place(org, {}, 'k')).body.status).toBe('dispatched')
  })
})

test.each([
  ['+5491123456789', '+541123456789'],
  ['+541123456780', '+5491123456780'],
])('a mobile number of Argentina is the same with and without its 9: %s stops %s', async (one, theOther) => {
  const { org } = await caller()
  await create(org, { ...deniedConsent, phone: one })
  expect(await outcome(org, { to_number: theOther })).toBe('consent_denied')
  const { org: suppressing } = await caller()
  await suppressing.post('/voice/suppressions', { number: one })
  expect(await outcome(suppressing, { to_number: theOther })).toBe('number_suppressed')
})

describe('erasure', () => {
  test('erasing a contact that denied consent to phone calls keeps its numbers on the suppression list, without data about the contact', async () => {
    const { org } = await caller()
    await suppress(org, { number: other, reason: 'asked on the phone' })
    const id = await create(org, { ...deniedConsent, phones: [number, other] })
    await org.post(`/contacts/${id}/erase`)
    const { data } = (await org.get('/voice/suppressions')).body
    expect(data).toMatchObject([
      { number, reason: 'consent_denied', source: 'contact_erasure' },
      { number: other, reason: 'asked on the phone' },
    ])
    const events = (await org.get(`/events?object_id=${data[0].suppression_id}`)).body.data
    expect(events).toMatchObject([{ type: 'suppression.created', changed: null, data: null }])
  })

  test('erasing a contact that did not deny consent adds no suppression', async () => {
    const { org } = await caller()
    await org.post(`/contacts/${await create(org, { consent: { email: 'denied' } })}/erase`)
    expect((await org.get('/voice/suppressions')).body.pagination.total).toBe(0)
    expect(await outcome(org)).toBe('dispatched')
  })
})

test('dry_run in the query is refused, and the error says that it belongs in the body', async () => {
  const { org } = await caller()
  const { status, body } = await org.post('/voice/calls?dry_run=true', { to_number: number })
  expect([status, body.detail]).toMatchObject([
    422,
    [{ loc: ['query', 'dry_run'], ctx: { expected: expect.stringContaining('JSON body') } }],
  ])
  expect(await dials(org)).toBe(0)
})

test.each(['off', 'false', 0, 1])(
  'ai_disclosure accepts only true and false: %j is refused',
  async (ai_disclosure) => {
    const { org } = await caller()
    const { status, body } = await org.patch('/voice/settings', { ai_disclosure })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ type: 'bool_type', loc: ['body', 'ai_disclosure'] }],
    ])
    expect((await org.get('/voice/settings')).body.data.ai_disclosure).toBe(true)
  },
)

test('the simulator’s answer contains the first words of the call, even without a persona', async () => {
  const { org, speaker } = await caller()
  const sentence = 'This is a call from an AI assistant.'
  expect((await place(org, speaker)).body.dispatch.greeting).toBe(`${sentence} Hello from Acme.`)
  expect((await place(org)).body.dispatch.greeting).toBe(sentence)
})

test('the simulator’s answer shows the variables of the call in the greeting', async () => {
  const { org } = await caller()
  const { body } = await org.post('/personas', { name: 'Ann', greeting: 'Hello {{name}}, is {{day}} fine?' })
  const { persona_id } = body.data
  const placed = await place(org, { persona_id, variables: { name: 'Ada' } })
  expect(placed.body.dispatch.greeting).toMatch(/ Hello Ada, is \{\{day\}\} fine\?$/)
})

describe('random histories', async () => {
  const numbers = [number, other]
  const who = fc.nat(2)
  const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: some('consent'), who, phone: some('denied', 'granted') }) },
    { weight: 2, arbitrary: fc.record({ do: some('phones'), who, phones: fc.subarray(numbers) }) },
    { weight: 2, arbitrary: fc.record({ do: some('merge'), who, with: who }) },
    { weight: 1, arbitrary: fc.record({ do: some('undo', 'archive', 'restore', 'erase'), who }) },
    { weight: 1, arbitrary: fc.record({ do: some('suppress', 'unsuppress'), which: fc.nat(1) }) },
  )
  type Step = { do: string; who?: number; with?: number; which?: number; phone?: string; phones?: string[] }

  /** Takes a step. An impossible one is refused and changes nothing. */
  async function take(org: TestOrg, ids: string[], merges: string[], step: Step): Promise<void> {
    const path = `/contacts/${ids[step.who ?? 0]}`
    switch (step.do) {
      case 'consent':
        await org.patch(path, { consent: { phone: step.phone } })
        break
      case 'phones':
        await org.patch(path, { phones: step.phones })
        break
      case 'merge': {
        const body = { entity_type: 'contact', survivor_id: ids[step.who!], loser_ids: [ids[step.with!]] }
        const answer = await org.post('/duplicates/merge', body)
        if (answer.status === 200) merges.push(answer.body.data.merges[0].merge_id)
        break
      }
      case 'undo':
        if (merges.length > 0) await org.post(`/duplicates/undo-merge/${merges.pop()}`)
        break
      case 'archive':
        await org.delete(path)
        break
      case 'restore':
      case 'erase':
        await org.post(`${path}/${step.do}`)
        break
      case 'suppress':
        await suppress(org, { number: numbers[step.which!] })
        break
      case 'unsuppress':
        for (const { suppression_id, reason } of (await org.get('/voice/suppressions')).body.data)
          if (reason === null) await org.delete(`/voice/suppressions/${suppression_id}`)
    }
  }

  test('after any history of contacts and suppressions, a call reaches the provider only if no contact denies it and the number is not suppressed', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const { org } = await caller()
      await org.patch('/voice/settings', { concurrent_call_cap: 1000 })
      const ids = [
        await create(org, deniedConsent),
        await create(org, { phone: other }),
        await create(org, {}),
      ]
      const merges: string[] = []
      let called = 0
      for (const each of steps) {
        await take(org, ids, merges, each)
        const lists = ['/contacts', '/contacts?archived=true', '/voice/suppressions']
        const [active, archived, listed] = await Promise.all(
          lists.map(async (path) => (await org.get(path)).body.data),
        )
        for (const to_number of numbers) {
          const denies = [...active, ...archived].some(
            ({ phones, consent }) => phones.includes(to_number) && consent.phone === 'denied',
          )
          const isListed = listed.some((entry: { number: string }) => entry.number === to_number)
          const expected = denies ? 'consent_denied' : isListed ? 'number_suppressed' : 'dispatched'
          expect(await outcome(org, { to_number })).toBe(expected)
          if (expected === 'dispatched') called++
        }
        expect(await dials(org)).toBe(called)
      }
    })
    await fc.assert(property, { numRuns: Number(process.env.HISTORIES ?? 6) })
  })
})
