import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { checkViews } from '../src/duplicates/check-views.ts'
import { type Answer, startTestApp, type TestOrg } from './app.ts'
import { untilBlocked, withClient } from './direct-sql.ts'
import { merge } from './merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

const rounds = Number(process.env.RACES ?? 12)

const contact = async (org: TestOrg, fields: object) =>
  (await org.post('/contacts', fields)).body.data.contact_id as string
const undo = (org: TestOrg, id: string) => org.post(`/duplicates/undo-merge/${id}`)
const redo = (org: TestOrg, id: string) => org.post(`/duplicates/redo-merge/${id}`)
const merging = (org: TestOrg, survivor_id: string, ...loser_ids: string[]) =>
  org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

/** All that is derived is as it should be. */
async function proveSound(org: TestOrg): Promise<void> {
  const { deviations } = await checkViews(app.app.context.database.org(org.orgId))
  expect(deviations).toEqual([])
}

/** Has `work` wait for a record that somebody else holds, until `then` has begun, too. */
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

describe('of two at once', () => {
  test('undoing the same merge, one does', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    expect(statuses(await whileHeld(a, [() => undo(org, id), () => undo(org, id)]))).toEqual([200, 409])
    expect(statuses(await Promise.all([redo(org, id), redo(org, id)]))).toEqual([200, 409])
    await proveSound(org)
  })

  test('merging A into B and B into A, one does', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, { first_name: 'A' }), await contact(org, { first_name: 'B' })]
    expect(statuses(await Promise.all([merging(org, a, b), merging(org, b, a)]))).toEqual([200, 409])
    await proveSound(org)
  })

  test('merging in a circle of three, none comes about', async () => {
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

describe('what waits while a merge is undone', () => {
  test('is written to the record that it names', async () => {
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

  test('goes with the record that it named, if it came first', async () => {
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
    'a child that names the absorbed one is its own, created %s',
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

test('whatever many do at once to a few records, everything is in its place', {
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

test('a few at once end as one after the other would have', { timeout: 600_000 }, async () => {
  const kinds = ['merge', 'undo', 'tags', 'city of B', 'city of A', 'redo'] as const
  const lots = fc.sample(fc.subarray([...kinds], { minLength: 3, maxLength: 3 }), { numRuns: rounds })
  /** An org in which B is merged into A and C's merge into A is undone; and what may be done to it. */
  async function begin() {
    const org = await app.newOrg()
    const [a, b, c] = [
      await contact(org, { first_name: 'A', tags: ['a'] }),
      await contact(org, { first_name: 'B', tags: ['b'], city: 'Rome' }),
      await contact(org, { first_name: 'C', tags: ['c'], job_title: 'CEO' }),
    ] as [string, string, string]
    const d = await contact(org, { first_name: 'D', tags: ['d'], region: 'R' })
    const m = (await merge(org, 'contact', a, b))[0]!.merge_id
    const n = (await merge(org, 'contact', a, c))[0]!.merge_id
    await undo(org, n)
    const work: Record<(typeof kinds)[number], () => Promise<Answer>> = {
      merge: () => merging(org, d, a),
      undo: () => undo(org, m),
      redo: () => redo(org, n),
      tags: () => org.patch(`/contacts/${a}`, { tags: ['x'] }),
      'city of B': () => org.patch(`/contacts/${b}`, { city: 'Oslo' }),
      'city of A': () => org.patch(`/contacts/${a}`, { city: 'Bern' }),
    }
    const end = async (answers: Record<string, number>) => {
      const rows = (await org.get('/contacts')).body.data as Record<string, unknown>[]
      const shown = rows.map(({ first_name, city, tags, job_title, region }) =>
        JSON.stringify([first_name, city, tags, job_title, region]),
      )
      return JSON.stringify([shown.sort(), answers])
    }
    return { org, work, end }
  }
  const permutations = <Value>(values: readonly Value[]): Value[][] =>
    values.length < 2
      ? [[...values]]
      : values.flatMap((one) =>
          permutations(values.filter((each) => each !== one)).map((rest) => [one, ...rest]),
        )
  for (const lot of lots) {
    const { org, work, end } = await begin()
    const pairs = await Promise.all(lot.map(async (kind) => [kind, (await work[kind]()).status] as const))
    const together = await end(Object.fromEntries(pairs))
    await proveSound(org)
    const serial = await Promise.all(
      permutations(lot).map(async (order) => {
        const one = await begin()
        const answers: Record<string, number> = {}
        for (const kind of order) answers[kind] = (await one.work[kind]()).status
        return one.end(Object.fromEntries(lot.map((kind) => [kind, answers[kind]!])))
      }),
    )
    expect(serial, lot.join()).toContain(together)
  }
})
