import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { checkViews } from '../../src/duplicates/check-views.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { findAmong, make, rowsOf } from '../support/finding.ts'
import { merge } from '../support/merges.ts'
import { takeAtOnce } from '../support/merging/at-once.ts'
import { DrivenOrg } from '../support/merging/driven-org.ts'
import { NaiveOrg, type Step } from '../support/merging/naive-org.ts'
import { takeStep } from '../support/merging/naive-steps.ts'
import type { OrgStep } from '../support/merging/org-step.ts'
import { createdFirst, orgHistories } from '../support/merging/org-steps.ts'
import { serialOrders } from '../support/merging/serial.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

const rounds = Number(process.env.RACES ?? 6)

const contact = async (org: TestOrg, fields: object) =>
  (await org.post('/contacts', fields)).body.data.contact_id as string
const undo = (org: TestOrg, id: string) => org.post(`/duplicates/undo-merge/${id}`)
const redo = (org: TestOrg, id: string) => org.post(`/duplicates/redo-merge/${id}`)
const merging = (org: TestOrg, survivor_id: string, ...loser_ids: string[]) =>
  org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

/** Checks that all derived data is right. */
async function proveSound(org: TestOrg): Promise<void> {
  const { deviations } = await checkViews(app.app.context.database.org(org.orgId))
  expect(deviations).toEqual([])
}

/** Makes `work` wait for a locked record until `then` has begun as well. */
async function whileHeld(
  recordId: string,
  work: (() => Promise<Answer>)[],
  table = 'contact',
): Promise<Answer[]> {
  return withClient(app, async (client) => {
    await client.query('begin')
    await client.query(`select from ${table} where ${table}_id = $1 for update`, [recordId])
    const running: Promise<Answer>[] = []
    for (const [index, each] of work.entries()) {
      running.push(each())
      await untilBlocked(client, index + 1)
    }
    await client.query('commit')
    return Promise.all(running)
  })
}

describe('of two concurrent requests', () => {
  test('of two concurrent requests to undo the same merge, one succeeds', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    expect(statuses(await whileHeld(a, [() => undo(org, id), () => undo(org, id)]))).toEqual([200, 409])
    expect(statuses(await Promise.all([redo(org, id), redo(org, id)]))).toEqual([200, 409])
    await proveSound(org)
  })

  test('of two concurrent requests to merge A into B and B into A, one succeeds', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    expect(statuses(await Promise.all([merging(org, a, b), merging(org, b, a)]))).toEqual([200, 409])
    await proveSound(org)
  })

  test('concurrent merges of three records in a circle create no circle', async () => {
    const org = await app.newOrg()
    const ids = [
      await contact(org, { first_name: 'A' }),
      await contact(org, { first_name: 'B' }),
      await contact(org, { first_name: 'C' }),
    ]
    const [a, b, c] = ids as [string, string, string]
    const answers = await Promise.all([merging(org, a, b), merging(org, b, c), merging(org, c, a)])
    expect(statuses(answers).filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(statuses(answers).filter((status) => status >= 500)).toEqual([])
    expect((await org.get('/contacts')).body.data.length).toBeGreaterThan(0)
    await proveSound(org)
  })
})

describe('a write that waits for an undo', () => {
  test('a write that waits for an undo changes the record that it named', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    const [undone, written] = await whileHeld(a, [
      () => undo(org, id),
      () => org.patch(`/contacts/${b}`, { city: 'Oslo' }),
    ])
    expect([undone!.status, written!.status]).toEqual([200, 200])
    expect(written!.body.data).toMatchObject({ contact_id: b, first_name: 'B', city: 'Oslo' })
    expect((await org.get(`/contacts/${a}`)).body.data.city).toBeNull()
    await proveSound(org)
  })

  test('a write that waits for an undo stays with the record that it named, if it committed first', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    const [written, undone] = await whileHeld(a, [
      () => org.patch(`/contacts/${b}`, { city: 'Oslo' }),
      () => undo(org, id),
    ])
    expect([undone!.status, written!.status]).toEqual([200, 200])
    expect((await org.get(`/contacts/${b}`)).body.data.city).toBe('Oslo')
    expect((await org.get(`/contacts/${a}`)).body.data.city).toBeNull()
    await proveSound(org)
  })

  test.each(['before', 'after'])(
    'a child that names the absorbed record refers to it after the undo, if it was created %s',
    async (when) => {
      const org = await app.newOrg()
      const company = async (name: string) =>
        (await org.post('/companies', { name })).body.data.company_id as string
      const [x, y] = [await company('X'), await company('Y')]
      const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', x, y)
      const create = () => org.post('/contacts', { first_name: 'Child', company_id: y })
      const work = when === 'before' ? [create, () => undo(org, id)] : [() => undo(org, id), create]
      const answers = await whileHeld(x, work, 'company')
      expect(statuses(answers)).toEqual([200, 201])
      const [child] = (await org.get('/contacts')).body.data
      expect(child.company_id).toBe(y)
      await proveSound(org)
    },
  )
})

