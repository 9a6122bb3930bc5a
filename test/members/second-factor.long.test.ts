import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { Browser, newMember } from '../support/members.ts'
import { cleanUp, command } from '../support/processes.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(async () => {
  await app.close()
  await cleanUp()
})

const org = await app.newOrg()
const owner = await newMember(app, org.orgId)
const password = 'seven green bicycles'
const email = 'ada@acme.example'

/** The code of an app whose clock is `steps` times 30 s off. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

const signIn = async () => {
  const browser = new Browser(app.address, null)
  const { body } = await browser.post('/session', { email, password })
  browser.orgId = org.orgId
  return { browser, session: body.data }
}

/** Forgets the used codes, so that the test need not wait for the next one. */
const forgetUsed = () => app.operate((tx) => tx.run(sql`update member set totp_step = null`))

test('a second factor is turned on, asked for at every sign-in, replaced by recovery codes, and turned off', async () => {
  const invited = (await owner.post('/members/invites', { email, role: 'member' })).body.data
  const browser = new Browser(app.address, null)
  await browser.post('/links/use', { token: invited.url.split('#')[1], name: 'Ada', password })
  const { secret, url } = (await browser.post('/session/totp/offer')).body.data
  expect(url).toMatch(/^otpauth:\/\/totp\/Crosswalk:ada%40acme\.example\?/)

  const wrong = await browser.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret, 9) } })
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'code']])
  const before = browser.cookie
  const used = codeOf(secret)
  const on = await browser.send('PUT', '/session/totp', { body: { secret, code: used } })
  const { recovery_codes: codes } = on.body.data
  expect([codes.length, new Set(codes).size]).toEqual([10, 10])
  expect(codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  expect(browser.cookie).not.toBe(before)
  expect((await browser.get('/session')).status).toBe(200)

  const half = await signIn()
  expect(half.session).toMatchObject({ second_factor: ['totp', 'recovery_code'], memberships: [] })
  for (const path of ['/contacts', '/sessions', '/members'])
    expect((await half.browser.get(path)).status).toBe(401)
  for (const path of ['/session/confirm', '/session/password', '/session/totp/offer'])
    expect((await half.browser.post(path, { password, new_password: password })).status).toBe(401)
  expect((await half.browser.delete('/session/totp')).status).toBe(401)

  const replayed = await half.browser.post('/session/totp', { code: used })
  expect([replayed.status, replayed.body.code]).toEqual([401, 'sign_in_failed'])
  await forgetUsed()
  expect((await half.browser.post('/session/totp', { code: codeOf(secret, 3) })).status).toBe(401)
  const partial = half.browser.cookie
  expect((await half.browser.post('/session/totp', { code: codeOf(secret) })).status).toBe(200)
  expect(half.browser.cookie).not.toBe(partial)
  const earlier = new Browser(app.address, null)
  earlier.cookie = partial
  expect((await earlier.get('/session')).status).toBe(401)
  expect((await half.browser.get('/contacts')).status).toBe(200)

  const lost = await signIn()
  expect((await lost.browser.post('/session/totp', { code: codes[0].toLowerCase() })).status).toBe(200)
  const again = await signIn()
  expect((await again.browser.post('/session/totp', { code: codes[0] })).status).toBe(401)
  const parallel = await Promise.all(
    [1, 2].map(() => again.browser.post('/session/totp', { code: codes[1] })),
  )
  expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1)

  const { member_id: id } = (await lost.browser.get('/session')).body.data.member
  const recovery = (await owner.post('/members/recovery-links', { member_id: id })).body.data
  const thief = new Browser(app.address, null)
  const recovered = await thief.post('/links/use', { token: recovery.url.split('#')[1], password })
  expect(recovered.body.data.second_factor).not.toEqual([])
  expect((await thief.get('/sessions')).status).toBe(401)
  expect((await thief.post('/session/totp', { code: codes[2] })).status).toBe(200)
  expect((await thief.delete('/session/totp')).status).toBe(204)
  expect((await signIn()).session.second_factor).toEqual([])
})

test('the session says how many recovery codes are left, and new codes replace the earlier ones', async () => {
  const address = 'barbara@acme.example'
  const invited = (await owner.post('/members/invites', { email: address, role: 'member' })).body.data
  const browser = new Browser(app.address, null)
  await browser.post('/links/use', { token: invited.url.split('#')[1], name: 'Barbara', password })
  const left = async () => (await browser.get('/session')).body.data.member.recovery_codes
  expect(await left()).toBe(0)
  expect((await browser.post('/session/totp/recovery-codes')).status).toBe(404)

  const { secret } = (await browser.post('/session/totp/offer')).body.data
  const on = await browser.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret) } })
  const [earlier] = on.body.data.recovery_codes
  const half = async () => {
    const signingIn = new Browser(app.address, null)
    await signingIn.post('/session', { email: address, password })
    return signingIn
  }
  expect((await (await half()).post('/session/totp', { code: on.body.data.recovery_codes[9] })).status).toBe(
    200,
  )
  await expectWithin(2_000, left, 9)

  const partial = await half()
  expect((await partial.post('/session/totp/recovery-codes')).status).toBe(401)
  const { recovery_codes: codes } = (await browser.post('/session/totp/recovery-codes')).body.data
  expect(new Set(codes).size).toBe(10)
  expect(await left()).toBe(10)
  expect((await partial.post('/session/totp', { code: earlier })).status).toBe(401)
  expect((await partial.post('/session/totp', { code: codes[0] })).status).toBe(200)
})

