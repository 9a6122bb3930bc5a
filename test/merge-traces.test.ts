import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from './app.ts'
import { withClient } from './direct-sql.ts'
import { merge } from './merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

// Found by the histories of merge-properties.test.ts.

const deal = async (org: TestOrg, name: string, fields: object = {}) =>
  (await org.post('/deals', { name, ...fields })).body.data.deal_id as string
const contact = async (org: TestOrg, first_name: string, fields: object = {}) =>
  (await org.post('/contacts', { first_name, ...fields })).body.data.contact_id as string
const company = async (org: TestOrg, name: string) =>
  (await org.post('/companies', { name })).body.data.company_id as string
const merged = async (
  org: TestOrg,
  entity: 'contact' | 'company' | 'deal',
  survivor: string,
  loser: string,
) => (await merge(org, entity, survivor, loser))[0]!.merge_id
const undo = async (org: TestOrg, mergeId: string) => {
  const { status, body } = await org.post(`/duplicates/undo-merge/${mergeId}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}
const redo = async (org: TestOrg, mergeId: string) => {
  const { status, body } = await org.post(`/duplicates/redo-merge/${mergeId}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}
const shown = async (org: TestOrg, path: string) => (await org.get(path)).body.data

describe('a deal that is brought back', () => {
  test('is in its own stage, reopened while it was merged or not', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A'), await deal(org, 'B', { stage: 'Proposal' })]
    const id = await merged(org, 'deal', a, b)
    await org.post(`/deals/${b}/reopen`)
    await undo(org, id)
    expect((await shown(org, `/deals/${b}`)).stage).toBe('Proposal')
  })

  test('leaves the other an amount that was said of it, with the currency that it was said in', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A'), await deal(org, 'B', { amount_cents: 2, currency: 'EUR' })]
    const id = await merged(org, 'deal', a, b)
    expect((await org.patch(`/deals/${a}`, { amount_cents: 3 })).status).toBe(200)
    await undo(org, id)
    expect(await shown(org, `/deals/${a}`)).toMatchObject({ amount_cents: 3, currency: 'EUR' })
    expect(await shown(org, `/deals/${b}`)).toMatchObject({ amount_cents: 2, currency: 'EUR' })
  })

  test('has no amount of the other, though its currency was set meanwhile', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A', { amount_cents: 2, currency: 'USD' }), await deal(org, 'B')]
    const id = await merged(org, 'deal', a, b)
    await org.patch(`/deals/${b}`, { currency: 'EUR' })
    await undo(org, id)
    expect(await shown(org, `/deals/${b}`)).toMatchObject({ amount_cents: null, currency: 'EUR' })
  })
})

test('a merge that is redone fills blanks with what its loser absorbed since', async () => {
  const org = await app.newOrg()
  const [a, b, c] = [
    await contact(org, 'A'),
    await contact(org, 'B'),
    await contact(org, 'C', { city: 'Rome' }),
  ] as const
  const id = await merged(org, 'contact', a, b)
  await undo(org, id)
  await merged(org, 'contact', b, c)
  await redo(org, id)
  expect((await shown(org, `/contacts/${a}`)).city).toBe('Rome')
})

test('survivorship “primary” fills a custom without members', async () => {
  const org = await app.newOrg()
  await org.patch('/duplicates/settings', { contact: { survivorship: { custom: 'primary' } } })
  const [a, b] = [await contact(org, 'A'), await contact(org, 'B', { custom: { n: 1 } })]
  await merged(org, 'contact', a, b)
  expect((await shown(org, `/contacts/${a}`)).custom).toEqual({ n: 1 })
})

describe('what a row of recent-merges says', () => {
  test('is not that contacts were filled which stand for the same as before', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, 'A'), await contact(org, 'B')]
    await merged(org, 'contact', a, b)
    const [p, q] = [await deal(org, 'P', { contact_ids: [a] }), await deal(org, 'Q', { contact_ids: [b] })]
    const [row] = await merge(org, 'deal', p, q)
    expect(row).toMatchObject({ fields_filled: [] })
  })

  test('is how many records moved the last time', async () => {
    const org = await app.newOrg()
    const [x, y] = [await company(org, 'X'), await company(org, 'Y')]
    const child = await contact(org, 'Child', { company_id: y })
    const id = await merged(org, 'company', x, y)
    await undo(org, id)
    await org.patch(`/contacts/${child}`, { company_id: null })
    expect((await redo(org, id)).children_moved).toBe(0)
  })
})

test('an erased deal leaves no contacts of those that it had absorbed', async () => {
  const org = await app.newOrg()
  const [a, b] = [await contact(org, 'A'), await contact(org, 'B')]
  const id = await merged(org, 'contact', a, b)
  const [p, q] = [await deal(org, 'P'), await deal(org, 'Q', { contact_ids: [b] })]
  await merged(org, 'deal', p, q)
  await org.post(`/deals/${p}/erase`)
  expect(await undo(org, id)).toMatchObject({ returned_children: 0, kept_children: 0 })
  const { rows } = await withClient(app, (client) =>
    client.query('select from deal_contact where org_id = $1', [org.orgId]),
  )
  expect(rows).toEqual([])
})
