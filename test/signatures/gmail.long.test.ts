import { gmail } from '@googleapis/gmail'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { GmailStandIn, insufficient, tooMany, userRateLimit } from '../support/stand-ins/gmail.ts'

let standIn: GmailStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await GmailStandIn.start()
  app = await startTestApp({ gmailApiUrl: standIn.server.url, googleTokenUrl: standIn.tokenUrl })
})
afterAll(async () => {
  await app.close()
  await standIn.server.close()
})

const html =
  '<p style="margin: 0; color: #123456"><b>{{ display_name }}</b><br><a href="https://example.com/?a=1&amp;b=2">{{ title }}</a></p>'

async function newOrg(): Promise<TestOrg> {
  const org = await app.newOrg()
  const answer = await org.patch('/signatures/settings', { gmail: { service_account: standIn.account } })
  expect(answer.body.data).toEqual({
    gmail: { service_account: { client_email: standIn.account.client_email } },
  })
  return org
}

async function newTemplate(org: TestOrg): Promise<string> {
  const answer = await org.post('/signatures/templates', { name: 'Plain', html })
  return answer.body.data.template_id
}

let made = 0
async function newMailbox(org: TestOrg, template_id: string, email = `user${++made}@example.com`) {
  standIn.addUser(email)
  const body = {
    email,
    display_name: 'Ada & Bob',
    provider: 'gmail',
    template_id,
    fields: { title: 'Analyst' },
  }
  const answer = await org.post('/signatures/mailboxes', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data as { mailbox_id: number; email: string }
}

async function pushed(org: TestOrg, mailboxId: number, version = 1) {
  const answer = await org.post(`/signatures/mailboxes/${mailboxId}/push`, { version })
  expect(answer.status, answer.text).toBe(200)
  return eventually(async () => {
    const { body } = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
    expect(['queued', 'compiling', 'installing']).not.toContain(body.data.status)
    return body.data
  })
}

describe('the Gmail stand-in', () => {
  test('Google’s own SDK lists, changes and reads signatures with the Gmail stand-in', async () => {
    standIn.addUser('sdk@example.com', ['sales@example.com'])
    const headers = { Authorization: `Bearer ${standIn.tokenFor('sdk@example.com')}` }
    const client = gmail({ version: 'v1', rootUrl: `${standIn.server.url}/`, headers })
    const { sendAs } = client.users.settings
    const listed = await sendAs.list({ userId: 'me' })
    expect(listed.data.sendAs?.map(({ sendAsEmail }) => sendAsEmail)).toEqual([
      'sdk@example.com',
      'sales@example.com',
    ])
    const at = { userId: 'me', sendAsEmail: 'sales@example.com' }
    await sendAs.patch({ ...at, requestBody: { signature: '<b>Sales</b>' } })
    expect((await sendAs.get(at)).data.signature).toBe('<div dir="ltr"><b>Sales</b></div>')
    const missing = sendAs.get({ userId: 'me', sendAsEmail: 'nobody@example.com' })
    await expect(missing).rejects.toMatchObject({ status: 404, message: 'Requested entity was not found.' })
    const other = sendAs.list({ userId: 'other@example.com' })
    await expect(other).rejects.toMatchObject({ status: 403 })
  })
})

describe('Gmail', () => {
  test('a push installs the signature, reads it back and compares it', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    expect(await pushed(org, mailbox_id)).toMatchObject({ status: 'installed', revision: 1, error: null })
    expect(standIn.signatureOf(email)).toContain('<b>Ada &amp; Bob</b>')
    const asked = standIn.server.requests.filter(({ path }) => path.includes(encodeURIComponent(email)))
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET'])
  })

  test('a signature that Gmail already has is not written again', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    await pushed(org, mailbox_id)
    await pushed(org, mailbox_id)
    expect(standIn.changes.get(email)).toBe(1)
  })

  test('a push changes the mailbox’s own address, not its alias', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    standIn.addUser(email, ['alias@example.com'])
    expect(await pushed(org, mailbox_id)).toMatchObject({ status: 'installed' })
    expect(standIn.signatureOf('alias@example.com')).toBe('')
  })

  test.concurrent('if the answer to a change is lost, the retry does not change the signature again', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    const on = new RegExp(`^PATCH .*${encodeURIComponent(email)}`)
    standIn.server.fault({ on, when: 'after', how: 'drop' })
    expect(await pushed(org, mailbox_id)).toMatchObject({ status: 'installed' })
    expect(standIn.changes.get(email)).toBe(1)
  })

  test.concurrent.each([
    ['429', tooMany()],
    ['429 with Retry-After', tooMany(1)],
    ['403 userRateLimitExceeded', userRateLimit()],
    ['503', { status: 503, body: 'Service Unavailable' }],
  ])('a push that gets %s is retried', async (_name, refusal) => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    standIn.refusals.set(email, [refusal])
    expect(await pushed(org, mailbox_id)).toMatchObject({ status: 'installed', error: null })
    expect(standIn.changes.get(email)).toBe(1)
  })

  test.concurrent('a push that gets an unreadable answer is retried', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    const on = new RegExp(`^GET .*${encodeURIComponent(email)}`)
    standIn.server.fault({
      on,
      when: 'before',
      how: 'answer',
      status: 200,
      body: '<html>Sign in to the network',
    })
    expect(await pushed(org, mailbox_id)).toMatchObject({ status: 'installed', error: null })
  })

  test('if Gmail’s answer repeats an access token, the error of the push does not contain the token', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    const message = 'Invalid: Bearer ya29.A0-secret_token, assertion=eyJhbGciOi.eyJzdWIi.c2ln&x'
    standIn.refusals.set(email, [{ status: 400, body: { error: { message } } }])
    const { error } = await pushed(org, mailbox_id)
    expect(error.message).toMatch(/Invalid: Bearer …, assertion=…&x$/)
  })

  test.each([
    ['a scope that was not granted', insufficient(), /insufficient authentication scopes/],
    [
      'an invalid request',
      { status: 400, body: { error: { message: 'Invalid signature' } } },
      /Invalid signature/,
    ],
  ])('%s fails the push at once, with Gmail’s message', async (_name, refusal, words) => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    standIn.refusals.set(email, [refusal])
    const push = await pushed(org, mailbox_id)
    expect(push).toMatchObject({ status: 'failed', revision: 1 })
    expect(push.error.message).toMatch(words)
    const { body } = await org.get(`/signatures/mailboxes/${mailbox_id}`)
    expect(body.data.deployment).toMatchObject({ status: 'failed', revision: null, error: push.error })
  })

  test('a push fails if Gmail changes the signature, and the error shows the place', async () => {
    const org = await newOrg()
    const { mailbox_id } = await newMailbox(org, await newTemplate(org))
    standIn.keeps = (kept) => kept.replace(/<a [^>]*>(.*?)<\/a>/, '$1')
    try {
      const { status, error } = await pushed(org, mailbox_id)
      expect(status).toBe('failed')
      expect(error.message).toMatch(/^Gmail changed the signature: sent …/)
    } finally {
      standIn.keeps = (kept) => kept
    }
  })

  test('a push to an unknown mailbox fails', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    standIn.users.delete(email)
    expect((await pushed(org, mailbox_id)).error.message).toMatch(/Invalid email or User ID/)
  })

  test('without a service account a push fails, and its error says what to send', async () => {
    const org = await app.newOrg()
    const { mailbox_id } = await newMailbox(org, await newTemplate(org))
    expect((await pushed(org, mailbox_id)).error.message).toMatch(/PATCH \/signatures\/settings/)
  })

  test('a push with a test key does not reach Gmail', async () => {
    const org = await newOrg()
    const { mailbox_id, email } = await newMailbox(org, await newTemplate(org))
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    expect(await pushed(tester, mailbox_id)).toMatchObject({ status: 'installed', mode: 'test' })
    expect(standIn.signatureOf(email)).toBe('')
    const live = await org.get(`/signatures/mailboxes/${mailbox_id}`)
    expect(live.body.data.deployment.status).toBe('never')
  })

  test('no answer contains the private key', async () => {
    const org = await newOrg()
    const secret = standIn.account.private_key.split('\n')[1]!
    const { mailbox_id } = await newMailbox(org, await newTemplate(org))
    await pushed(org, mailbox_id)
    for (const path of ['/signatures/settings', '/events', '/signatures/pushes', '/signatures/mailboxes'])
      expect((await org.get(path)).text).not.toContain(secret)
  })
})

