import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { tryMerge, undo } from '../support/merges.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let org: TestOrg
const ids: string[] = []
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  for (let index = 0; index < 24; index++) {
    const { body } = await org.post('/contacts', {
      ...{ first_name: `P${index}`, email: `p${index % 7}@x.example`, tags: index % 2 ? ['vip'] : [] },
      ...{ city: ['London', 'Paris'][index % 3], custom: { seats: index % 5 } },
    })
    ids.push(body.data.contact_id)
  }
})
afterAll(() => app.close())

const comparison = fc.oneof(
  fc.record({
    field: fc.constant('city'),
    op: fc.constantFrom('eq', 'ne'),
    value: fc.constantFrom('London', 'Rome'),
  }),
  fc.record({ field: fc.constant('tag'), value: fc.constantFrom('vip', 'none') }),
  fc.record({ field: fc.constant('email'), value: fc.nat(8).map((n) => `p${n}@x.example`) }),
  fc.record({ field: fc.constant('custom.seats'), op: fc.constantFrom('eq', 'gt', 'lte'), value: fc.nat(5) }),
  fc.record({ field: fc.constant('city'), op: fc.constant('is_null'), value: fc.boolean() }),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc.record({ and: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}))

const change = fc.record({
  kind: fc.constantFrom('none', 'merge', 'unmerge'),
  one: fc.nat(23),
  other: fc.nat(23),
})

test('a list with a segment has the records and the total of a list with its filter, even after merges and undos', async () => {
  const { segment_id } = (await org.post('/segments', { entity: 'contact', name: 'All' })).body.data
  const merges: string[] = []
  const selected = async (body: object) => {
    const answer = await org.post('/contacts/search', { ...body, fields: ['contact_id'], limit: 100 })
    expect([answer.status, answer.text]).toEqual([200, expect.anything()])
    return [answer.body.data, answer.body.pagination.total]
  }
  await fc.assert(
    fc.asyncProperty(tree, tree, change, async (stored, sent, { kind, one, other }) => {
      if (kind === 'merge' && one !== other) {
        const { status, body } = await tryMerge(org, ids[one]!, ids[other]!)
        if (status === 200)
          merges.push(...body.data.merges.map((each: { merge_id: string }) => each.merge_id))
      }
      const mergeId = kind === 'unmerge' ? merges.pop() : undefined
      if (mergeId) await undo(org, mergeId)
      await org.patch(`/segments/${segment_id}`, { filter: stored })
      expect(await selected({ segment_id })).toEqual(await selected({ filter: stored }))
      expect(await selected({ segment_id, filter: sent })).toEqual(
        await selected({ filter: { and: [stored, sent] } }),
      )
    }),
    { numRuns: Number(process.env.SEGMENT_FILTERS ?? runs(20, 60)) },
  )
  expect((await org.get('/duplicates/recent-merges')).body.pagination.total).toBeGreaterThan(0)
})
