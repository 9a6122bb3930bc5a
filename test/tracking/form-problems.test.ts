import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

const size = { key: 'size', label: 'Size', type: 'select', options: ['S', 'XL'], maps_to: 'custom.size' }
const email = { key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' }

/** An organization with a form that fills the defined field `size` of contacts. */
async function newForm(): Promise<{ org: TestOrg; fieldId: string; formId: string }> {
  const org = await app.newOrg()
  const defined = { entity: 'contact', key: 'size', label: 'Size', type: 'select', options: ['S', 'XL'] }
  const field = await org.post('/fields', defined)
  expect(field.status, field.text).toBe(201)
  const form = await org.post('/forms', { name: 'Sizes', status: 'live', fields: [email, size] })
  expect([form.status, form.body.data.problem]).toEqual([201, null])
  return { org, fieldId: field.body.data.field_id, formId: form.body.data.form_id }
}

/** The problem of the only form, as its list and its own address tell it. */
async function problemsOf(org: TestOrg, formId: string): Promise<string | null> {
  const [list, one] = [await org.get('/forms'), await org.get(`/forms/${formId}`)]
  expect(list.body.data).toEqual([one.body.data])
  return one.body.data.problem
}

test.each([
  [
    'another type',
    (org: TestOrg, id: string) => org.patch(`/fields/${id}`, { type: 'number' }),
    (org: TestOrg, id: string) => org.patch(`/fields/${id}`, { type: 'select', options: ['S', 'XL'] }),
    'The answers to “Size” stay in the submissions and do not fill custom.size: answers of type select do not fit this field, whose type is number. Edit the form.',
  ],
  [
    'fewer options',
    (org: TestOrg, id: string) => org.patch(`/fields/${id}`, { options: ['S'] }),
    (org: TestOrg, id: string) => org.patch(`/fields/${id}`, { options: ['S', 'XL'] }),
    'The answers to “Size” stay in the submissions and do not fill custom.size: the defined field has no option "XL". Edit the form.',
  ],
  [
    'unique values',
    (org: TestOrg, id: string) => org.patch(`/fields/${id}`, { type: 'text', unique: true }),
    (org: TestOrg, id: string) =>
      org.patch(`/fields/${id}`, { unique: false, type: 'select', options: ['S', 'XL'] }),
    'The answers to “Size” stay in the submissions and do not fill custom.size: a form never fills a unique field. Edit the form.',
  ],
  [
    'no definition any more',
    (org: TestOrg, id: string) => org.delete(`/fields/${id}`),
    (org: TestOrg) =>
      org.post('/fields', {
        ...{ entity: 'contact', key: 'size', label: 'Size', type: 'select' },
        options: ['S', 'XL'],
      }),
    'The answers to “Size” stay in the submissions and do not fill custom.size: contacts have no defined field with this key; define it first. Edit the form.',
  ],
])(
  'a form whose field has %s says what no longer fits, until it fits again',
  async (_, change, restore, problem) => {
    const { org, fieldId, formId } = await newForm()
    const changed = await change(org, fieldId)
    expect(changed.status, changed.text).toBeLessThan(300)
    expect(await problemsOf(org, formId)).toBe(problem)
    const restored = await restore(org, fieldId)
    expect(restored.status, restored.text).toBeLessThan(300)
    expect(await problemsOf(org, formId)).toBeNull()
  },
)

test('a change of the form answers with its problem', async () => {
  const { org, fieldId, formId } = await newForm()
  await org.delete(`/fields/${fieldId}`)
  const renamed = await org.patch(`/forms/${formId}`, { name: 'Other name' })
  expect([renamed.status, renamed.body.data.problem]).toEqual([200, expect.stringContaining('“Size”')])
  const mended = await org.patch(`/forms/${formId}`, { fields: [email] })
  expect([mended.status, mended.body.data.problem]).toEqual([200, null])
})

test('two questions that do not fit are both named, and publishing names the question, too', async () => {
  const { org, fieldId, formId } = await newForm()
  const color = { key: 'color', label: 'Color', type: 'text' }
  const { field_id: colorId } = (await org.post('/fields', { entity: 'contact', ...color })).body.data
  const fields = [email, size, { ...color, maps_to: 'custom.color' }]
  expect((await org.patch(`/forms/${formId}`, { fields })).status).toBe(200)
  for (const id of [fieldId, colorId]) await org.delete(`/fields/${id}`)
  expect(await problemsOf(org, formId)).toMatch(/“Size” .*“Color” .*Edit the form\.$/)
  expect((await org.patch(`/forms/${formId}`, { status: 'draft' })).status).toBe(200)
  const published = await org.patch(`/forms/${formId}`, { status: 'live' })
  expect(published.status).toBe(422)
  expect(published.body.detail).toMatchObject([
    {
      loc: ['body', 'fields', 1, 'maps_to'],
      msg: expect.stringContaining('“Size” cannot fill custom.size: '),
    },
    {
      loc: ['body', 'fields', 2, 'maps_to'],
      msg: expect.stringContaining('“Color” cannot fill custom.color: '),
    },
  ])
})