describe('rollouts', () => {
  const count = Number(process.env.SIGNATURE_MAILBOXES ?? 60)
  const kinds = ['well', 'busy', 'limited', 'dropped', 'forbidden', 'unknown'] as const

  test('if Gmail refuses, limits or drops some requests of a rollout, each mailbox ends with the right status', async () => {
    const org = await newOrg()
    const template_id = await newTemplate(org)
    const mailboxes = []
    for (let index = 0; index < count; index++) {
      const kind = kinds[index % 10] ?? 'well'
      const email = `${kind}${index}@fan-out.example.com`
      mailboxes.push({ kind, ...(await newMailbox(org, template_id, email)) })
      if (kind === 'busy') standIn.refusals.set(email, [tooMany(), tooMany(1)])
      if (kind === 'limited') standIn.refusals.set(email, [userRateLimit()])
      if (kind === 'forbidden') standIn.refusals.set(email, [insufficient()])
      if (kind === 'unknown') standIn.users.delete(email)
      if (kind === 'dropped') {
        const on = new RegExp(`^PATCH .*${encodeURIComponent(email)}`)
        const how = (['drop', 'half', 'truncated'] as const)[index % 3]!
        standIn.server.fault({ on, how, when: index % 2 === 0 ? 'before' : 'after' })
      }
    }
    const { body } = await org.post(`/signatures/templates/${template_id}/push`, { version: 1 })
    const rollout = await vi.waitFor(
      async () => {
        const answer = await org.get(`/signatures/rollouts/${body.data.rollout_id}`)
        expect(answer.body.data.status).toBe('finished')
        return answer.body.data
      },
      { timeout: 200_000, interval: 200 },
    )
    const fails = (kind: string) => kind === 'forbidden' || kind === 'unknown'
    const failed = mailboxes.filter(({ kind }) => fails(kind)).length
    expect(rollout.counts).toMatchObject({ mailboxes: count, failed, installed: count - failed })
    for (const { mailbox_id, email, kind } of mailboxes) {
      const { deployment } = (await org.get(`/signatures/mailboxes/${mailbox_id}`)).body.data
      expect(deployment.status, email).toBe(fails(kind) ? 'failed' : 'installed')
      expect(standIn.changes.get(email) ?? 0, email).toBe(fails(kind) ? 0 : 1)
    }
  }, 240_000)
})
