import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../support/app.ts'
import { patience } from '../support/patience.ts'

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

async function ready(org: TestClient, body: object = {}) {
  const template = await newTemplate(org)
  return { template, mailbox: await newMailbox(org, { template_id: template.template_id, ...body }) }
}

const read = async (org: TestClient, id: number) => (await org.get(`/signatures/mailboxes/${id}`)).body.data
const push = (org: TestClient, id: number, version: number) =>
  org.post(`/signatures/mailboxes/${id}/push`, { version })

/** Waits until no push is queued or running, and returns the deployment. */
function deployed(org: TestClient, id: number) {
  return vi.waitFor(async () => {
    const { deployment } = await read(org, id)
    expect(['queued', 'compiling', 'installing']).not.toContain(deployment.status)
    return deployment
  }, patience)
}

test('of five concurrent requests that give different mailboxes the same address, one succeeds and four get 409', async () => {
  const org = await app.newOrg()
  const ids = []
  for (let n = 0; n < 4; n++) ids.push((await newMailbox(org)).mailbox_id)
  for (let round = 0; round < 3; round++) {
    const email = `taken${round}@example.com`
    const answers = await Promise.all([
      ...ids.map((id) => org.patch(`/signatures/mailboxes/${id}`, { email })),
      org.post('/signatures/mailboxes', { email }),
    ])
    const statuses = answers.map(({ status }) => (status < 300 ? 'done' : status))
    expect(statuses.sort()).toEqual([409, 409, 409, 409, 'done'])
  }
})

test('a template of more than 25,000 characters gets 422 string_too_long', async () => {
  const org = await app.newOrg()
  const { status, body } = await org.post('/signatures/templates', { name: 'Long', html: ' '.repeat(25_001) })
  expect(status).toBe(422)
  expect(body.detail).toMatchObject([
    { type: 'string_too_long', loc: ['body', 'html'], ctx: { max_length: 25_000 } },
  ])
})

test('a push compiles and installs the signature that the preview shows', async () => {
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
  const deployment = await deployed(org, mailbox.mailbox_id)
  expect(deployment).toMatchObject({ status: 'installed', revision: 1, error: null, mode: 'live' })
  const { body } = await org.get(`/signatures/mailboxes/${mailbox.mailbox_id}/preview`)
  expect(body.data.html).toContain('<b>Ada</b>')
  expect(body.data.html).toContain('Analyst, Acme')
  expect(body.data.html_sha256).toBe(deployment.html_sha256)
  const kept = await org.get(`/signatures/mailboxes/${mailbox.mailbox_id}/sandbox`)
  expect(kept.body.data).toMatchObject({ html: body.data.html, text: body.data.text, revision: 1 })
  const done = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
  expect(done.body.data).toMatchObject({ status: 'installed', version: 1, revision: 1, error: null })
})

describe('the preview of a template that is not stored', () => {
  const preview = (org: TestClient, body: object) => org.post('/signatures/templates/preview', body)

  test('it shows the data of the mailbox, and the line of a name that the data lacks', async () => {
    const org = await app.newOrg()
    const { mailbox_id } = await newMailbox(org, { fields: { title: 'Analyst' } })
    const source = '<p>{{ display_name }}</p>\n<p>{{ title }}\n{{ titel }}</p>'
    const { status, body } = await preview(org, { html: source, mailbox_id })
    expect([status, body.data.html]).toEqual([200, '<p>Ada</p> <p>Analyst </p>'])
    expect(body.data).toMatchObject({ text: expect.stringContaining('Analyst'), size: body.data.html.length })
    expect(body.data.warnings).toEqual([
      { code: 'unknown_name', message: expect.stringContaining('“titel”'), part: 'html', line: 3 },
    ])
    expect((await org.get('/signatures/templates')).body.data).toEqual([])
  })

  test('without a mailbox, each name in the template shows itself', async () => {
    const org = await app.newOrg()
    const source = `{% if fields.role %}{{ role }}, {% endif %}<a href="tel:{{ mobile }}">{{ mobile }}</a> <b>{{ persona.name | upcase }}</b>, {{ org.name }}
      <a href="{{ site_url }}">{{ email }}</a>`
    const { body } = await preview(org, { html: source, text: '{{ first_line }}' })
    expect(body.data.html).toContain(
      'role, <a href="tel:+12025550100">+1 202 555 0100</a> <b>PERSONA.NAME</b>, org.name',
    )
    expect(body.data.html).toContain('<a href="https://example.com/site_url">email@example.com</a>')
    expect(body.data).toMatchObject({ text: 'first_line', warnings: [] })
  })

  test.each([
    [{ html: 'ok', text: 'a\n{{ x | nope }}' }, 422, 'there is no filter “nope”', '(line 2, column 1)'],
    [{ html: '<p>\n{% if a %}</p>' }, 422, 'is not closed', '(line 2, column 1)'],
    [{ html: 'ok', mailbox_id: 1 }, 404, 'mailbox_id: No mailbox', 'id'],
  ])('%o gets %i, and the message says where the fault is', async (body, status, words, place) => {
    const answer = await preview(await app.newOrg(), body)
    const detail = answer.body.detail[0]?.msg ?? answer.body.detail
    expect([answer.status, detail]).toEqual([status, expect.stringContaining(words)])
    expect(answer.text).toContain(place)
  })
})

