import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { checkAll } from '../../src/duplicates/checks/check-loop.ts'
import { system } from '../../src/platform/db/system.ts'
import { upsertOwnContact } from '../../src/tracking/identity/own-contact.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { createRecords, findAmong, rowsOf } from '../support/finding.ts'
import { createContact, expectRightViews, merge, redo, undo } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@engine.example', phone: '+14155550100' }
const attackers = '+14155550199'

/** What a visitor says, as the form of a web page would store it. */
const say = (org: TestOrg, visitorId: string, fields: object) =>
  app.app.context.database
    .org(org.orgId)
    .transact((tx) => upsertOwnContact(tx, { visitorId, fields: { ...fields } }))

const idOf = async (...args: Parameters<typeof say>) => (await say(...args)).contactId as string

const read = async (org: TestOrg, contactId: string) => (await org.get(`/contacts/${contactId}`)).body.data

/** All columns of a contact and of its keys, as they are stored. */
const rowOf = ({ orgId }: TestOrg, contactId: string) =>
  runAsOwner(
    app.databaseUrl,
    `select to_json(c)::text as row,
      array(select to_json(k)::text from contact_key k where k.org_id = $1 and k.contact_id = $2 order by 1) as keys
    from contact c where org_id = $1 and contact_id = $2`,
    [orgId, contactId],
  )

async function inAutoMode(): Promise<TestOrg> {
  const org = await app.newOrg()
  const { status } = await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
  expect(status).toBe(200)
  return org
}

