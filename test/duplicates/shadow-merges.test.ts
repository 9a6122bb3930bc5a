import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { createRecords, findAmong, pairsOf, rowOf, rowsOf } from '../support/finding.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'
const setMode = async (org: TestOrg, settings: object) =>
  expect((await org.patch('/duplicates/settings', settings)).status).toBe(200)

test('the engine proposes duplicates with its reasons and changes no record', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email, phone: '+14155550100' })
  const before = await Promise.all(ids.map((id) => org.get(`/contacts/${id}`)))
  await findAmong(app, org, 'contact', ids)
  expect(await rowsOf(org, 'shadow')).toEqual([
    expect.objectContaining({
      survivor_id: ids[0],
      loser_id: ids[1],
      survivor_name: 'Ada Lovelace',
      is_shadow: true,
      rule: 'same_email_and_name',
      would_apply: true,
      method: 'auto',
      can_undo: false,
      undo_blocked_reason: 'shadow',
      merged_at: null,
      evidence: expect.arrayContaining([
        { field: 'email', level: 'the same', weight: expect.any(Number) },
        { field: 'last_name', level: 'the same', weight: expect.any(Number) },
      ]),
    }),
  ])
  const after = await Promise.all(ids.map((id) => org.get(`/contacts/${id}`)))
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  expect(await findAmong(app, org, 'contact', ids)).toEqual({ opened: 0, closed: 0, merged: 0 })
})

test('a person can apply a proposal and undo it like any merge', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const applied = await org.post(`/duplicates/shadow/${shadow.merge_id}/apply`)
  expect(applied.body.data).toMatchObject({
    status: 'applied',
    method: 'manual',
    rule: 'same_email_and_name',
    model_version: (shadow as unknown as { model_version: string }).model_version,
    merged_by: org.apiKeyId,
    can_undo: true,
  })
  expect(applied.body.data.merge_id).not.toBe(shadow.merge_id)
  expect(applied.body.data.evidence.length).toBeGreaterThan(2)
  expect(await rowsOf(org, 'shadow')).toEqual([])
  // After the merge, the id of the proposal leads to the merge.
  for (const path of [`shadow/${shadow.merge_id}/apply`, `undo-merge/${shadow.merge_id}`]) {
    const { status, body } = await org.post(`/duplicates/${path}`)
    expect([status, body.detail]).toEqual([
      409,
      `This proposal has become the merge ${applied.body.data.merge_id}: use that merge id`,
    ])
  }
  expect((await org.post(`/duplicates/undo-merge/${applied.body.data.merge_id}`)).status).toBe(200)
  await findAmong(app, org, 'contact', ids)
  expect(await rowsOf(org, 'shadow')).toEqual([])
})

test('a dismissed pair is never proposed again, not even through a third record', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const dismissed = await org.post(`/duplicates/shadow/${shadow.merge_id}/dismiss`)
  expect(dismissed.body.data).toMatchObject({ merge_id: shadow.merge_id, status: 'dismissed' })
  for (const answer of ['apply', 'dismiss'])
    expect((await org.post(`/duplicates/shadow/${shadow.merge_id}/${answer}`)).status).toBe(409)
  await findAmong(app, org, 'contact', ids)
  expect(await rowsOf(org, 'shadow')).toEqual([])

  ids.push(...(await createRecords(org, 'contact', { ...ada, email })))
  await findAmong(app, org, 'contact', ids)
  expect(await pairsOf(org, ids, 'shadow')).toHaveLength(1)
  await setMode(org, { contact: { mode: 'auto' } })
  for (let run = 0; run < 3; run++) await findAmong(app, org, 'contact', ids)
  const roots = await Promise.all(
    ids.map(async (id) => (await org.get(`/contacts/${id}`)).body.data.contact_id),
  )
  expect(roots[0]).not.toBe(roots[1])
  expect(new Set(roots).size).toBe(2)
})