describe('versions', () => {
  test('a push with an outdated version gets a 409 that names both versions, and changes nothing', async () => {
    const org = await app.newOrg()
    const { mailbox } = await ready(org)
    await org.patch(`/signatures/mailboxes/${mailbox.mailbox_id}`, { display_name: 'Bea' })
    const answer = await push(org, mailbox.mailbox_id, 1)
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toBe(
      'The push names version 1, but this mailbox is at version 2: read it again and repeat the request on what it is now',
    )
    expect((await org.get('/signatures/pushes')).body.data).toEqual([])
    expect((await read(org, mailbox.mailbox_id)).deployment.status).toBe('never')
  })

  test('each change of a mailbox or its template increases the mailbox version, except a new template name', async () => {
    const org = await app.newOrg()
    const { template, mailbox } = await ready(org)
    const at = `/signatures/templates/${template.template_id}`
    const version = async () => (await read(org, mailbox.mailbox_id)).version
    await org.patch(at, { name: 'Renamed' })
    expect(await version()).toBe(1)
    await org.patch(at, { html: '<b>{{ email }}</b>' })
    expect(await version()).toBe(2)
    await org.patch(at, { html: '<b>{{ email }}</b>' })
    expect(await version()).toBe(2)
    await org.patch(`/signatures/mailboxes/${mailbox.mailbox_id}`, { fields: { title: 'Chief' } })
    expect(await version()).toBe(3)
    await org.patch(`/signatures/mailboxes/${mailbox.mailbox_id}`, { template_id: null })
    expect(await version()).toBe(4)
    await org.patch(at, { text: 'plain' })
    expect(await version()).toBe(4)
  })

  test('after 50 concurrent pushes and edits, the newest version of a mailbox is installed', async () => {
    const org = await app.newOrg()
    const { template, mailbox } = await ready(org)
    const id = mailbox.mailbox_id
    const edits = [
      () => org.patch(`/signatures/mailboxes/${id}`, { fields: { title: 'First' } }),
      () => org.patch(`/signatures/templates/${template.template_id}`, { html: '<i>{{ title }}</i>' }),
      () => org.patch(`/signatures/mailboxes/${id}`, { fields: { title: 'Last' } }),
    ]
    const requests = Array.from({ length: 50 }, (_, index) =>
      index % 15 === 7 ? edits[Math.floor(index / 15)]!() : push(org, id, 1),
    )
    const answers = await Promise.all(requests)
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 409])
    const last = await read(org, id)
    expect(last.version).toBe(4)
    expect((await push(org, id, 4)).status).toBe(200)
    const deployment = await deployed(org, id)
    expect(deployment).toMatchObject({ status: 'installed', revision: 4 })
    const preview = await org.get(`/signatures/mailboxes/${id}/preview`)
    expect(preview.body.data.html_sha256).toBe(deployment.html_sha256)
    const { body } = await org.get('/signatures/pushes?limit=100')
    for (const each of body.data) {
      expect(each.status).toBe('installed')
      expect(each.revision).toBeGreaterThanOrEqual(each.version)
    }
    expect(body.data).toHaveLength(answers.filter(({ body }) => body.data?.push_id).length + 1)
  })
})

