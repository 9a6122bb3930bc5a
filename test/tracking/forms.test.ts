import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { newLiveForm, postPage, sendForm } from '../support/form-pages.ts'
import { fromNewAddress } from '../support/new-address.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const email = { key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' }

async function newForm(org: Pick<TestOrg, 'post'>, body: object = {}) {
  const answer = await org.post('/forms', { name: 'Demo', fields: [email], ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

describe('forms', () => {
  test('a new form has the defaults, and every read shows it', async () => {
    const org = await app.newOrg()
    const made = await newForm(org)
    expect(made).toEqual({
      form_id: expect.any(String),
      name: 'Demo',
      status: 'draft',
      title: 'Demo',
      description: '',
      fields: [{ ...email, options: [], hint: null }],
      consent: null,
      call_back: null,
      submit_label: 'Send',
      thank_you: { text: 'Thank you. We got your answers.', url: null },
      origins: [],
      problem: null,
      submissions: 0,
      version: 1,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    expect((await org.get(`/forms/${made.form_id}`)).body.data).toEqual(made)
    expect((await org.get('/forms')).body.data).toEqual([made])
  })

  test('each change of a form makes a version, and equal values make none', async () => {
    const org = await app.newOrg()
    const { form_id: id } = await newForm(org)
    const consent = { text: 'News, please.', channels: ['email'], required: false }
    expect((await org.patch(`/forms/${id}`, { name: 'Demo' })).body.data.version).toBe(1)
    const changed = await org.patch(`/forms/${id}`, { consent, status: 'live' })
    expect(changed.body.data).toMatchObject({ version: 2, consent, status: 'live' })
    const { data } = (await org.get(`/forms/${id}/versions`)).body
    expect(data).toMatchObject([
      { version: 2, consent },
      { version: 1, consent: null },
    ])
    const { body } = await org.get(`/events?object_id=${id}`)
    expect(body.data.map(({ type, changed }: never) => [type, changed])).toEqual([
      ['form.updated', ['status', 'consent']],
      ['form.created', null],
    ])
  })

  test('a form without submissions can be deleted', async () => {
    const org = await app.newOrg()
    const { form_id: id } = await newForm(org)
    expect((await org.delete(`/forms/${id}`)).status).toBe(204)
    expect((await org.get(`/forms/${id}`)).status).toBe(404)
    expect((await org.get(`/forms/${id}/versions`)).status).toBe(404)
  })

  test.each([
    ['a field that asks for a password', { key: 'user_password', label: 'Your word' }, 'key'],
    ['a label that asks for a card number', { key: 'a', label: 'Card number' }, 'label'],
    ['a label that asks for the PIN', { key: 'a', label: 'Your PIN' }, 'label'],
    ['a key that the page uses itself', { key: 'challenge', label: 'A' }, 'key'],
    ['a key with capital letters', { key: 'Name', label: 'A' }, 'key'],
    ['a select without options', { key: 'a', label: 'A', type: 'select' }, 'options'],
    ['options of a text', { key: 'a', label: 'A', options: ['one'] }, 'options'],
    ['an unknown field of contacts', { key: 'a', label: 'A', maps_to: 'owner_id' }, 'maps_to'],
    ['a text for a telephone number', { key: 'a', label: 'A', maps_to: 'phone' }, 'maps_to'],
    ['an undefined field', { key: 'a', label: 'A', maps_to: 'custom.none' }, 'maps_to'],
    ['a unique field', { key: 'a', label: 'A', maps_to: 'custom.badge' }, 'maps_to'],
    ['a text for a defined number', { key: 'a', label: 'A', maps_to: 'custom.seats' }, 'maps_to'],
    [
      'an option that the defined field does not have',
      { key: 'a', label: 'A', type: 'select', options: ['Gold', 'Iron'], maps_to: 'custom.plan' },
      'maps_to',
    ],
  ])('a form refuses %s', async (_name, field, member) => {
    const answer = await shared.post('/forms', { name: 'Demo', fields: [email, field] })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'fields', 1, member],
    ])
  })

  test.each([
    { thank_you: { url: 'javascript:alert(1)' } },
    { thank_you: { url: 'https://a.example;img-src/' } },
    { origins: ['https://a.example;script-src-elem', 'https://evil.example'] },
  ])('a form refuses addresses that would change the security policy of its page: %j', async (body) => {
    expect((await shared.post('/forms', { name: 'Demo', fields: [email], ...body })).status).toBe(422)
  })

  test('a form accepts fields that only look like secrets, and defined fields that fit', async () => {
    const fields = [
      { key: 'shipping', label: 'Shipping address', type: 'textarea' },
      { key: 'business_card', label: 'May we send a business card?', type: 'checkbox' },
      { key: 'seats', label: 'Seats', type: 'number', maps_to: 'custom.seats' },
      { key: 'plan', label: 'Plan', type: 'select', options: ['Silver'], maps_to: 'custom.plan' },
    ]
    expect(await newForm(shared, { fields })).toMatchObject({ fields })
  })
})

describe('the public side of a form', () => {
  test('an address that asks for many unknown forms is refused, and still opens known ones', async () => {
    const form = await newLiveForm(await app.newOrg())
    const headers = fromNewAddress()
    const read = async (formId: string) => {
      const path = `/f/${formId}/definition?writeKey=${form.key}`
      return (await app.stranger.get(path, { prefix: '', headers })).status
    }
    expect(await read(form.formId)).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 40 }, () => read(randomUUID())))
    expect(new Set(guesses)).toEqual(new Set([404, 429]))
    expect(await read(form.formId)).toBe(200)
  })

  test('an answer that its defined field no longer accepts does not prevent the contact from getting the other fields', async () => {
    const org = await app.newOrg()
    const tier = { key: 'tier', type: 'select', options: ['Gold', 'Silver'] }
    const defined = (await org.post('/fields', { entity: 'contact', ...tier })).body.data
    await org.post('/fields', { entity: 'contact', key: 'seats', type: 'number' })
    const fields = [
      { key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' },
      { ...tier, label: 'Tier', maps_to: 'custom.tier' },
      { key: 'seats', label: 'Seats', type: 'number', maps_to: 'custom.seats' },
    ]
    const form = await newLiveForm(org, { fields })
    await org.patch(`/fields/${defined.field_id}`, { rename_options: [{ from: 'Gold', to: 'Platinum' }] })
    await sendForm(app, form, { answers: { email: 'ada@example.com', tier: 'Gold', seats: 5 } })
    const [contacts, submissions] = await Promise.all([org.get('/contacts'), org.get('/forms/submissions')])
    expect(contacts.body.data).toMatchObject([{ email: 'ada@example.com', custom: { seats: 5 } }])
    expect(contacts.body.data[0].custom).not.toHaveProperty('tier')
    expect(submissions.body.data).toMatchObject([{ status: 'accepted', answers: { tier: 'Gold', seats: 5 } }])
  })

  test('the page redirects to a thank-you address with characters that no header may have', async () => {
    const { formId } = await newLiveForm(await app.newOrg(), {
      thank_you: { url: 'https://www.example.com/спасибо\n' },
    })
    const sent = await postPage(app, formId, { email: 'ada@example.com' })
    const path = '%D1%81%D0%BF%D0%B0%D1%81%D0%B8%D0%B1%D0%BE'
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `https://www.example.com/${path}`])
  })
})