test('the operator removes the second factor of a member who lost the phone and the recovery codes', async () => {
  const address = 'joan@acme.example'
  const invited = (await owner.post('/members/invites', { email: address, role: 'admin' })).body.data
  const joan = new Browser(app.address, null)
  await joan.post('/links/use', { token: invited.url.split('#')[1], name: 'Joan', password })
  const { secret } = (await joan.post('/session/totp/offer')).body.data
  await joan.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret) } })
  const { member_id: memberId } = (await joan.get('/session')).body.data.member
  const remove = (args: string) =>
    command(`members remove-second-factor ${args} --json`, {
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEY: testKey.toString('base64'),
    })

  const removed = await remove(' Joan@Acme.example')
  expect(removed).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(removed.stdout)).toEqual({ member_id: memberId, removed: true })
  await expectWithin(2_000, async () => (await joan.get('/session')).status, 401)
  const { body } = await new Browser(app.address, null).post('/session', { email: address, password })
  expect(body.data).toMatchObject({ second_factor: [], memberships: [{ org_id: org.orgId }] })
  const { data } = (await org.get('/events?type=member.updated')).body
  expect(data).toMatchObject([
    { object_id: memberId, changed: ['second_factor'], actor: { kind: 'operator' } },
  ])

  expect(JSON.parse((await remove(address)).stdout)).toEqual({ member_id: memberId, removed: false })
  const unknown = await remove('nobody@acme.example')
  expect(unknown).toMatchObject({ code: 1, stderr: 'Nobody has an account with nobody@acme.example.\n' })
})

test('after 5 wrong codes, everyone waits', async () => {
  const browser = new Browser(app.address, null)
  const invited = (await owner.post('/members/invites', { email: 'grace@acme.example', role: 'member' })).body
    .data
  await browser.post('/links/use', { token: invited.url.split('#')[1], name: 'Grace', password })
  const { secret } = (await browser.post('/session/totp/offer')).body.data
  await browser.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret) } })
  const half = new Browser(app.address, null)
  await half.post('/session', { email: 'grace@acme.example', password })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => half.post('/session/totp', { code: `00000${n % 10}` })),
  )
  // The right password counts as an attempt until the second factor is right, too.
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(4)
  expect(answers.filter(({ body }) => body.code === 'sign_in_wait')).toHaveLength(8)
})

test('using a link with the right password does not reset the count of wrong codes', async () => {
  const address = 'edsger@acme.example'
  const link = async (from: Browser, path: string, body: object) =>
    (await from.post(path, body)).body.data.url.split('#')[1]
  const browser = new Browser(app.address, null)
  const token = await link(owner, '/members/invites', { email: address, role: 'member' })
  const joined = await browser.post('/links/use', { token, name: 'Edsger', password })
  const { secret } = (await browser.post('/session/totp/offer')).body.data
  await browser.send('PUT', '/session/totp', { body: { secret, code: codeOf(secret) } })
  const thief = new Browser(app.address, null)
  await thief.post('/session', { email: address, password })
  const guess = () => thief.post('/session/totp', { code: '000000' })
  for (let n = 0; n < 3; n++) expect((await guess()).status).toBe(401)
  // The fifth attempt is the link's password.
  const other = await newMember(app, (await app.newOrg()).orgId)
  const bait = await link(other, '/members/invites', { email: address, role: 'member' })
  expect((await thief.post('/links/use', { token: bait, password })).status).toBe(200)
  const afterInvitation = await guess()
  expect([afterInvitation.status, afterInvitation.body.code]).toEqual([429, 'sign_in_wait'])

  await app.operate((tx) => tx.run(sql`update sign_in_failure set failed_at = now() + interval '1 hour'`))
  await app.operate((tx) =>
    tx.run(sql`delete from membership where org_id = ${other.orgId} and role = 'member'`),
  )
  const { member_id: id } = joined.body.data.member
  const recovery = await link(owner, '/members/recovery-links', { member_id: id })
  expect((await thief.post('/links/use', { token: recovery, password })).status).toBe(200)
  const afterRecovery = await guess()
  expect([afterRecovery.status, afterRecovery.body.code]).toEqual([429, 'sign_in_wait'])
})