describe('the own contact of a visitor', () => {
  test('statements of a visitor make one contact, and later ones change it', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    const first = await say(org, visitorId, { email: ada.email, first_name: 'Ada' })
    const second = await say(org, visitorId, { last_name: 'Lovelace', phone: ada.phone })
    expect(second).toEqual({ outcome: 'updated', contactId: first.contactId })
    expect([first.outcome, await read(org, first.contactId ?? '')]).toMatchObject([
      'created',
      {
        ...{ ...ada, claimed_by: visitorId, external_ids: { crosswalk_visitor: visitorId } },
        ...{ source: 'website', version: 2 },
      },
    ])
    expect(await idOf(org, randomUUID(), { email: ada.email })).not.toBe(first.contactId)
    expect((await org.patch(`/contacts/${first.contactId}`, { claimed_by: null })).status).toBe(422)
  })

  test('twenty concurrent statements of a visitor make one contact', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, n) => idOf(org, visitorId, { first_name: `Ada ${n}` })),
    )
    expect(new Set(ids).size).toBe(1)
  })

  test('a claimed contact with every value of another contact changes no byte of it, and is only proposed', async () => {
    const org = await inAutoMode()
    const [victim = ''] = await createRecords(org, 'contact', { ...ada, external_ids: { user_id: 'u7' } })
    await checkAll(system(app.app.context.database), app.app.context)
    const before = await rowOf(org, victim)
    const own = await idOf(org, randomUUID(), { ...ada, phone: attackers, external_ids: { user_id: 'u7' } })
    await idOf(org, randomUUID(), { ...ada, phones: [ada.phone, attackers] })
    await checkAll(system(app.app.context.database), app.app.context)
    await findAmong(app, org, 'contact', [victim, own])
    expect(await rowOf(org, victim)).toEqual(before)
    expect(await rowsOf(org, 'applied')).toEqual([])
    const proposed = await rowsOf(org, 'shadow')
    expect(
      proposed.some(({ loser_id: loser, survivor_id: survivor }) => loser === own && survivor === victim),
    ).toBe(true)
    expect(proposed.every(({ would_apply: would }) => would === false)).toBe(true)
    // The same contact from a program of the organization is merged.
    await createRecords(org, 'contact', ada)
    await checkAll(system(app.app.context.database), app.app.context)
    expect(await rowsOf(org, 'applied')).toHaveLength(1)
  })

  test('after a person merged the own contact, the visitor writes a new one, and an undo makes it the own one again', async () => {
    const [org, visitorId] = [await inAutoMode(), randomUUID()]
    const victim = await createContact(org, ada)
    const own = await idOf(org, visitorId, { ...ada, phone: '+14155550111' })
    const [{ merge_id: mergeId } = { merge_id: '' }] = await merge(org, 'contact', victim, own)
    const merged = await read(org, victim)
    expect([merged.claimed_by, merged.phones]).toEqual([null, [ada.phone, '+14155550111']])
    const before = await rowOf(org, victim)
    const next = await idOf(org, visitorId, { ...ada, phone: attackers })
    expect(next).not.toBe(own)
    await checkAll(system(app.app.context.database), app.app.context)
    expect([await rowOf(org, victim), (await rowsOf(org, 'applied')).length]).toEqual([before, 1])
    expect((await undo(org, mergeId)).status).toBe(200)
    expect((await read(org, own)).claimed_by).toBe(visitorId)
    expect(await idOf(org, visitorId, { city: 'London' })).toBe(own)
    expect((await redo(org, mergeId)).status).toBe(200)
    expect(await read(org, victim)).toMatchObject({ claimed_by: null, city: 'London' })
    await expectRightViews(app, org)
  })

  test('a contact that absorbed another one is no longer written by its visitor', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    const own = await idOf(org, visitorId, { email: ada.email })
    await merge(org, 'contact', own, await createContact(org, ada))
    expect((await read(org, own)).claimed_by).toBe(null)
    expect(await idOf(org, visitorId, { phone: attackers })).not.toBe(own)
    const [one, other] = [await idOf(org, randomUUID(), ada), await idOf(org, randomUUID(), ada)]
    await merge(org, 'contact', one, other)
    expect((await read(org, one)).claimed_by).not.toBe(null)
  })

  test('a claimed part of a merged contact merges no third contact', async () => {
    const org = await inAutoMode()
    const [victim = '', third = ''] = await createRecords(
      org,
      'contact',
      ...[ada, { first_name: 'Grace', last_name: 'Hopper', phone: attackers }],
    )
    const own = await idOf(org, randomUUID(), { first_name: 'Grace', last_name: 'Hopper', phone: attackers })
    await merge(org, 'contact', victim, own)
    await findAmong(app, org, 'contact', [victim, third])
    expect(await rowsOf(org, 'applied')).toHaveLength(1)
  })

  test('an upsert by address or number never finds a claimed contact', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    await idOf(org, visitorId, { ...ada, external_ids: { user_id: 'u7' } })
    await idOf(org, visitorId, { external_ids: { user_id: 'u7' } })
    for (let n = 0; n < 12; n++) await idOf(org, randomUUID(), ada)
    const upsert = async (match_on: string) => {
      const fields = { ...ada, external_ids: { user_id: 'u7' } }
      const { status, body } = await org.post('/contacts/upsert', { match_on, ...fields })
      return [status, body.data?.outcome, body.data?.contact_id]
    }
    const [, outcome, victim] = await upsert('email')
    expect(outcome).toBe('created')
    for (const matchOn of ['email', 'phone', 'external_id'])
      expect(await upsert(matchOn)).toEqual([200, 'updated', victim])
    expect((await org.get(`/contacts?email=${ada.email}&limit=100`)).body.data).toHaveLength(14)
  })

  test('a statement neither reveals nor stores a value of a unique field', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    await org.post('/fields', { entity: 'contact', key: 'badge', label: 'Badge', type: 'text', unique: true })
    const holder = await createContact(org, { first_name: 'Ada', custom: { badge: 'B-7' } })
    const own = await idOf(org, visitorId, { first_name: 'Eve', custom: { badge: 'B-7', plan: 'pro' } })
    const other = await idOf(org, randomUUID(), { first_name: 'Eve', custom: { badge: 'B-8' } })
    expect((await read(org, own)).custom).toEqual({ plan: 'pro' })
    expect((await read(org, other)).custom).toEqual({})
    expect((await read(org, holder)).custom).toEqual({ badge: 'B-7' })
  })

  test('visitors make at most 1,000 contacts in a day, and may still change theirs', async () => {
    const [org, visitorId] = [await app.newOrg(), randomUUID()]
    const own = await idOf(org, visitorId, { first_name: 'Ada' })
    await runAsOwner(
      app.databaseUrl,
      `insert into contact (org_id, contact_id, search, created_at, updated_at, claimed_by)
      select $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, '', now(), now(), gen_random_uuid()
      from generate_series(1, 999) as n`,
      [org.orgId, own],
    )
    expect(await say(org, randomUUID(), { first_name: 'Eve' })).toEqual({ outcome: 'full', contactId: null })
    expect(await say(org, visitorId, { city: 'London' })).toEqual({ outcome: 'updated', contactId: own })
  })
})
