import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from './app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const html = '<p><b>{{ display_name }}</b><br>{{ title }}, {{ org.name }}</p>'

async function newTemplate(org: TestClient, body: object = {}) {
  const answer = await org.post('/signatures/templates', { name: 'Plain', html, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

let made = 0
async function newMailbox(org: TestClient, body: object = {}) {
  const email = `person${++made}@example.com`
  const answer = await org.post('/signatures/mailboxes', { email, display_name: 'Ada', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** A mailbox with a template. */
async function ready(org: TestClient, body: object = {}) {
  const template = await newTemplate(org)
  return { template, mailbox: await newMailbox(org, { template_id: template.template_id, ...body }) }
}

const read = async (org: TestClient, id: number) => (await org.get(`/signatures/mailboxes/${id}`)).body.data
const push = (org: TestClient, id: number, version: number) =>
  org.post(`/signatures/mailboxes/${id}/push`, { version })

/** Waits until nothing is under way in a mailbox; its deployment. */
function settled(org: TestClient, id: number) {
  return vi.waitFor(
    async () => {
      const { deployment } = await read(org, id)
      expect(['queued', 'compiling', 'installing']).not.toContain(deployment.status)
      return deployment
    },
    { timeout: 20_000 },
  )
}

test('a signature is compiled and installed', async () => {
  const org = await app.newOrg()
  const { mailbox } = await ready(org, { fields: { title: 'Analyst' } })
  expect(mailbox).toMatchObject({ version: 1, provider: 'sandbox', deployment: { status: 'never' } })
  const answer = await push(org, mailbox.mailbox_id, 1)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    data: {
      mailbox_id: mailbox.mailbox_id,
      version: 1,
      push_id: expect.any(String),
      status: 'queued',
      queued_at: expect.any(Number),
    },
    pagination: null,
  })
  const deployment = await settled(org, mailbox.mailbox_id)
  expect(deployment).toMatchObject({ status: 'installed', revision: 1, last_error: null, mode: 'live' })
  const { body } = await org.get(`/signatures/mailboxes/${mailbox.mailbox_id}/preview`)
  expect(body.data.html).toContain('<b>Ada</b>')
  expect(body.data.html).toContain('Analyst, Acme')
  expect(body.data.html_sha256).toBe(deployment.html_sha256)
  const done = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
  expect(done.body.data).toMatchObject({ status: 'installed', version: 1, revision: 1, error: null })
})
