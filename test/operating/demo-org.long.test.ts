import { afterAll, expect, test, vi } from 'vitest'
import { makeDemoOrg } from '../../src/demo/demo-org.ts'
import { createSetUpLink } from '../../src/members/set-up.ts'
import { setCeilings } from '../../src/orgs/operator.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilJobEnds } from '../support/crm-sync/crm.ts'
import { untilEnded } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { Browser } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp()
afterAll(() => app.close())

/** A key of the demo org, whose tests may send more requests a second than a user's program. */
async function newDemoKey(): Promise<TestOrg> {
  const [demo] = await runAsOwner<{ org_id: string }>(
    app.databaseUrl,
    `select org_id from org where name = 'Demo'`,
  )
  await app.operate((tx) => setCeilings(tx, demo!.org_id, { perSecond: null, perMinute: null }))
  return app.newKey(demo!.org_id)
}

test('an installation without an org gets the demo org once, and its API keys work', async () => {
  const made = await Promise.all([1, 2, 3].map(() => app.operate((tx) => makeDemoOrg(tx, app.app.context))))
  const [demo, ...more] = made.filter((each) => each !== null)
  expect(more).toEqual([])
  const { orgId, liveToken, testToken, contacts, companies, deals } = demo!

  const org = app.client(liveToken)
  expect((await org.get('/organization')).body.data).toMatchObject({
    org: { org_id: orgId, name: 'Demo' },
    mode: 'live',
  })
  expect((await app.client(testToken).get('/organization')).body.data.mode).toBe('test')
  const listed = (await org.get('/contacts?limit=100')).body
  expect(listed.pagination.total).toBe(contacts)
  expect((await org.get('/companies')).body.pagination.total).toBe(companies)

  const { data, pagination } = (await org.get('/deals?status=won&limit=100')).body
  expect((await org.get('/deals')).body.pagination.total).toBe(deals)
  expect(pagination.total / deals).toBeGreaterThan(0.1)
  for (const { closed_at, close_reason_id, contact_ids, company_id } of data.slice(0, 20)) {
    expect([closed_at, close_reason_id, company_id]).not.toContain(null)
    const { body } = await org.get(`/contacts/${contact_ids[0]}`)
    expect(body.data.company_id).toBe(company_id)
  }
  const summary = (await org.get('/deals/summary')).body.data
  expect(summary.open.every(({ values }: { values: unknown[] }) => values.length > 0)).toBe(true)
  expect(summary.close_reasons.length).toBeGreaterThan(5)

  const owners = (await org.get('/owners')).body.data
  expect(owners).toHaveLength(4)
  for (const path of ['/contacts', '/companies', '/deals'])
    expect((await org.get(`${path}?owner_id=${owners[0].owner_id}`)).body.pagination.total).toBeGreaterThan(
      10,
    )

  const call = { to_number: '+12025550100', dry_run: true }
  expect((await org.post('/voice/calls', call)).body).toMatchObject({ status: 'validated' })
  const suppressed = (await org.get('/voice/suppressions')).body.data[0].number
  expect((await org.post('/voice/calls', { to_number: suppressed })).body.code).toBe('number_suppressed')

  const employed = listed.data.find((contact: { company_id: string | null }) => contact.company_id !== null)
  expect((await org.get(`/companies/${employed.company_id}`)).body.data.name).toEqual(expect.any(String))
  const word = employed.last_name ?? employed.first_name
  expect((await org.get(`/contacts?q=${encodeURIComponent(word)}`)).body.pagination.total).toBeGreaterThan(0)
})

test('the demo org has notes about contacts, and open and completed tasks about open deals', async () => {
  const org = await newDemoKey()
  const notes = (await org.get('/notes')).body
  expect(notes.pagination.total).toBe(12)
  expect(notes.data[0]).toMatchObject({ entity_type: 'contact', author: { kind: 'operator' } })
  const [open, done] = [(await org.get('/tasks')).body, (await org.get('/tasks?status=done')).body]
  expect([open.pagination.total, done.pagination.total]).toEqual([8, 2])
  const { record_id } = open.data[0]
  expect((await org.get(`/deals/${record_id}`)).body.data.status).toBe('open')
})

test('the demo org has two personas', async () => {
  const org = await newDemoKey()
  const { data } = (await org.get('/personas')).body
  expect(data.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ['Theo', 'draft'],
    ['Mia', 'active'],
  ])
})

