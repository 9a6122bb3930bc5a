import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { PlannedMerge } from '../../src/duplicates/engine/plan.ts'
import { replaceProposals } from '../../src/duplicates/engine/proposals.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { createRecords, findAmong, type Row, rowsOf } from '../support/finding.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Item = {
  merge_id: string
  outcome: string
  applied_merge_id?: string
  detail?: string
}

/** Makes the engine propose merges of `count` pairs of equal contacts. Returns the proposals, oldest first. */
async function propose(org: TestOrg, count: number, copies = 2): Promise<Row[]> {
  const people = Array.from({ length: count }, (_, n) => {
    const person = { first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@many.example` }
    return Array.from({ length: copies }, (_, copy) => ({ ...person, tags: [`tag ${n} ${copy}`] }))
  })
  const { body } = await org.post('/contacts/batch', { items: people.flat() })
  const ids = body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  for (let at = 0; at < ids.length; at += copies)
    await findAmong(app, org, 'contact', ids.slice(at, at + copies))
  return rowsOf(org, 'shadow')
}

async function answer(org: TestOrg, what: 'apply' | 'dismiss', mergeIds: string[]): Promise<Item[]> {
  const { status, text, body } = await org.post(`/duplicates/shadow/${what}`, { merge_ids: mergeIds })
  expect(status, text).toBe(200)
  expect(body.data.map(({ merge_id }: Item) => merge_id)).toEqual(mergeIds)
  return body.data
}

const idsOf = (rows: readonly Row[]) => rows.map(({ merge_id }) => merge_id)
const outcomes = (items: readonly Item[]) => items.map(({ outcome }) => outcome)

describe('one request answers many proposals', () => {
  test('one request applies many proposals, with the same effect as one request for each', async () => {
    const [one, many] = [await app.newOrg(), await app.newOrg()]
    const single = await propose(one, 2, 3)
    for (const { merge_id } of single)
      expect((await one.post(`/duplicates/shadow/${merge_id}/apply`)).status).toBe(200)
    const proposals = await propose(many, 2, 3)
    expect(proposals).toHaveLength(single.length)
    const items = await answer(many, 'apply', idsOf(proposals))
    expect(outcomes(items)).toEqual(proposals.map(() => 'applied'))
    for (const [index, { applied_merge_id: id }] of items.entries()) {
      const merge = (await many.get(`/duplicates/merges/${id}`)).body.data
      const { survivor_id, loser_id, rule } = proposals[index] as Row
      expect(merge).toMatchObject({ status: 'applied', method: 'manual', survivor_id, loser_id, rule })
    }
    const shown = async (org: TestOrg) =>
      (await org.get('/contacts')).body.data.map(({ tags, version }: { tags: string[]; version: number }) => [
        tags,
        version,
      ])
    // Versions may differ: all merges of a request with the same survivor share one.
    expect((await shown(many)).map(([tags]: [string[]]) => tags)).toEqual(
      (await shown(one)).map(([tags]: [string[]]) => tags),
    )
    expect(await rowsOf(many, 'shadow')).toEqual([])
    for (const { applied_merge_id: id } of items)
      expect((await many.post(`/duplicates/undo-merge/${id}`)).status).toBe(200)
    expect((await many.get('/contacts')).body.pagination.total).toBe(6)
  })

  test('a failed item gives its reason and does not affect the other items', async () => {
    const org = await app.newOrg()
    const [closed, archived, ...open] = (await propose(org, 4)) as [Row, Row, ...Row[]]
    await org.post(`/duplicates/shadow/${closed.merge_id}/dismiss`)
    await org.delete(`/contacts/${archived.loser_id}`)
    const unknown = randomUUID()
    const ids = [unknown, closed.merge_id, ...idsOf(open), archived.merge_id]
    for (const what of ['apply', 'dismiss'] as const) {
      const own = what === 'apply' ? ids : [unknown, closed.merge_id, archived.merge_id]
      const items = await answer(org, what, own)
      const failed = items.filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ merge_id }) => merge_id)).toEqual([unknown, closed.merge_id, archived.merge_id])
      expect(failed.map(({ detail }) => detail)).toEqual([
        'No merge of this organization has this id',
        'This proposal is already dismissed',
        expect.stringContaining('out of date'),
      ])
    }
    expect(await rowsOf(org, 'applied')).toHaveLength(2)
  })

  test('an item fails if an earlier item merged its record away, and may merge the survivor of an earlier item', async () => {
    const org = await app.newOrg()
    const ids = await createRecords(
      org,
      'contact',
      { first_name: 'A' },
      { first_name: 'B' },
      { first_name: 'C' },
    )
    const [a, b, c] = ids
    const { database } = app.app.context
    const pairs = [
      [a, b],
      [c, a],
      [b, c],
    ] as const
    const planned = pairs.map(
      ([survivorId, loserId]): PlannedMerge => ({ survivorId, loserId, wouldApply: true, reason: {} }),
    )
    await database.org(org.orgId).transact((tx) => replaceProposals(tx, 'contact', [], planned))
    const items = await answer(org, 'apply', idsOf(await rowsOf(org, 'shadow')))
    expect(outcomes(items)).toEqual(['applied', 'applied', 'failed'])
    for (const id of ids) expect((await org.get(`/contacts/${id}`)).body.data.contact_id).toBe(c)
  })

  test('dismissed pairs are never proposed again, and each dismissal writes its event', async () => {
    const org = await app.newOrg()
    const proposals = await propose(org, 3)
    expect(outcomes(await answer(org, 'dismiss', idsOf(proposals)))).toEqual(Array(3).fill('dismissed'))
    const events = (await org.get('/events?type=merge.dismissed')).body.data
    expect(events.map(({ object_id }: { object_id: string }) => object_id).sort()).toEqual(
      idsOf(proposals).sort(),
    )
    for (const { survivor_id, loser_id } of proposals) {
      await findAmong(app, org, 'contact', [survivor_id, loser_id])
    }
    expect(await rowsOf(org, 'shadow', 'applied')).toEqual([])
  })

  test('a request with a repeated id, without ids or with 501 ids is refused', async () => {
    const org = await app.newOrg()
    const id = randomUUID()
    const many = Array.from({ length: 501 }, () => randomUUID())
    for (const what of ['apply', 'dismiss'])
      for (const merge_ids of [[id, id], [], many])
        expect((await org.post(`/duplicates/shadow/${what}`, { merge_ids })).status).toBe(422)
  })

  test('items fail if the API key may not change their record type', async () => {
    const org = await app.newOrg()
    const [proposal] = (await propose(org, 1)) as [Row]
    const key = await app.newKey(org.orgId, { permissions: ['duplicates:write', 'companies:write'] })
    const items = await answer(key, 'apply', [proposal.merge_id])
    expect(items).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('contacts:write') }])
  })

  test('a retry with the same Idempotency-Key gets the first answer', async () => {
    const org = await app.newOrg()
    const merge_ids = idsOf(await propose(org, 2))
    const headers = { 'idempotency-key': 'once' }
    const send = () => org.post('/duplicates/shadow/apply', { merge_ids }, { headers })
    const [first, second] = [await send(), await send()]
    expect(first.body.data.map((item: Item) => item.outcome)).toEqual(['applied', 'applied'])
    expect(second.text).toBe(first.text)
  })
})

test('concurrent requests, writes and undos neither fail nor answer a proposal twice', async () => {
  const org = await app.newOrg()
  const proposals = await propose(org, 12)
  const ids = idsOf(proposals)
  const turned = (by: number) => [...ids.slice(by), ...ids.slice(0, by)]
  const writes = proposals.flatMap(({ survivor_id, loser_id }) =>
    [survivor_id, loser_id].map(async (id) => {
      expect((await org.patch(`/contacts/${id}`, { city: 'Rome' })).status).toBe(200)
    }),
  )
  const undos = answer(org, 'apply', turned(0)).then((items) =>
    Promise.all(
      items.flatMap(({ applied_merge_id: id }) =>
        id ? [org.post(`/duplicates/undo-merge/${id}`).then(({ status }) => status)] : [],
      ),
    ),
  )
  const all = await Promise.all([
    answer(org, 'apply', turned(3)),
    answer(org, 'dismiss', turned(6)),
    answer(org, 'apply', ids.toReversed()),
    answer(org, 'dismiss', turned(9).toReversed()),
  ])
  expect((await undos).filter((status) => status !== 200)).toEqual([])
  await Promise.all(writes)
  const answered = [...(await rowsOf(org, 'applied', 'undone'))]
  const dismissed = all.flat().filter(({ outcome }) => outcome === 'dismissed')
  expect(answered.length + dismissed.length).toBe(12)
  expect(await rowsOf(org, 'shadow')).toEqual([])
})
