import { afterAll, describe, expect, test } from 'vitest'
import { checkMergedRecords } from '../../src/duplicates/check-merged-records.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

// Each case is a bug that a random history of properties.test.ts once found.

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

describe('restored deals', () => {
  test('after an undo, a deal has its own stage again, even if it was reopened while merged', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A'), await deal(org, 'B', { stage: 'Proposal' })]
    const id = await merged(org, 'deal', a, b)
    await org.post(`/deals/${b}/reopen`)
    await undo(org, id)
    expect((await shown(org, `/deals/${b}`)).stage).toBe('Proposal')
  })

  test('after an undo, the survivor keeps the amount that was written to the survivor, with the currency of that write', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A'), await deal(org, 'B', { amount_cents: 2, currency: 'EUR' })]
    const id = await merged(org, 'deal', a, b)
    expect((await org.patch(`/deals/${a}`, { amount_cents: 3 })).status).toBe(200)
    await undo(org, id)
    expect(await shown(org, `/deals/${a}`)).toMatchObject({ amount_cents: 3, currency: 'EUR' })
    expect(await shown(org, `/deals/${b}`)).toMatchObject({ amount_cents: 2, currency: 'EUR' })
  })

  test('after an undo, a deal does not keep the survivor’s amount, even if its currency was set while merged', async () => {
    const org = await app.newOrg()
    const [a, b] = [await deal(org, 'A', { amount_cents: 2, currency: 'USD' }), await deal(org, 'B')]
    const id = await merged(org, 'deal', a, b)
    await org.patch(`/deals/${b}`, { currency: 'EUR' })
    await undo(org, id)
    expect(await shown(org, `/deals/${b}`)).toMatchObject({ amount_cents: null, currency: 'EUR' })
  })
})

test('a redone merge also fills blanks from records that its loser absorbed after the undo', async () => {
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

test('an amount that a redo hides is shown again when its deal gets a currency', async () => {
  const org = await app.newOrg()
  const [a, c] = [await deal(org, 'A', { amount_cents: 1, currency: 'USD' }), await deal(org, 'C')]
  const id = await merged(org, 'deal', a, c)
  await undo(org, id)
  await org.patch(`/deals/${c}`, { currency: null })
  await redo(org, id)
  expect(await shown(org, `/deals/${a}`)).toMatchObject({ amount_cents: null, currency: null })
  const { body } = await org.patch(`/deals/${a}`, { currency: 'USD' })
  expect(body.data).toMatchObject({ amount_cents: 1, currency: 'USD' })
  expect(await shown(org, `/deals/${a}`)).toMatchObject({ amount_cents: 1, currency: 'USD' })
  const { deviations } = await checkMergedRecords(app.app.context.database.org(org.orgId))
  expect(deviations).toEqual([])
})

test('a phone cleared with an absorbed id stays cleared after the undo, also in records that the id absorbed', async () => {
  const org = await app.newOrg()
  const phone = '+14155550102'
  const [b, c, d] = [await contact(org, 'B'), await contact(org, 'C'), await contact(org, 'D', { phone })]
  await merged(org, 'contact', b, d)
  await org.patch(`/contacts/${b}`, { phones: [phone] })
  const id = await merged(org, 'contact', c, b)
  await org.patch(`/contacts/${b}`, { phone: null })
  expect(await shown(org, `/contacts/${c}`)).toMatchObject({ phone: null, phones: [] })
  await undo(org, id)
  expect(await shown(org, `/contacts/${b}`)).toMatchObject({ phone: null, phones: [] })
})

test('survivorship “primary” fills an empty custom object', async () => {
  const org = await app.newOrg()
  await org.patch('/duplicates/settings', { contact: { survivorship: { custom: 'primary' } } })
  const [a, b] = [await contact(org, 'A'), await contact(org, 'B', { custom: { n: 1 } })]
  await merged(org, 'contact', a, b)
  expect((await shown(org, `/contacts/${a}`)).custom).toEqual({ n: 1 })
})

describe('GET /duplicates/recent-merges', () => {
  test('a row of recent-merges does not list `contacts` as filled if both lists have the same canonical contacts', async () => {
    const org = await app.newOrg()
    const [a, b] = [await contact(org, 'A'), await contact(org, 'B')]
    await merged(org, 'contact', a, b)
    const [p, q] = [await deal(org, 'P', { contact_ids: [a] }), await deal(org, 'Q', { contact_ids: [b] })]
    const [row] = await merge(org, 'deal', p, q)
    expect(row).toMatchObject({ fields_filled: [] })
  })

  test('a row of recent-merges counts the references that the last redo moved', async () => {
    const org = await app.newOrg()
    const [x, y] = [await company(org, 'X'), await company(org, 'Y')]
    const child = await contact(org, 'Child', { company_id: y })
    const id = await merged(org, 'company', x, y)
    await undo(org, id)
    await org.patch(`/contacts/${child}`, { company_id: null })
    expect((await redo(org, id)).children_moved).toBe(0)
  })
})

test('erasing a deal removes the contacts of deals that it absorbed', async () => {
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
