import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newLiveForm, openedChallenge, postPage, sendForm, solve } from '../support/form-pages.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const submissionsOf = async (org: TestOrg, query = '') =>
  (await org.get(`/forms/submissions?${query}`)).body.data
const contactsOf = async (org: TestOrg) => (await org.get('/contacts')).body.data
const ada = { email: 'Ada@example.com', name: 'Ada', wish: 'Tea' }

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('submissions', () => {
  test('a submission is stored in full, and makes the own contact of the visitor with the consent', async () => {
    const org = await app.newOrg()
    const consent = { text: 'News, please.', channels: ['email'] }
    const form = await newLiveForm(org, { consent })
    const body = { answers: { ...ada, extra: 'x' }, consent: true, anonymousId: 'a1' }
    const page = { pageUrl: 'https://www.example.com/demo?token=secret#x' }
    const answer = await sendForm(app, form, { ...body, ...page })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    const [stored] = await submissionsOf(org)
    expect(stored).toMatchObject({
      ...{ form_id: form.formId, form_version: 1, mode: 'live', status: 'accepted', spam_reason: null },
      ...{ answers: ada, consent: true, created_contact: true, page_url: 'https://www.example.com/demo' },
    })
    const [contact] = await contactsOf(org)
    expect(contact).toMatchObject({
      contact_id: stored.contact_id,
      ...{ email: 'Ada@example.com', first_name: 'Ada', consent: { email: 'granted', phone: 'unknown' } },
      consent_details: { email: { kind: 'written', source: 'Form “Demo”, version 1' } },
      external_ids: { crosswalk_visitor: stored.visitor_id },
    })
    const { data } = (await org.get(`/events?object_id=${stored.submission_id}`)).body
    expect(data).toMatchObject([{ type: 'form_submission.created', data: { form_id: form.formId } }])
    expect((await org.get(`/forms/${form.formId}`)).body.data.submissions).toBe(1)
  })

  test('a submission from an address whose host is longer than any name has no page', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    await sendForm(app, form, { answers: ada, pageUrl: `https://${'a'.repeat(256)}/demo` })
    expect(await submissionsOf(org)).toMatchObject([{ page_url: null }])
  })

  test('a retry is stored once, and another answer from the same page is a second submission', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const body = { challenge: openedChallenge(form.formId), answers: ada, anonymousId: 'a1' }
    await Promise.all([sendForm(app, form, body), sendForm(app, form, body), sendForm(app, form, body)])
    expect(await submissionsOf(org)).toHaveLength(1)
    await sendForm(app, form, { ...body, answers: { ...ada, name: 'Augusta' } })
    const stored = await submissionsOf(org)
    expect(stored).toMatchObject([{ created_contact: false }, { created_contact: true }])
    expect(stored[0].contact_id).toBe(stored[1].contact_id)
    expect(await contactsOf(org)).toMatchObject([{ first_name: 'Augusta' }])
  })

  test.each<[string, object, Record<string, string>?]>([
    ['honeypot', { honeypot: 'x' }],
    ['challenge_missing', { challenge: undefined }],
    ['challenge_missing', { challenge: openedChallenge('019b76da-a800-7073-997d-633f25a71019') }],
    ['bot', {}, { 'user-agent': 'curl/8.5.0' }],
  ])('spam by %s gets the usual answer, and does nothing (%#)', async (reason, body, headers) => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const answer = await sendForm(app, form, { answers: ada, ...body }, headers)
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(await submissionsOf(org)).toMatchObject([
      { status: 'spam', spam_reason: reason, answers: ada, contact_id: null },
    ])
    expect(await contactsOf(org)).toEqual([])
    expect((await org.get('/events?type=form_submission.created')).body.data).toEqual([])
  })

  test.each([
    ['too_fast', 500],
    ['too_old', 25 * 3_600_000],
  ])('a page that was opened too recently or too long ago is spam: %s', async (reason, agoMs) => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    await sendForm(app, form, { answers: ada, challenge: openedChallenge(form.formId, agoMs) })
    expect(await submissionsOf(org)).toMatchObject([{ status: 'spam', spam_reason: reason }])
  })

  test('above 20 submissions an hour, each needs a proof of work that was not used', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const texts = Array.from({ length: 20 }, (_, index) => ({ ...ada, wish: String(index) }))
    for (const answers of texts) await sendForm(app, form, { answers })
    const challenge = openedChallenge(form.formId)
    const proof = solve(form.formId, challenge)
    await sendForm(app, form, { answers: { ...ada, wish: 'no proof' } })
    await sendForm(app, form, { answers: { ...ada, wish: 'proof' }, challenge, proof })
    await sendForm(app, form, { answers: { ...ada, wish: 'again' }, challenge, proof })
    const stored = await submissionsOf(org, 'limit=3')
    expect(
      stored.map(({ answers, spam_reason }: never) => [(answers as typeof ada).wish, spam_reason]),
    ).toEqual([
      ['again', 'proof_reused'],
      ['proof', null],
      ['no proof', 'proof_missing'],
    ])
  })

  test('while the database cannot store a form, the page keeps what the person typed, and sending it again stores it once', async () => {
    const org = await app.newOrg()
    const { formId } = await newLiveForm(org)
    const refuse = `
      create function refuse_form() returns trigger language plpgsql as $$
        begin raise exception 'disk full' using errcode = '53100'; end $$;
      create trigger refuse_form before insert on form_submission for each row
        when (new.form_id = '${formId}') execute function refuse_form()`
    await runAsOwner(app.databaseUrl, refuse)
    const page = await postPage(app, formId, { ...ada, wish: 'A long <story>' })
    await runAsOwner(app.databaseUrl, 'drop function refuse_form cascade')
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2'])
    expect(page.text).toContain('Your answers could not be saved right now')
    expect(page.text).toContain('A long &lt;story&gt;')
    const [, challenge = ''] = /name="challenge" value="([^"]+)"/.exec(page.text) ?? []
    for (let sent = 0; sent < 2; sent++)
      expect((await postPage(app, formId, { ...ada, wish: 'A long <story>', challenge })).status).toBe(303)
    expect(await submissionsOf(org)).toMatchObject([
      { status: 'accepted', answers: { wish: 'A long <story>' } },
    ])
  })

  test('an address may send 300 unreadable submissions a minute', async () => {
    const form = await newLiveForm(await app.newOrg())
    const unreadable = { prefix: '', raw: '[', headers: { 'x-forwarded-for': '10.9.9.8' } }
    const send = () => app.stranger.post(`/f/${form.formId}/submissions`, undefined, unreadable)
    const statuses = new Set<number>()
    for (let sent = 0; sent < 320; sent += 20)
      for (const { status } of await Promise.all(Array.from({ length: 20 }, send))) statuses.add(status)
    expect(statuses).toEqual(new Set([422, 429]))
    expect((await sendForm(app, form, { answers: ada })).status).toBe(200)
  })

  test('an address may send five forms a minute', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const from = { 'x-forwarded-for': '10.9.9.9' }
    for (let sent = 0; sent < 5; sent++)
      expect((await sendForm(app, form, { answers: { ...ada, wish: String(sent) } }, from)).status).toBe(200)
    const refused = await sendForm(app, form, { answers: ada }, from)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const page = await postPage(app, form.formId, ada, from)
    expect([page.status, page.text.includes('value="Ada"')]).toEqual([429, true])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each<[string, object, string[]]>([
    ['an answer without @', { answers: { email: 'nobody' } }, ['body', 'answers', 'email']],
    ['a missing answer', { answers: {} }, ['body', 'answers', 'email']],
    ['a card number', { answers: { ...ada, wish: '4111 1111 1111 1111' } }, ['body', 'answers', 'wish']],
  ])('%s is refused at its field, and nothing is stored', async (_name, body, loc) => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const answer = await sendForm(app, form, body)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc])
    expect(await submissionsOf(org)).toEqual([])
  })

  test.each<[string, object, number]>([
    ['an object as the consent', { answers: ada, consent: { toString: 1 } }, 422],
    ['deep lists as an answer', { answers: { ...ada, name: nested(10_000) } }, 422],
    ['deep lists as the consent', { answers: ada, consent: nested(10_000) }, 422],
    ['lists as an answer', { answers: { ...ada, name: nested(50) } }, 422],
  ])('a form with %s is refused', async (_title, body, status) => {
    const form = await newLiveForm(await app.newOrg(), {
      consent: { text: 'News?', required: true, channels: ['email'] },
    })
    const answer = await sendForm(app, form, { consent: true, ...body })
    expect([answer.status, answer.body.code]).toEqual([status, 'validation_failed'])
  })

  test('a write key opens only forms of its organization and its purpose, on the sites of both', async () => {
    const [org, other] = await Promise.all([app.newOrg(), app.newOrg()])
    const form = await newLiveForm(org, { origins: ['https://a.example.com'] })
    const foreign = await newLiveForm(other)
    const { data: tracking } = (await org.post('/write-keys', { name: 'Site' })).body
    const read = (formId: string, key: string, origin: string) =>
      app.stranger.get(`/f/${formId}/definition?writeKey=${key}`, { prefix: '', headers: { origin } })
    const shown = await read(form.formId, form.key, 'https://a.example.com')
    expect(shown.body).toMatchObject({
      form_id: form.formId,
      fields: [{ key: 'email', autocomplete: 'email' }, {}, {}],
    })
    expect(shown.text).not.toContain('maps_to')
    expect(shown.headers.get('access-control-allow-origin')).toBe('*')
    expect((await read(form.formId, form.key, 'https://b.example.com')).status).toBe(403)
    expect((await read(foreign.formId, form.key, 'https://a.example.com')).status).toBe(404)
    expect((await read(form.formId, tracking.key, 'https://a.example.com')).status).toBe(403)
    await org.patch(`/forms/${form.formId}`, { status: 'archived' })
    expect((await read(form.formId, form.key, 'https://a.example.com')).status).toBe(404)
  })

  test('a person marks spam, which archives the contact, and restores it', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    await sendForm(app, form, { answers: ada })
    const [{ submission_id: id, contact_id: contactId }] = await submissionsOf(org)
    const marked = await org.post(`/forms/submissions/${id}/spam`)
    expect(marked.body.data).toMatchObject({ status: 'spam', spam_reason: 'person' })
    expect(await contactsOf(org)).toEqual([])
    const restored = await org.post(`/forms/submissions/${id}/restore`)
    expect(restored.body.data).toMatchObject({ status: 'accepted', spam_reason: null, created_contact: true })
    expect(restored.body.data.contact_id).not.toBe(contactId)
    expect(await contactsOf(org)).toMatchObject([{ email: 'Ada@example.com' }])
  })

  test('a revert removes the contacts that only the submissions of the window made', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const send = (email: string, anonymousId: string) =>
      sendForm(app, form, { answers: { email }, anonymousId })
    for (const [email, visitor] of [
      ['junk@example.com', 'v1'],
      ['changed@example.com', 'v2'],
      ['early@example.com', 'v3'],
    ] as const)
      await send(email, visitor)
    const early =
      "update form_submission set created_at = now() - interval '1 day' where org_id = $1 and answers->>'email' = 'early@example.com'"
    await runAsOwner(app.databaseUrl, early, [org.orgId])
    const changed = (await contactsOf(org)).find(
      ({ email }: { email: string }) => email === 'changed@example.com',
    )
    await org.patch(`/contacts/${changed.contact_id}`, { city: 'London' })
    const since = Math.floor(Date.now() / 1000) - 3_600
    const reverted = await org.post(`/forms/${form.formId}/revert`, { since })
    expect(reverted.body.data).toEqual({ submissions: 2, contacts: 2 })
    await vi.waitFor(
      async () =>
        expect((await contactsOf(org)).map(({ email }: { email: string }) => email).sort()).toEqual([
          'changed@example.com',
          'early@example.com',
        ]),
      patience,
    )
    expect((await submissionsOf(org, 'status=reverted')).length).toBe(2)
    expect((await org.get(`/forms/${form.formId}`)).body.data.submissions).toBe(1)
  })

  test('a submission that is restored before the job of its revert ran makes a new contact, as after the job', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const since = Math.floor(Date.now() / 1000) - 3_600
    for (const name of ['Ada', 'Eve'])
      await sendForm(app, form, { answers: { ...ada, name }, anonymousId: 'v1' })
    const [{ contact_id: before }, { submission_id: first }] = await submissionsOf(org)
    // As the revert leaves the submissions to its job.
    const revert = "update form_submission set status = 'reverted', reverting = true where org_id = $1"
    await runAsOwner(app.databaseUrl, revert, [org.orgId])
    const restored = (await org.post(`/forms/submissions/${first}/restore`)).body.data
    expect(restored).toMatchObject({ status: 'accepted', created_contact: true })
    const [contact, ...others] = await contactsOf(org)
    expect([contact, others]).toMatchObject([{ contact_id: restored.contact_id, first_name: 'Ada' }, []])
    expect(contact.contact_id).not.toBe(before)
    await org.post(`/forms/${form.formId}/revert`, { since })
    await vi.waitFor(async () => expect(await contactsOf(org)).toEqual([]), patience)
  })

  test('no submission changes one byte of a contact that somebody else made', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const victim = {
      email: 'ada@example.com',
      phone: '+12025550100',
      first_name: 'Ada',
      external_ids: { shop: '1' },
    }
    await org.post('/contacts', victim)
    const rows = () =>
      runAsOwner(
        app.databaseUrl,
        `select to_jsonb(c)::text as row from contact c where org_id = $1 and claimed_by is null`,
        [org.orgId],
      )
    const before = await rows()
    const email = fc.constantFrom('ada@example.com', ' ADA@example.com ', 'ada+x@example.com')
    const sent = fc.record({
      answers: fc.record({ email, name: fc.string({ maxLength: 50 }), wish: fc.string({ maxLength: 50 }) }),
      anonymousId: fc.constantFrom('1', 'shop', 'ada@example.com', before.length),
    })
    await fc.assert(
      fc.asyncProperty(sent, async (body) => {
        expect((await sendForm(app, form, body)).status).toBe(200)
        expect(await rows()).toEqual(before)
      }),
      { numRuns: 15 },
    )
  })
})