test('an automatic merge that was undone is never repeated, not even through a third record', async () => {
  const org = await app.newOrg()
  await setMode(org, { contact: { mode: 'auto' } })
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  expect(await findAmong(app, org, 'contact', ids)).toMatchObject({ merged: 1 })
  const merged = await rowOf(org, 'applied')
  expect((await org.post(`/duplicates/undo-merge/${merged.merge_id}`)).status).toBe(200)
  expect(await findAmong(app, org, 'contact', ids)).toEqual({ opened: 0, closed: 0, merged: 0 })
  ids.push(...(await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })))
  for (let run = 0; run < 3; run++) await findAmong(app, org, 'contact', ids)
  const roots = await Promise.all(
    ids.map(async (id) => (await org.get(`/contacts/${id}`)).body.data.contact_id),
  )
  expect(roots[0]).not.toBe(roots[1])
  expect(new Set(roots).size).toBe(2)
  expect(await rowsOf(org, 'shadow')).toEqual([])
})

test('of several concurrent requests to apply or dismiss one proposal, exactly one succeeds', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const answers = ['apply', 'dismiss', 'apply', 'dismiss']
  const [found, ...answered] = await Promise.all([
    findAmong(app, org, 'contact', ids),
    ...answers.map((answer) => org.post(`/duplicates/shadow/${shadow.merge_id}/${answer}`)),
  ])
  expect(found).toMatchObject({ merged: 0 })
  expect(answered.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(await rowsOf(org, 'shadow')).toEqual([])
})

test('dismissing a proposal that the engine just closed gets 409 and saves no verdict', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const { status, text } = await withClient(app, async (engine) => {
    await engine.query('begin')
    await engine.query(`update merge set status = 'stale' where merge_id = $1`, [shadow.merge_id])
    const dismissed = org.post(`/duplicates/shadow/${shadow.merge_id}/dismiss`)
    await untilBlocked(engine)
    await engine.query('commit')
    return dismissed
  })
  expect(status, text).toBe(409)
  // The engine may propose the same pairs again.
  expect(await findAmong(app, org, 'contact', ids)).toMatchObject({ opened: 1 })
})

test('mode auto merges exactly the pairs that mode shadow proposes, and these merges name no API key', async () => {
  const records = [
    { ...ada, email, external_ids: { crm: '1' } },
    { ...ada, email, phone: '+14155550100' },
    { ...ada, phone: '+14155550100' },
    { first_name: 'Ralph', last_name: 'Lovelace', email },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example' },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example', external_ids: { crm: '2' } },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example', external_ids: { crm: '3' } },
  ]
  const [shadowed, merged] = [await app.newOrg(), await app.newOrg()]
  const shadowedIds = await createRecords(shadowed, 'contact', ...records)
  await setMode(merged, { contact: { mode: 'auto' } })
  const mergedIds = await createRecords(merged, 'contact', ...records)
  await findAmong(app, shadowed, 'contact', shadowedIds)
  await findAmong(app, merged, 'contact', mergedIds)
  const wouldApply = (await rowsOf(shadowed, 'shadow')).filter(({ would_apply }) => would_apply)
  const proposed = wouldApply
    .map(({ survivor_id, loser_id }) => [shadowedIds.indexOf(survivor_id), shadowedIds.indexOf(loser_id)])
    .sort(([a, b], [c, d]) => a! - c! || b! - d!)
  expect(await pairsOf(merged, mergedIds, 'applied')).toEqual(proposed)
  expect(proposed).toHaveLength(3)
  const rest = (rows: Awaited<ReturnType<typeof rowsOf>>, ids: string[]) =>
    rows
      .filter(({ would_apply }) => !would_apply)
      .map(({ survivor_id, loser_id, rule }) =>
        [ids.indexOf(survivor_id), ids.indexOf(loser_id), rule].join(' '),
      )
      .sort()
  expect(rest(await rowsOf(merged, 'shadow'), mergedIds)).toEqual(
    rest(await rowsOf(shadowed, 'shadow'), shadowedIds),
  )
  for (const row of await rowsOf(merged, 'applied'))
    expect(row).toMatchObject({ method: 'auto', merged_by: null, can_undo: true })
  expect(await findAmong(app, merged, 'contact', mergedIds)).toEqual({ opened: 0, closed: 0, merged: 0 })
})

test('two people who share a mailbox are only proposed, in every mode', async () => {
  for (const mode of ['shadow', 'auto']) {
    const org = await app.newOrg()
    await setMode(org, { contact: { mode } })
    const ids = await createRecords(
      org,
      'contact',
      { ...ada, email },
      { first_name: 'William', last_name: 'King', email },
    )
    await findAmong(app, org, 'contact', ids)
    expect(await rowsOf(org, 'shadow')).toEqual([
      expect.objectContaining({ rule: 'shared_mailbox', would_apply: false }),
    ])
  }
})

