import { Secret, TOTP } from 'otpauth'
import type { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { Browser, newMember } from '../support/members.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const owner = await newMember(app, (await app.newOrg()).orgId)
const [password, changed] = ['seven green bicycles', 'eight yellow tricycles']

const newBrowser = () => new Browser(app.address, null)
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

async function join(email: string): Promise<Browser> {
  const { url } = (await owner.post('/members/invites', { email, role: 'member' })).body.data
  const browser = newBrowser()
  await browser.post('/links/use', { token: url.split('#')[1], name: 'Ada', password })
  return browser
}

async function turnOn(browser: Browser): Promise<string> {
  const { secret } = (await browser.post('/session/totp/offer')).body.data
  const on = await browser.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret) } })
  expect(on.status).toBe(200)
  return secret
}

/** Signs in with the old password while a change is not committed yet. Returns the browser of the sign-in. */
async function signInDuring(email: string, change: () => Promise<void>): Promise<Browser> {
  const browser = newBrowser()
  await withClient(app, async (client: Client) => {
    await client.query('begin')
    // The change locks the person, and then waits for these sessions. The sign-in reads the person, and then waits for the
    // change.
    await client.query('select from session for update')
    const changing = change()
    await untilBlocked(client)
    const answer = browser.post('/session', { email, password })
    await untilBlocked(client, 2)
    await client.query('commit')
    await changing
    expect([(await answer).status, (await answer).body.code]).toEqual([401, 'sign_in_failed'])
  })
  return browser
}

test('a sign-in with the old password, which began before a recovery link replaced it, gets no session', async () => {
  const email = 'ada@acme.example'
  const ada = await join(email)
  await turnOn(ada)
  const { member_id: id } = (await ada.get('/session')).body.data.member
  const { url } = (await owner.post('/members/recovery-links', { member_id: id })).body.data
  const late = await signInDuring(email, async () => {
    const used = await newBrowser().post('/links/use', { token: url.split('#')[1], password: changed })
    expect(used.status).toBe(200)
  })
  expect((await late.get('/session')).status).toBe(401)
})

test('a sign-in that began before the second factor was turned on gets no session without a code', async () => {
  const email = 'grace@acme.example'
  const grace = await join(email)
  const late = await signInDuring(email, async () => void (await turnOn(grace)))
  expect((await late.get('/session')).status).toBe(401)
  expect((await grace.get('/session')).status).toBe(200)
})

test('a recovery link that is used while the second factor is turned on gives no session without a code', async () => {
  const dora = await join('dora@acme.example')
  const { member_id: id } = (await dora.get('/session')).body.data.member
  const { url } = (await owner.post('/members/recovery-links', { member_id: id })).body.data
  const late = newBrowser()
  const use = () => late.post('/links/use', { token: url.split('#')[1], password: changed })
  await withClient(app, async (client: Client) => {
    await client.query('begin')
    await client.query('select from link for update')
    const answer = use()
    await untilBlocked(client)
    await turnOn(dora)
    await client.query('commit')
    expect([(await answer).status, (await answer).body.code]).toEqual([401, 'sign_in_failed'])
  })
  expect((await late.get('/session')).status).toBe(401)
  expect((await use()).body.data.second_factor, 'the link still works, with a code').not.toEqual([])
})

test('a code of the app does not confirm a full session', async () => {
  const email = 'joan@acme.example'
  const joan = await join(email)
  const secret = await turnOn(joan)
  const next = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 })
  const before = joan.cookie
  expect((await joan.post('/session/totp', { code: next })).status).toBe(401)
  expect(joan.cookie).toBe(before)
  // The refusal does not use the code up.
  const half = newBrowser()
  expect((await half.post('/session', { email, password })).body.data.second_factor).not.toEqual([])
  expect((await half.post('/session/totp', { code: next })).status).toBe(200)
})