describe('rollouts', () => {
  test('a rollout ends with the status of each mailbox', async () => {
    const org = await app.newOrg()
    const { template_id } = await newTemplate(org)
    for (const email of ['a@example.com', 'b+refused@example.com', 'c+busy@example.com'])
      await newMailbox(org, { email, template_id })
    await newMailbox(org)
    const answer = await org.post(`/signatures/templates/${template_id}/push`, { version: 1 })
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body.data).toMatchObject({ status: 'running', counts: { mailboxes: 3, queued: 3 } })
    const rollout = await vi.waitFor(async () => {
      const { body } = await org.get(`/signatures/rollouts/${answer.body.data.rollout_id}`)
      expect(body.data.status).toBe('finished')
      return body.data
    }, patience)
    expect(rollout.counts).toMatchObject({ mailboxes: 3, installed: 2, failed: 1, queued: 0 })
    const failed = await org.get(`/signatures/pushes?rollout_id=${rollout.rollout_id}&status=failed`)
    expect(failed.body.data).toMatchObject([
      { error: { code: 'provider_refused', message: 'The sandbox refuses addresses with +refused' } },
    ])
  })
})

describe('a manual install', () => {
  test('the log never contains the address of a manual page', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    const node = await startTestApp({}, { databaseUrl: app.databaseUrl }, log)
    onTestFinished(() => node.close({ leavesJobs: true }))
    const [token, offer] = [app.app.context.orgTokens.make(randomUUID()), randomUUID()]
    const page = `/install-signature/${token}/${offer}`
    for (const [method, path] of [
      ['GET', page],
      ['HEAD', page],
      ['GET', `${page}/signature.eml`],
      ['POST', `${page}/confirm`],
      ['PUT', `${page}/confirm`],
      ['POST', `/hooks/voice/simulator/${token}`],
      ['GET', `/v1${page}`],
    ] as const)
      expect((await node.stranger.send(method, path, { prefix: '' })).status).toBeGreaterThan(399)
    await vi.waitFor(
      () => expect(lines.join('')).toContain('"route":"/hooks/voice/:provider/:token"'),
      patience,
    )
    expect(lines.filter((line) => line.includes(token) || line.includes(offer))).toEqual([])
  })

  test('the owner of a mailbox copies the signature from the manual page, and can confirm the install once', async () => {
    const org = await app.newOrg()
    const { mailbox } = await ready(org, { provider: 'manual' })
    const id = mailbox.mailbox_id
    const { body } = await push(org, id, 1)
    expect(await deployed(org, id)).toMatchObject({ status: 'manual_pending', revision: null })
    const pending = (await org.get(`/signatures/pushes/${body.data.push_id}`)).body.data
    expect(pending).toMatchObject({ status: 'manual_pending', revision: 1 })
    const path = new URL(pending.install_url).pathname
    const get = (more = '', init?: RequestInit) => fetch(`${app.address}${path}${more}`, init)
    const page = await get()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(await page.text()).toContain('<b>Ada</b>')
    const draft = await (await get('/signature.eml')).text()
    expect(draft).toContain('X-Unsent: 1\r\n')
    expect(Buffer.from(draft.split('\r\n\r\n')[3]!, 'base64').toString()).toContain('<b>Ada</b>')
    expect((await get('/confirm', { method: 'POST' })).status).toBe(200)
    expect((await read(org, id)).deployment).toMatchObject({ status: 'installed', revision: 1 })
    const done = (await org.get(`/signatures/pushes/${body.data.push_id}`)).body.data
    expect(done).toMatchObject({ status: 'installed', install_url: null })
    expect((await get()).status).toBe(410)
    // Pages of other origins may send the request: everybody who knows the address may install the signature.
    const elsewhere = { method: 'POST', headers: { origin: 'https://elsewhere.example' } }
    expect((await get('/confirm', elsewhere)).status).toBe(200)
    const events = await org.get('/events?type=signature.installed')
    expect(events.body.data).toHaveLength(1)
  })

  test('a newer push closes the manual page of the earlier push', async () => {
    const org = await app.newOrg()
    const { mailbox } = await ready(org, { provider: 'manual' })
    const urlOf = async (version: number) => {
      const { body } = await push(org, mailbox.mailbox_id, version)
      await deployed(org, mailbox.mailbox_id)
      const { install_url } = (await org.get(`/signatures/pushes/${body.data.push_id}`)).body.data
      return app.address + new URL(install_url).pathname
    }
    const [first, second] = [await urlOf(1), await urlOf(1)]
    expect((await fetch(first)).status).toBe(404)
    expect((await fetch(`${first}/confirm`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(second)).status).toBe(200)
    expect((await fetch(second.replace(/[^/]+\/[^/]+$/, 'x/y'))).status).toBe(404)
  })
})