const shared = await app.newOrg()
await shared.post('/fields', { entity: 'contact', key: 'seats', type: 'number' })
await shared.post('/fields', { entity: 'contact', key: 'badge', type: 'text', unique: true })
await shared.post('/fields', { entity: 'contact', key: 'plan', type: 'select', options: ['Gold', 'Silver'] })

describe('the hosted page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`
  test('the page works without a script, keeps what was typed, and says thank you', async () => {
    const org = await app.newOrg()
    const { formId } = await newLiveForm(org)
    const page = await app.stranger.get(`/f/${formId}`, { prefix: '' })
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page.text).toMatch(/name="challenge" value="[-\w]+\.14\.\d+\.[-\w]+"/)
    const wrong = await postPage(app, formId, { email: 'nobody', name: 'Ada' })
    expect(wrong.status).toBe(422)
    for (const kept of ['aria-invalid="true"', 'value="nobody"', 'value="Ada"'])
      expect(wrong.text).toContain(kept)
    const sent = await postPage(app, formId, { email: 'ada@example.com', name: 'Ada' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/f/${formId}/thanks`])
    expect((await app.stranger.get(`/f/${formId}/thanks`, { prefix: '' })).text).toContain(
      'We got your answers',
    )
    expect((await org.get('/forms/submissions')).body.data).toMatchObject([
      { status: 'accepted', write_key_id: null },
    ])
  })

  test('HTML in the texts of a form, and in what a visitor typed, is shown as text', async () => {
    const org = await app.newOrg()
    const fields = [
      { key: 'a', label: hostile, hint: hostile },
      { key: 'b', label: hostile, type: 'select', options: [hostile] },
      { key: 'c', label: hostile, type: 'multi_select', options: [hostile] },
      { key: 'd', label: hostile, type: 'textarea' },
    ]
    const texts = { title: hostile, description: hostile, submit_label: hostile }
    const { formId } = await newLiveForm(org, {
      ...{ fields, ...texts, consent: { text: hostile, channels: ['email'] } },
      thank_you: { text: hostile },
    })
    const typed = { a: hostile, b: hostile, d: `</textarea>${hostile}` }
    for (const page of [
      await app.stranger.get(`/f/${formId}`, { prefix: '' }),
      await app.stranger.get(`/f/${formId}/thanks`, { prefix: '' }),
      await postPage(app, formId, { ...typed, c: 'unknown option' }),
    ]) {
      expect(page.text.match(/<script>/g)?.length ?? 0).toBeLessThanOrEqual(1)
      expect(page.text).not.toContain('<img')
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/)
    }
  })

  test('a page with ten fields has at most 8 kB, compressed', async () => {
    const org = await app.newOrg()
    const fields = Array.from({ length: 10 }, (_, index) => ({
      ...{
        key: `field_${index}`,
        label: `The question with the number ${index}`,
        hint: `A help for ${index}`,
      },
    }))
    const { formId } = await newLiveForm(org, { fields })
    const { text } = await app.stranger.get(`/f/${formId}`, { prefix: '' })
    expect(gzipSync(text).length).toBeLessThan(8_000)
  })

  test('a live form has a page, which only sites of the form may show in a frame', async () => {
    const org = await app.newOrg()
    const [closed, open] = [
      await newLiveForm(org),
      await newLiveForm(org, { origins: ['https://*.example.com'] }),
    ]
    const draft = await newLiveForm(org, { status: 'draft' })
    for (const id of [draft.formId, '019b76da-a800-7073-997d-633f25a71019', 'none'])
      expect((await app.stranger.get(`/f/${id}`, { prefix: '' })).status).toBe(404)
    const policyOf = async (formId: string) =>
      (await app.stranger.get(`/f/${formId}`, { prefix: '' })).headers.get('content-security-policy')
    expect(await policyOf(closed.formId)).toContain("frame-ancestors 'none'")
    expect(await policyOf(open.formId)).toContain('frame-ancestors https://*.example.com')
  })
})
