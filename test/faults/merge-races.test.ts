import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { createRecords, findAmong, rowsOf } from '../support/finding.ts'
import { createContact, expectRightViews, merge, redo, tryMerge, undo } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

/** Lets `work` wait for a locked record until `then` has begun too. */
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

describe('opposite requests', () => {
  test('of two concurrent requests to undo the same merge, one succeeds', async () => {
    const org = await app.newOrg()
    const [a, b] = [
      await createContact(org, { first_name: 'A' }),
      await createContact(org, { first_name: 'B' }),
    ]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    expect(statuses(await whileHeld(a, [() => undo(org, id), () => undo(org, id)]))).toEqual([200, 409])
    expect(statuses(await Promise.all([redo(org, id), redo(org, id)]))).toEqual([200, 409])
    await expectRightViews(app, org)
  })

  test('of two concurrent requests to merge A into B and B into A, one succeeds', async () => {
    const org = await app.newOrg()
    const [a, b] = [
      await createContact(org, { first_name: 'A' }),
      await createContact(org, { first_name: 'B' }),
    ]
    expect(statuses(await Promise.all([tryMerge(org, a, b), tryMerge(org, b, a)]))).toEqual([200, 409])
    await expectRightViews(app, org)
  })

  test('concurrent merges of three records in a circle create no circle', async () => {
    const org = await app.newOrg()
    const ids = [
      await createContact(org, { first_name: 'A' }),
      await createContact(org, { first_name: 'B' }),
      await createContact(org, { first_name: 'C' }),
    ]
    const [a, b, c] = ids as [string, string, string]
    const answers = await Promise.all([tryMerge(org, a, b), tryMerge(org, b, c), tryMerge(org, c, a)])
    expect(statuses(answers).filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(statuses(answers).filter((status) => status >= 500)).toEqual([])
    expect((await org.get('/contacts')).body.data.length).toBeGreaterThan(0)
    await expectRightViews(app, org)
  })
})

describe('writes during an undo', () => {
  test('a write that waits for an undo changes the record with the id in the request', async () => {
    const org = await app.newOrg()
    const [a, b] = [
      await createContact(org, { first_name: 'A' }),
      await createContact(org, { first_name: 'B' }),
    ]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    const [undone, written] = await whileHeld(a, [
      () => undo(org, id),
      () => org.patch(`/contacts/${b}`, { city: 'Oslo' }),
    ])
    expect([undone!.status, written!.status]).toEqual([200, 200])
    expect(written!.body.data).toMatchObject({ contact_id: b, first_name: 'B', city: 'Oslo' })
    expect((await org.get(`/contacts/${a}`)).body.data.city).toBeNull()
    await expectRightViews(app, org)
  })

  test('a write that commits before an undo belongs to the record with the id in the request', async () => {
    const org = await app.newOrg()
    const [a, b] = [
      await createContact(org, { first_name: 'A' }),
      await createContact(org, { first_name: 'B' }),
    ]
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'contact', a, b)
    const [written, undone] = await whileHeld(a, [
      () => org.patch(`/contacts/${b}`, { city: 'Oslo' }),
      () => undo(org, id),
    ])
    expect([undone!.status, written!.status]).toEqual([200, 200])
    expect((await org.get(`/contacts/${b}`)).body.data.city).toBe('Oslo')
    expect((await org.get(`/contacts/${a}`)).body.data.city).toBeNull()
    await expectRightViews(app, org)
  })

  test.each(['before', 'after'])(
    'a referrer that names the absorbed record and was created %s refers to that record after the undo',
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
      await expectRightViews(app, org)
    },
  )
})

describe('merges during other changes', () => {
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@x.example' }
  /** Creates a duplicate of Ada, and a proposal to merge the two. */
  const proposed = async (org: TestOrg) => {
    const twin = await createContact(org, ada)
    await findAmong(app, org, 'contact', [(await org.get('/contacts')).body.data[1].contact_id, twin])
    return (await rowsOf(org, 'shadow'))[0]!.merge_id
  }
  test.each<[string, (org: TestOrg, child: string, company: string) => Promise<() => Promise<unknown>>]>([
    ['a PATCH', async (org, child, company_id) => () => org.patch(`/contacts/${child}`, { company_id })],
    [
      'an upsert',
      async (org, _child, company_id) => () =>
        org.post('/contacts/upsert', { match_on: 'email', ...ada, company_id }),
    ],
    [
      'a batch of upserts',
      async (org, _child, company_id) => () =>
        org.post('/contacts/batch', { items: [{ match_on: 'email', ...ada, company_id }, ada] }),
    ],
    [
      'an applied proposal',
      async (org) => {
        const id = await proposed(org)
        return () => org.post(`/duplicates/shadow/${id}/apply`)
      },
    ],
    [
      'an automatic merge',
      async (org, child) => {
        await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
        const twin = await createContact(org, ada)
        return () => findAmong(app, org, 'contact', [child, twin])
      },
    ],
  ])('a change that waits for a locked company holds no lock on its contact: %s', async (_what, prepare) => {
    const org = await app.newOrg()
    const company = (await org.post('/companies', { name: 'X' })).body.data.company_id
    const child = await createContact(org, { ...ada, company_id: company })
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
    await expectRightViews(app, org)
  })

  test('a merge of companies moves all referrers, even while the stages of deals are being replaced', async () => {
    const org = await app.newOrg()
    const company_id = (await org.post('/companies', { name: 'X' })).body.data.company_id
    const [one, other] = await createRecords(org, 'deal', { name: 'D', company_id }, { name: 'D' })
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