test('a duplicate rule can have its own mode', async () => {
  const org = await app.newOrg()
  await setMode(org, { contact: { rules: { same_email_and_name: 'off', same_external_id: 'auto' } } })
  const ids = await createRecords(
    org,
    'contact',
    { ...ada, email },
    { ...ada, email, external_ids: { crm: '1' } },
    { first_name: 'Countess', external_ids: { crm: '1' } },
    { first_name: 'Countess', last_name: 'Lovelace', external_ids: { crm: '1' } },
  )
  await findAmong(app, org, 'contact', ids)
  expect(await pairsOf(org, ids, 'applied')).toEqual(
    [[3, 2]].map(([a, b]) => [Math.min(a!, b!), Math.max(a!, b!)]),
  )
  await setMode(org, { contact: { mode: 'off', rules: null } })
  await findAmong(app, org, 'contact', ids)
  expect(await rowsOf(org, 'shadow')).toEqual([])
})

test('the survivor is the record with an external id; else with more referrers; else the older record', async () => {
  const org = await app.newOrg()
  const company = { name: 'Acme', domain: 'acme.example' }
  const ids = await createRecords(org, 'company', company, company, {
    ...company,
    external_ids: { erp: '1' },
  })
  await createRecords(org, 'contact', { first_name: 'Ada', company_id: ids[1] })
  await findAmong(app, org, 'company', ids.slice(0, 2))
  expect(await pairsOf(org, ids, 'shadow')).toEqual([[1, 0]])
  await findAmong(app, org, 'company', ids)
  expect(await pairsOf(org, ids, 'shadow')).toEqual([
    [2, 0],
    [2, 1],
  ])
})

test('a proposal closes when its records no longer match', async () => {
  const org = await app.newOrg()
  const twins = { ...ada, email }
  const change: ((id: string) => Promise<{ status: number }>)[] = [
    (id) =>
      org.patch(`/contacts/${id}`, { email: 'else@other.example', first_name: 'Grace', last_name: 'Hopper' }),
    (id) => org.delete(`/contacts/${id}`),
    (id) => org.post(`/contacts/${id}/erase`),
  ]
  for (const apply of change) {
    const ids = await createRecords(org, 'contact', twins, twins)
    await findAmong(app, org, 'contact', ids)
    expect(await rowsOf(org, 'shadow')).toHaveLength(1)
    const changed = await apply(ids[1]!)
    expect(changed.status).toBeLessThan(300)
    await findAmong(app, org, 'contact', ids)
    expect(await rowsOf(org, 'shadow')).toEqual([])
    await org.delete(`/contacts/${ids[0]}`)
  }
  const ids = await createRecords(org, 'contact', twins, twins, { first_name: 'Grace' })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  await merge(org, 'contact', ids[2]!, ids[1]!)
  expect((await org.post(`/duplicates/shadow/${shadow.merge_id}/apply`)).body.detail).toMatch(/out of date/)
  expect(await rowsOf(org, 'shadow')).toEqual([])
})

test('an API key without write permission for a record type can neither apply nor dismiss its proposals', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const reader = await app.newKey(org.orgId, { permissions: ['duplicates:*', 'contacts:read'] })
  for (const answer of ['apply', 'dismiss'])
    expect((await reader.post(`/duplicates/shadow/${shadow.merge_id}/${answer}`)).status).toBe(403)
  const stranger = await app.newOrg()
  for (const answer of ['apply', 'dismiss'])
    expect((await stranger.post(`/duplicates/shadow/${shadow.merge_id}/${answer}`)).status).toBe(404)
  expect(await rowsOf(org, 'shadow')).toHaveLength(1)
})

test('deals are proposed and never merged automatically', async () => {
  const org = await app.newOrg()
  const [company_id] = await createRecords(org, 'company', { name: 'Acme' })
  const ids = await createRecords(
    org,
    'deal',
    { name: 'Website', company_id },
    { name: 'website', company_id },
  )
  await findAmong(app, org, 'deal', ids)
  expect(await rowsOf(org, 'shadow')).toEqual([
    expect.objectContaining({ rule: 'same_company_and_name', would_apply: false }),
  ])
  const shadow = await rowOf(org, 'shadow')
  expect((await org.post(`/duplicates/shadow/${shadow.merge_id}/apply`)).body.data.status).toBe('applied')
})
