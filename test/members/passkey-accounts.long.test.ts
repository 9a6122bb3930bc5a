import { afterAll, describe, expect, test } from 'vitest'
import { createSetUpLink } from '../../src/members/set-up.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { passkeysAt } from '../support/passkeys.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())
const { newBrowser, newDevice, memberHere, optionsAt, addPasskey, signIn, outlast } = passkeysAt(app)
const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)

describe('the last way to sign in', () => {
  test('the last way to sign in cannot be deleted, even if two passkeys are deleted at once', async () => {
    const member = await memberHere()
    const passkeys = [(await addPasskey(member)).passkey, (await addPasskey(member)).passkey]
    await app.operate((tx) =>
      tx.run(sql`update member set password = null where member_id = ${member.memberId}`),
    )
    const answers = await Promise.all(
      passkeys.map(({ passkey_id: id }) => member.delete(`/session/passkeys/${id}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.code).toBe('last_sign_in_way')
    // The person has a password by now, so the last passkey may be deleted.
    const [left] = (await member.get('/session/passkeys')).body.data
    const set = await member.post('/session/password', { new_password: 'seven green bicycles' })
    expect([set.status, set.body.data?.member.has_password]).toEqual([200, true])
    expect((await member.delete(`/session/passkeys/${left.passkey_id}`)).status).toBe(204)
  })

  test('a person without a password sets one after a confirmation; all others must send the old one', async () => {
    const member = await memberHere()
    const refused = await member.post('/session/password', { new_password: 'seven green bicycles' })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'password']])
    await app.operate((tx) =>
      tx.run(sql`update member set password = null where member_id = ${member.memberId}`),
    )
    await outlast(member)
    const unconfirmed = await member.post('/session/password', { new_password: 'seven green bicycles' })
    expect([unconfirmed.status, unconfirmed.body.code]).toEqual([403, 'confirmation_required'])
  })
})

describe('a confirmation with a passkey', () => {
  test('a confirmation with a passkey or a password lasts 10 minutes, and a 403 lists the possible ways', async () => {
    const member = await memberHere()
    const { device } = await addPasskey(member)
    await outlast(member)
    const refused = await member.post('/api-keys', { name: 'X' })
    expect([refused.status, refused.body.confirm]).toEqual([403, ['passkey', 'password']])
    for (const [path, body] of [
      ['/session/passkeys/options', undefined],
      ['/session/passkeys', { name: 'Laptop', credential: {} }],
    ] as const)
      expect((await member.post(path, body)).body.code).toBe('confirmation_required')
    const options = await optionsAt(member, '/session/confirm/options')
    expect(options.allowCredentials).toMatchObject([{ id: device.id.toString('base64url') }])
    const confirmed = await member.post('/session/confirm', { passkey: device.get(options) })
    expect([confirmed.status, confirmed.body.data.confirmed_until]).toEqual([200, expect.any(Number)])
    expect((await member.post('/api-keys', { name: 'X' })).status).toBe(201)
  })

  test('a confirmation needs the person’s own passkey, and a challenge that was issued for the confirmation', async () => {
    const [member, other] = [await memberHere(), await memberHere()]
    const { device } = await addPasskey(member)
    const { device: foreign } = await addPasskey(other)
    await outlast(member)
    const confirm = async (credential: unknown) =>
      (await member.post('/session/confirm', { passkey: credential })).status
    expect(await confirm(foreign.get(await optionsAt(member, '/session/confirm/options')))).toBe(401)
    expect(await confirm(foreign.get(await optionsAt(other, '/session/confirm/options')))).toBe(401)
    expect(await confirm(device.get(await optionsAt(other, '/session/confirm/options')))).toBe(401)
    expect(await confirm(device.get(await optionsAt(newBrowser(), '/session/passkey/options')))).toBe(401)
    const options = await optionsAt(member, '/session/confirm/options')
    const { status } = await newBrowser().post('/session/passkey', { credential: device.get(options) })
    expect(status).toBe(401)
    const neither = await member.post('/session/confirm', {})
    expect([neither.status, neither.body.detail[0].loc]).toEqual([422, ['body', 'password']])
    expect((await member.post('/api-keys', { name: 'X' })).status).toBe(403)
  })
})

describe('a link', () => {
  test('a link creates the first owner with a passkey and no password', async () => {
    await app.operate((tx) => tx.run(sql`delete from membership`))
    const token = (await app.operate(createSetUpLink))?.token
    const person = { token, email: 'first@acme.example', name: 'Ada' }
    const browser = newBrowser()
    const device = newDevice()
    const unnamed = await browser.post('/links/passkey-options', { token })
    expect([unnamed.status, unnamed.body.detail[0].loc]).toEqual([422, ['body', 'email']])
    const { options } = (await browser.post('/links/passkey-options', person)).body.data
    const used = await browser.post('/links/use', { ...person, passkey: device.create(options) })
    expect(used.body.data).toMatchObject({
      member: { email: 'first@acme.example', has_password: false, passkeys: 1 },
      memberships: [{ role: 'owner' }],
    })
    const other = await signIn(device)
    expect(other.answer.body.data.member.email).toBe('first@acme.example')
    const guessed = await newBrowser().post('/session', { email: 'first@acme.example', password: 'x' })
    expect([guessed.status, guessed.body.code]).toEqual([401, 'sign_in_failed'])
  })

  test('an invitation link accepts a new passkey once, and needs the existing account of a person who has one', async () => {
    const owner = await memberHere()
    const { url } = (await owner.post('/members/invites', { email: 'pk@acme.example', role: 'viewer' })).body
      .data
    const person = { token: tokenIn(url), name: 'Grace' }
    const { options } = (await newBrowser().post('/links/passkey-options', person)).body.data
    const passkey = newDevice().create(options, { origin: 'https://evil.example' })
    const wrong = await newBrowser().post('/links/use', { ...person, passkey })
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'passkey']])
    const again = (await newBrowser().post('/links/passkey-options', person)).body.data.options
    const device = newDevice()
    const used = await newBrowser().post('/links/use', {
      ...{ ...person, passkey: device.create(again), passkey_name: 'Key ring' },
    })
    expect(used.status).toBe(200)
    const { browser } = await signIn(device)
    expect((await browser.get('/session/passkeys')).body.data).toMatchObject([{ name: 'Key ring' }])

    const elsewhere = await memberHere()
    const second = (await elsewhere.post('/members/invites', { email: 'pk@acme.example', role: 'viewer' }))
      .body
    const token = tokenIn(second.data.url)
    const planted = await newBrowser().post('/links/passkey-options', { token, name: 'Eve' })
    expect([planted.status, planted.body.code]).toEqual([409, 'member_exists'])
    expect((await browser.post('/links/use', { token })).body.data.memberships).toHaveLength(2)
  })

  test('a recovery link replaces the password with a passkey, but does not bypass an authenticator app', async () => {
    const owner = await memberHere()
    const lost = await newMember(app, owner.orgId ?? '', 'viewer')
    const offer = async () =>
      tokenIn((await owner.post('/members/recovery-links', { member_id: lost.memberId })).body.data.url)
    const setTotp = (secret: string | null) =>
      app.operate((tx) =>
        tx.run(sql`update member set totp_secret = ${secret}::bytea where member_id = ${lost.memberId}`),
      )
    const token = await offer()
    const device = newDevice()
    const { options } = (await newBrowser().post('/links/passkey-options', { token })).body.data
    await setTotp('\\x00')
    const passkey = device.create(options)
    for (const answer of [
      await newBrowser().post('/links/passkey-options', { token }),
      await newBrowser().post('/links/use', { token, passkey }),
    ])
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'passkey']])
    await setTotp(null)
    const used = await newBrowser().post('/links/use', { token, passkey })
    expect(used.body.data.member).toMatchObject({ has_password: false, passkeys: 1 })
    expect((await lost.get('/session')).status).toBe(401)
    expect((await signIn(device)).answer.status).toBe(200)
  })

  test.each(['password', 'passkey'])(
    'after a recovery with a new %s, older passkeys do not open the account: somebody else may have added them',
    async (way) => {
      const member = await memberHere()
      const { device: older } = await addPasskey(member)
      const offer = await member.post('/members/recovery-links', { member_id: member.memberId })
      const token = tokenIn(offer.body.data.url)
      const { options } = (await newBrowser().post('/links/passkey-options', { token })).body.data
      const device = newDevice()
      const chosen = way === 'passkey' ? device.create(options) : 'seven green bicycles'
      const used = await newBrowser().post('/links/use', { token, [way]: chosen })
      expect(used.body.data.member.passkeys).toBe(way === 'passkey' ? 1 : 0)
      expect((await signIn(older)).answer.status).toBe(401)
    },
  )

  test('a passkey made for one person’s link does not open another person’s account', async () => {
    const owner = await memberHere()
    const victim = await newMember(app, owner.orgId ?? '', 'owner')
    const invited = (await owner.post('/members/invites', { email: 'eve@acme.example', role: 'viewer' })).body
      .data
    const recovery = (await owner.post('/members/recovery-links', { member_id: victim.memberId })).body.data
    const [mine, theirs] = [tokenIn(invited.url), tokenIn(recovery.url)]
    const offered = await newBrowser().post('/links/passkey-options', { token: mine, name: 'Eve' })
    const passkey = newDevice().create(offered.body.data.options)
    expect((await newBrowser().post('/links/use', { token: theirs, passkey })).status).toBe(422)
    const other = await newBrowser().post('/links/passkey-options', { token: theirs })
    const stolen = newDevice().create(other.body.data.options)
    const used = await newBrowser().post('/links/use', { token: mine, name: 'Eve', passkey: stolen })
    expect(used.status).toBe(422)
  })
})
