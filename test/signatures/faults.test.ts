import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
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

async function pushed(org: TestOrg, mailboxId: number, version: number) {
  const answer = await org.post(`/signatures/mailboxes/${mailboxId}/push`, { version })
  expect(answer.status, answer.text).toBe(200)
  return vi.waitFor(async () => {
    const { body } = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
    expect(body.data.finished_at).not.toBeNull()
    return body.data
  }, patience)
}

describe('a manual install', () => {
  test('the page of an old push cannot be confirmed after another provider installed a newer revision', async () => {
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

  test('an install from the page also ends the pushes of earlier revisions', async () => {
    const org = await app.newOrg()
    const id = await newMailbox(org, { provider: 'manual', template_id: await newTemplate(org) })
    const earlier = await pushed(org, id, 1)
    expect((await org.patch(`/signatures/mailboxes/${id}`, { display_name: 'Ada L.' })).status).toBe(200)
    const later = await pushed(org, id, 2)
    expect([earlier, later]).toMatchObject([
      { status: 'manual_pending', revision: 1 },
      { status: 'manual_pending', revision: 2 },
    ])
    const page = app.address + new URL(later.install_url).pathname
    expect((await fetch(`${page}/confirm`, { method: 'POST' })).status).toBe(200)
    for (const { push_id } of [earlier, later])
      expect((await org.get(`/signatures/pushes/${push_id}`)).body.data).toMatchObject({
        status: 'installed',
        revision: 2,
      })
  })

  test('a push with a test key does not close the page of an earlier push', async () => {
    const org = await app.newOrg()
    const id = await newMailbox(org, { provider: 'manual', template_id: await newTemplate(org) })
    const { install_url } = await pushed(org, id, 1)
    expect(await pushed(await app.newKey(org.orgId, { mode: 'test' }), id, 1)).toMatchObject({
      status: 'installed',
    })
    expect((await fetch(app.address + new URL(install_url).pathname)).status).toBe(200)
  })
})

describe('credentials', () => {
  const accountOf = (modulusLength: number) => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    return { client_email: 'signatures@project.iam.gserviceaccount.com', private_key: privateKey }
  }

  test('a service account with an RSA key below 2,048 bits gets 422, since Google would refuse every push', async () => {
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
  ])('a template such as %j gets 422 with line and column', async (html, words) => {
    const org = await app.newOrg()
    const answer = await org.post('/signatures/templates', { name: 'Plain', html })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'html'], msg: expect.stringMatching(words) })
  })

  test('if a template does too much work, its push fails with line and column', async () => {
    const org = await app.newOrg()
    const html = '<p>\n{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}'
    const id = await newMailbox(org, { template_id: await newTemplate(org, html) })
    expect(await pushed(org, id, 1)).toMatchObject({
      status: 'failed',
      error: {
        code: 'template_invalid',
        message: expect.stringMatching(/does too much.*\(line \d, column \d+\)$/),
      },
    })
  })
})

describe('tenancy', () => {
  test('another organization gets 404 for every id, and an agency’s key reaches the objects only when it acts on the client', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    const [client, other] = [await app.newOrg(), await app.newOrg()]
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    const on = { headers: { 'x-target-org-id': client.orgId } }
    const name = { name: 'Plain', html: '<b>{{ org.name }}</b>' }
    const { template_id } = (await agency.post('/signatures/templates', name, on)).body.data
    const mailbox = { email: 'ada@example.com', template_id, provider: 'manual' }
    const { mailbox_id } = (await agency.post('/signatures/mailboxes', mailbox, on)).body.data
    expect((await agency.post(`/signatures/mailboxes/${mailbox_id}/push`, { version: 1 }, on)).status).toBe(
      200,
    )
    const push = await vi.waitFor(async () => {
      const [found] = (await client.get('/signatures/pushes')).body.data
      expect(found).toMatchObject({ mailbox_id, status: 'manual_pending' })
      return found
    }, patience)
    for (const stranger of [agency, other]) {
      for (const path of [
        `/signatures/templates/${template_id}`,
        `/signatures/mailboxes/${mailbox_id}`,
        `/signatures/mailboxes/${mailbox_id}/preview`,
        `/signatures/mailboxes/${mailbox_id}/sandbox`,
        `/signatures/pushes/${push.push_id}`,
      ])
        expect((await stranger.get(path)).status, path).toBe(404)
      const theirs = [
        stranger.patch(`/signatures/mailboxes/${mailbox_id}`, { display_name: 'Eve' }),
        stranger.post(`/signatures/mailboxes/${mailbox_id}/push`, { version: 1 }),
        stranger.post(`/signatures/templates/${template_id}/push`, { version: 1 }),
        stranger.post('/signatures/mailboxes', { email: 'eve@example.com', template_id }),
        stranger.delete(`/signatures/mailboxes/${mailbox_id}`),
        stranger.delete(`/signatures/templates/${template_id}`),
      ]
      for (const answer of await Promise.all(theirs)) expect(answer.status, answer.text).toBe(404)
    }
    // The page's address contains the org. With another org, the page does not exist.
    const own = await newMailbox(other, { provider: 'manual', template_id: await newTemplate(other) })
    const [, , token] = new URL((await pushed(other, own, 1)).install_url).pathname.split('/')
    const offer = new URL(push.install_url).pathname.split('/').at(-1)
    expect((await fetch(`${app.address}/install-signature/${token}/${offer}`)).status).toBe(404)
  })
})