describe('a merge of companies moves all referrers, even while', () => {
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@x.example' }
  /** Creates a duplicate of Ada, and a proposal to merge the two. */
  const proposed = async (org: TestOrg) => {
    const twin = await contact(org, ada)
    await findAmong(app, org, 'contact', [(await org.get('/contacts')).body.data[1].contact_id, twin])
    return (await rowsOf(org, 'shadow'))[0]!.merge_id
  }
  test.each<[string, (org: TestOrg, child: string, company: string) => Promise<() => Promise<unknown>>]>([
    [
      'one is changed',
      async (org, child, company_id) => () => org.patch(`/contacts/${child}`, { company_id }),
    ],
    [
      'one is upserted',
      async (org, _child, company_id) => () =>
        org.post('/contacts/upsert', { match_on: 'email', ...ada, company_id }),
    ],
    [
      'some are upserted at once',
      async (org, _child, company_id) => () =>
        org.post('/contacts/batch', { items: [{ match_on: 'email', ...ada, company_id }, ada] }),
    ],
    [
      'one is said to be another',
      async (org) => {
        const id = await proposed(org)
        return () => org.post(`/duplicates/shadow/${id}/apply`)
      },
    ],
    [
      'the engine merges one',
      async (org, child) => {
        await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
        const twin = await contact(org, ada)
        return () => findAmong(app, org, 'contact', [child, twin])
      },
    ],
  ])('%s', async (_what, prepare) => {
    const org = await app.newOrg()
    const company = (await org.post('/companies', { name: 'X' })).body.data.company_id
    const child = await contact(org, { ...ada, company_id: company })
    const work = await prepare(org, child, company)
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from company where company_id = $1 for update', [company])
      const running = work()
      await untilBlocked(client)
      await client.query('select from contact where contact_id = $1 for no key update nowait', [child])
      await client.query('commit')
      await running
    })
    await proveSound(org)
  })

  test('a merge of companies moves all referrers, even while stages are being replaced', async () => {
    const org = await app.newOrg()
    const company_id = (await org.post('/companies', { name: 'X' })).body.data.company_id
    const [one, other] = await make(org, 'deal', { name: 'D', company_id }, { name: 'D' })
    await merge(org, 'deal', one!, other!)
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from company where company_id = $1 for update', [company_id])
      const { stages } = (await org.get('/deals/stages')).body.data
      const { status } = await org.send('PUT', '/deals/stages', { body: { stages: [...stages, 'Last'] } })
      await client.query('commit')
      expect(status).toBe(200)
    })
  })
})