test('the first owner of the demo org has tasks: one is overdue, two are due today, and others later', async () => {
  const link = await app.operate(createSetUpLink)
  const { status, body } = await new Browser(app.address, null).post('/links/use', {
    ...{ token: link?.token, email: 'first@acme.example', name: 'Ada', password: 'seven green bicycles' },
  })
  expect(status).toBe(200)
  const org = await newDemoKey()
  const { data } = (await org.get(`/tasks?assignee=${body.data.member.member_id}`)).body
  const [overdue, today, sameDay, ...later] = data.map(({ due_on }: { due_on: string }) => due_on).sort()
  expect([overdue < today, today === sameDay, later.length, later[0] > today]).toEqual([true, true, 2, true])
  const all = (await org.get('/tasks')).body.data
  const others = all.filter(
    (task: { assignee_id: string | null }) => task.assignee_id !== body.data.member.member_id,
  )
  expect(
    others.map(({ assignee_name }: { assignee_name: string | null }) => assignee_name !== null).sort(),
  ).toEqual([false, true, true])
})

test('the demo org has visitors, some of whom are contacts, and events of today', async () => {
  const org = await newDemoKey()
  const { visitors } = (await org.get('/visitors?limit=100')).body.data
  expect(visitors.length).toBe(40)
  expect(visitors.some(({ first_source: source }: { first_source: unknown }) => source !== null)).toBe(true)
  const users = visitors.filter(({ user_trust: trust }: { user_trust: string }) => trust === 'trusted')
  expect(users).toHaveLength(12)
  expect((await org.get(`/contacts/${users[0].user_key}`)).status).toBe(200)
  const { events } = (await org.get('/tracking/events?limit=100')).body.data
  expect(events).toHaveLength(100)
  expect(Date.now() / 1000 - events[0].received_at).toBeLessThan(600)
  expect((await org.get('/write-keys')).body.data).toMatchObject([{ name: 'Demo shop' }])
})

test('the demo org has a form that visitors sent, and one of them is spam', async () => {
  const org = await newDemoKey()
  const form = (await org.get('/forms')).body.data.find(
    ({ call_back }: { call_back: unknown }) => call_back === null,
  )
  expect(form).toMatchObject({ name: 'Sample requests', status: 'live', submissions: 4 })
  expect((await fetch(`${app.app.address}/f/${form.form_id}`)).status).toBe(200)
  const { data } = (await org.get(`/forms/submissions?status=accepted&form_id=${form.form_id}`)).body
  const { body } = await org.get(`/contacts/${data[0].contact_id}`)
  expect(body.data).toMatchObject({ email: data[0].answers.email, first_name: 'Owen' })
  expect((await org.get('/forms/submissions?status=spam')).body.data).toMatchObject([
    { spam_reason: 'honeypot', contact_id: null },
  ])
})

test('three people wait to be called in the demo org', async () => {
  const org = await newDemoKey()
  const requests = (await org.get('/call-back-requests')).body.data
  expect(requests.map(({ status, reason }: Record<string, unknown>) => [status, reason])).toEqual([
    ['refused', 'number_limit'],
    ['waiting', null],
    ['waiting', null],
    ['waiting', null],
  ])
  const { body } = await org.get(`/contacts/${requests[1].contact_id}`)
  expect(body.data).toMatchObject({ first_name: 'Hannah', consent: { phone: 'granted' } })
})

test('the jobs of the demo org push people, install signatures, import a file and find duplicates', async () => {
  const org = await newDemoKey()
  const [{ job_id }] = (await org.get('/integrations/crm-sync/jobs')).body.data
  const pushed = await untilJobEnds(org, job_id)
  expect(pushed).toMatchObject({ status: 'partially_succeeded', counts: { failed: 3 } })
  expect(pushed.counts.created).toBeGreaterThan(300)
  const [{ import_id }] = (await org.get('/imports')).body.data
  const { status, counts } = await untilEnded(org, import_id)
  expect([status, counts.created, counts.refused]).toEqual(['succeeded', 0, 8])
  await vi.waitFor(
    async () => {
      for (const { deployment } of (await org.get('/signatures/mailboxes')).body.data)
        expect(deployment).toMatchObject({ status: 'installed' })
      expect((await org.get('/duplicates/scans')).body.data).toMatchObject([{ status: 'succeeded' }])
      for (const { count } of (await org.get('/segments')).body.data.segments)
        expect(count).toBeGreaterThan(0)
    },
    { ...patience, interval: 250 },
  )
  const found = await org.get('/duplicates/recent-merges?include_shadow=true')
  expect(found.body.pagination.total).toBeGreaterThan(50)
  const calls: { status: string }[] = (await org.get('/voice/calls')).body.data
  expect(new Set(calls.map((call) => call.status))).toEqual(
    new Set(['failed', 'busy', 'no_answer', 'completed']),
  )
})

test('an installation with an org gets no demo org', async () => {
  await app.newOrg()
  expect(await app.operate((tx) => makeDemoOrg(tx, app.app.context))).toBe(null)
})
