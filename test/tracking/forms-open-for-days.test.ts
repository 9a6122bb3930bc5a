import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { newLiveForm, openedChallenge, postPage, sendForm, solve } from '../support/form-pages.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const submissionsOf = async (org: TestOrg) => (await org.get('/forms/submissions')).body.data
const ada = { email: 'Ada@example.com', name: 'Ada', wish: 'Tea' }

test('a form that was open for more than a day is accepted once with its proof of work', async () => {
  const org = await app.newOrg()
  const form = await newLiveForm(org)
  const challenge = openedChallenge(form.formId, 72 * 3_600_000)
  const proof = solve(form.formId, challenge)
  await sendForm(app, form, { answers: ada, challenge, proof })
  await sendForm(app, form, { answers: { ...ada, wish: 'again' }, challenge, proof })
  expect(await submissionsOf(org)).toMatchObject([
    { status: 'spam', spam_reason: 'proof_reused' },
    { status: 'accepted', created_contact: true },
  ])
})

test('a page without a script that was open for more than a day is shown again, and sent at once after that', async () => {
  const org = await app.newOrg()
  const { formId } = await newLiveForm(org)
  const wish = 'A long <story>'
  const challenge = openedChallenge(formId, 25 * 3_600_000)
  const page = await postPage(app, formId, { ...ada, wish, challenge })
  expect(page.status).toBe(422)
  expect(page.text).toContain('This page was open for more than a day')
  expect(page.text).toContain('A long &lt;story&gt;')
  expect(await submissionsOf(org)).toEqual([])
  const [, renewed = ''] = /name="challenge" value="([^"]+)"/.exec(page.text) ?? []
  expect((await postPage(app, formId, { ...ada, wish, challenge: renewed })).status).toBe(303)
  expect(await submissionsOf(org)).toMatchObject([{ status: 'accepted', answers: { wish } }])
})
