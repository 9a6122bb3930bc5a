import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from './app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const newTemplate = async (org: TestOrg, html = '<b>{{ display_name }}</b>'): Promise<string> =>
  (await org.post('/signatures/templates', { name: 'Plain', html })).body.data.template_id

async function newMailbox(org: TestOrg, body: object): Promise<number> {
  const answer = await org.post('/signatures/mailboxes', {
    email: 'ada@example.com',
    display_name: 'Ada',
    ...body,
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.mailbox_id
}

/** Pushes a mailbox; how that ended. */
async function pushed(org: TestOrg, mailboxId: number, version: number) {
  const answer = await org.post(`/signatures/mailboxes/${mailboxId}/push`, { version })
  expect(answer.status, answer.text).toBe(200)
  return vi.waitFor(
    async () => {
      const { body } = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
      expect(body.data.finished_at).not.toBeNull()
      return body.data
    },
    { timeout: 20_000 },
  )
}

describe('by hand', () => {
  test('a page of before cannot say that it is installed, once a newer revision is elsewhere', async () => {
    const org = await app.newOrg()
    const id = await newMailbox(org, { provider: 'manual', template_id: await newTemplate(org) })
    const { install_url } = await pushed(org, id, 1)
    await org.patch(`/signatures/mailboxes/${id}`, { provider: 'sandbox' })
    expect(await pushed(org, id, 2)).toMatchObject({ status: 'installed', revision: 2 })
    const page = app.address + new URL(install_url).pathname
    expect((await fetch(page)).status).toBe(404)
    expect((await fetch(`${page}/confirm`, { method: 'POST' })).status).toBe(404)
    const { body } = await org.get(`/signatures/mailboxes/${id}`)
    expect(body.data.deployment).toMatchObject({ status: 'installed', revision: 2 })
  })

  test('a test key’s push leaves the page as it is', async () => {
    const org = await app.newOrg()
    const id = await newMailbox(org, { provider: 'manual', template_id: await newTemplate(org) })
    const { install_url } = await pushed(org, id, 1)
    expect(await pushed(await app.newKey(org.orgId, { mode: 'test' }), id, 1)).toMatchObject({
      status: 'installed',
    })
    expect((await fetch(app.address + new URL(install_url).pathname)).status).toBe(200)
  })
})

describe('a service account', () => {
  const accountOf = (modulusLength: number) => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    return { client_email: 'signatures@project.iam.gserviceaccount.com', private_key: privateKey }
  }

  test('with a key too short to sign in with is refused, rather than keep every push waiting', async () => {
    const org = await app.newOrg()
    const answer = await org.patch('/signatures/settings', { gmail: { service_account: accountOf(1024) } })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].msg).toMatch(/2,048 bits/)
  })
})

describe('a template that cannot be read', () => {
  test.each([
    ['<p>\n  {{ a | nothing }}', /“nothing”.*\(line 2, column 3\)$/],
    ['<p>{{ display_name }', /is not closed \(line 1, column 4\)$/],
  ])('%j is refused with the place', async (html, words) => {
    const org = await app.newOrg()
    const answer = await org.post('/signatures/templates', { name: 'Plain', html })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'html'], msg: expect.stringMatching(words) })
  })

  test('nor one that does too much, whose push says where', async () => {
    const org = await app.newOrg()
    const html = '<p>\n{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}'
    const id = await newMailbox(org, { template_id: await newTemplate(org, html) })
    expect(await pushed(org, id, 1)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/does too much.*\(line \d, column \d+\)$/),
    })
  })
})