test('after many concurrent merges, undos and writes of a few records, all views and references are right', {
  timeout: 600_000,
}, async () => {
  const step = fc.record({ what: fc.nat(9), one: fc.nat(4), other: fc.nat(4), n: fc.nat(3) })
  const lots = fc.sample(fc.array(step, { minLength: 24, maxLength: 24 }), { numRuns: rounds })
  for (const steps of lots) {
    const org = await app.newOrg()
    const companies = await Promise.all(
      ['X', 'Y', 'Z'].map(
        async (name) => (await org.post('/companies', { name })).body.data.company_id as string,
      ),
    )
    const ids = await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map((name, index) =>
        contact(org, {
          first_name: name,
          email: `${name}@x.example`,
          tags: [name],
          company_id: companies[index % 3],
        }),
      ),
    )
    const deal = (await org.post('/deals', { name: 'D', contact_ids: ids, company_id: companies[1] })).body
      .data.deal_id
    const first = (await merging(org, ids[0]!, ids[1]!)).body.data.merges[0].merge_id as string
    const group = (
      await org.post('/duplicates/merge', {
        entity_type: 'company',
        survivor_id: companies[0],
        loser_ids: [companies[1]],
      })
    ).body.data.merges[0].merge_id as string
    const known = async (n: number) => {
      const { data } = (await org.get('/duplicates/recent-merges')).body
      return data[n % data.length].merge_id as string
    }
    const answers = await Promise.all(
      steps.map(async ({ what, one, other, n }): Promise<Answer> => {
        const [a, b] = [ids[one]!, ids[other]!]
        switch (what) {
          case 0:
            return org.patch(`/contacts/${a}`, { city: `City ${n}`, tags: [`t${n}`] })
          case 1:
            return org.post('/contacts/upsert', {
              match_on: 'email',
              email: `${'ABCDE'[one]}@x.example`,
              tags: [`u${n}`],
            })
          case 2:
          case 3:
            return one === other ? org.get(`/contacts/${a}`) : merging(org, a, b)
          case 4:
            return undo(org, n === 0 ? first : await known(n))
          case 5:
            return redo(org, n === 0 ? first : await known(n))
          case 6:
            return org.patch(`/contacts/${a}`, { company_id: companies[n % 3] })
          case 7:
            return org.patch(`/deals/${deal}`, { contact_ids: [a, b], company_id: companies[n % 3] })
          case 8:
            return n % 2 === 0 ? undo(org, group) : redo(org, group)
          default:
            return org.post('/contacts', { first_name: `Child ${n}`, company_id: companies[one % 3] })
        }
      }),
    )
    const unexpected = answers.filter(({ status }) => ![200, 201, 404, 409].includes(status))
    expect(unexpected.map(({ status, text }) => [status, text])).toEqual([])
    await proveSound(org)
    for (const id of ids) expect((await org.get(`/contacts/${id}`)).status).toBe(200)
  }
})

/** The steps that are sent at once. Each changes an org, and its answer tells the outcome. */
const isOne = (step: OrgStep): step is Step =>
  !['batch', 'settings', 'age', 'propose', 'there and back', 'back and there'].includes(step.do) &&
  !(step.do === 'merge' && step.dry)

test('a few concurrent merges, undos and writes have the result of the same requests in some order', {
  timeout: 600_000,
}, async () => {
  const firstSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  let [orders, right] = [0, 0]
  await withClient(app, async (client) => {
    for (let seed = firstSeed; seed < firstSeed + rounds * 3; seed++) {
      const history = fc.sample(orgHistories(22), { numRuns: 1, seed }).flat()
      const steps = history.slice(createdFirst)
      const driven = new DrivenOrg(await app.newOrg(), client)
      await driven.begin(history.slice(0, createdFirst))
      for (const step of steps.slice(0, -8)) await driven.take(step)
      driven.tell(`(SEED=${seed} RACES=1)`)
      const found = await takeAtOnce(driven, steps.slice(-8).filter(isOne).slice(-5))
      orders += found.orders
      right += found.right
    }
  })
  // The check means nothing if every order has the same result.
  if (rounds >= 10) expect(right).toBeLessThan(orders)
  if (process.env.RACES)
    console.info(`${rounds * 3} races, ${orders} orders with those answers, ${right} of them right`)
})

describe('a set of answers that no order explains', () => {
  const fields = { first_name: 'A' }
  const pair: Step[] = ['A', 'B'].map((id) => ({ entity: 'contact', do: 'create', id, fields }))
  const merging = (survivor: string, loser: string): Step => ({
    ...{ entity: 'contact', do: 'merge', survivor, losers: [loser], merges: [`${loser} into ${survivor}`] },
    ...{ choices: {}, force: false, dry: false },
  })
  const undoing: Step = { entity: 'contact', do: 'undo', merge: 'B into A' }
  test.each<[string, Step[], Step[], number]>([
    ['two undo one merge', [merging('A', 'B')], [undoing, undoing], 0],
    ['A goes into B, and B into A', [], [merging('A', 'B'), merging('B', 'A')], 0],
    ['one is merged, and another undoes that', [merging('A', 'B')], [undoing, merging('B', 'A')], 0],
    [
      'one is changed, and another undoes that',
      [merging('A', 'B')],
      [undoing, { entity: 'contact', do: 'write', id: 'A', fields }],
      2,
    ],
  ])('%s', (_what, before, sent, count) => {
    const org = new NaiveOrg()
    for (const step of [...pair, ...before]) takeStep(org, step)
    const all = sent.map((step) => ({ step: { ...step }, word: 'done' }))
    expect(serialOrders(org, all).length).toBe(count)
  })
})
