import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp } from '../support/app.ts'
import type { Change } from '../support/authenticator.ts'
import { Browser, type SignedIn } from '../support/members.ts'
import { passkeysAt } from '../support/passkeys.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { address, newBrowser, newDevice, memberHere, optionsAt, addPasskey, signIn } = passkeysAt(app)

describe('a passkey', () => {
  let member: SignedIn
  beforeEach(async () => {
    member = await memberHere()
  })

  test('a passkey signs its person in without an e-mail address until it is deleted', async () => {
    const { device, passkey } = await addPasskey(member)
    expect(passkey).toEqual({
      ...{ passkey_id: expect.any(String), name: 'Laptop', host: 'localhost', is_synced: false },
      ...{ created_at: expect.any(Number), used_at: null },
    })
    const { browser, answer } = await signIn(device)
    expect([answer.status, answer.body.data.member]).toEqual([
      200,
      {
        ...{ member_id: member.memberId, email: member.email, name: expect.any(String) },
        ...{ has_second_factor: false, recovery_codes: 0, has_password: true, passkeys: 1 },
      },
    ])
    expect(browser.cookie).toMatch(/^crosswalk=/)
    const path = `/session/passkeys/${passkey.passkey_id}`
    expect((await browser.patch(path, { name: ' Phone ' })).body.data).toMatchObject({
      name: 'Phone',
      used_at: expect.any(Number),
    })
    expect((await browser.get('/session/passkeys')).body.data).toHaveLength(1)
    expect((await browser.delete(path)).status).toBe(204)
    expect((await browser.delete(path)).status).toBe(404)
    expect((await signIn(device)).answer.status).toBe(401)
  })

  test('a passkey needs no code of an authenticator app, because the device verified the person', async () => {
    const { device } = await addPasskey(member)
    await app.operate((tx) =>
      tx.run(sql`update member set totp_secret = '\\x00' where member_id = ${member.memberId}`),
    )
    expect((await signIn(device)).answer.body.data.second_factor).toEqual([])
  })

  test('the options for a new passkey require discoverability and verification, and exclude existing passkeys', async () => {
    const { device } = await addPasskey(member)
    const options = await optionsAt(member, '/session/passkeys/options')
    expect(options).toMatchObject({
      attestation: 'none',
      rp: { id: 'localhost', name: 'Crosswalk' },
      user: { name: member.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id.toString('base64url') }],
      timeout: 300_000,
    })
    expect(await optionsAt(newBrowser(), '/session/passkey/options')).toMatchObject({
      ...{ rpId: 'localhost', allowCredentials: [], userVerification: 'required' },
    })
  })

  test('a request for a passkey at an IP address gets an answer that says where to open the console', async () => {
    const elsewhere = Object.assign(new Browser(app.address, null), { cookie: member.cookie })
    for (const path of ['/session/passkey/options', '/session/passkeys/options']) {
      const { status, body } = await elsewhere.post(path)
      expect([status, body.code]).toEqual([400, 'passkey_needs_host_name'])
      expect(body.detail).toContain(address)
    }
  })

  test.each<[string, Change]>([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['the host of another site', { rpId: 'evil.example' }],
    ['a person who was not present', { isPresent: false }],
    ['a person who was not verified', { isVerified: false }],
    ['a page in a frame of another site', { crossOrigin: true }],
    ['the handle of another person', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['an unknown challenge', { challenge: 'A'.repeat(43) }],
    ['the answer to a registration', { type: 'webauthn.create' }],
  ])('a sign-in with %s is refused', async (_name, change) => {
    const { device } = await addPasskey(member)
    const { browser, answer } = await signIn(device, change)
    expect([answer.status, answer.body.code, browser.cookie]).toEqual([401, 'sign_in_failed', null])
    expect((await signIn(device)).answer.status).toBe(200)
  })

  test.each<[string, Change]>([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the host of another site', { rpId: 'evil.example' }],
    ['a person who was not present', { isPresent: false }],
    ['a person who was not verified', { isVerified: false }],
    ['a page in a frame of another site', { crossOrigin: true }],
    ['an unknown challenge', { challenge: 'A'.repeat(43) }],
    ['the answer to a sign-in', { type: 'webauthn.get' }],
    ['certificates', { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [Buffer.from('x')]]]) } }],
    ['the attestation of a vendor', { attestation: { fmt: 'apple', attStmt: new Map() } }],
  ])('a registration with %s is refused at its field', async (_name, change) => {
    const options = await optionsAt(member, '/session/passkeys/options')
    const credential = newDevice().create(options, change)
    const { status, body } = await member.post('/session/passkeys', { name: 'X', credential })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'credential']])
    expect((await member.get('/session/passkeys')).body.data).toEqual([])
  })

  test('a second use of a passkey answer is refused, even if both are sent at once', async () => {
    const { device, credential: created } = await addPasskey(member)
    const { credential } = await signIn(device)
    expect((await newBrowser().post('/session/passkey', { credential })).status).toBe(401)
    const fresh = device.get(await optionsAt(newBrowser(), '/session/passkey/options'))
    const answers = await Promise.all(
      [1, 2, 3].map(() => newBrowser().post('/session/passkey', { credential: fresh })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    const again = await member.post('/session/passkeys', { name: 'Again', credential: created })
    expect(again.status).toBe(422)
  })

  test('a challenge ends after 5 minutes', async () => {
    const { device } = await addPasskey(member)
    const browser = newBrowser()
    const options = await optionsAt(browser, '/session/passkey/options')
    const left = await app.operate((tx) =>
      tx.first(sql<{ s: number }>`
        select extract(epoch from max(expires_at) - clock_timestamp())::int as s from passkey_challenge`),
    )
    expect(left?.s).toBeGreaterThan(290)
    expect(left?.s).toBeLessThanOrEqual(300)
    await app.operate((tx) => tx.run(sql`update passkey_challenge set expires_at = now()`))
    expect((await browser.post('/session/passkey', { credential: device.get(options) })).status).toBe(401)
  })

  test('a signature counter that does not increase is refused, because the passkey may be a copy', async () => {
    const { device } = await addPasskey(member, newDevice({ counter: 5 }))
    expect((await signIn(device)).answer.status).toBe(200)
    for (const counter of [5, 4]) {
      device.counter = counter
      expect((await signIn(device)).answer.status).toBe(401)
    }
    device.counter = 9
    expect((await signIn(device)).answer.status).toBe(200)
  })

  test('a passkey is registered once, by one person', async () => {
    const { device } = await addPasskey(member)
    const other = await memberHere()
    const credential = device.create(await optionsAt(other, '/session/passkeys/options'))
    const { status, body } = await other.post('/session/passkeys', { name: 'Mine', credential })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'credential']])
    expect((await signIn(device, { userHandle: '' })).answer.body.data.member.member_id).toBe(member.memberId)
  })

  test('a person can answer only their own options, and change only their own passkeys', async () => {
    const { passkey } = await addPasskey(member)
    const other = await memberHere()
    const credential = newDevice().create(await optionsAt(member, '/session/passkeys/options'))
    expect((await other.post('/session/passkeys', { name: 'Planted', credential })).status).toBe(422)
    const path = `/session/passkeys/${passkey.passkey_id}`
    expect((await other.patch(path, { name: 'Mine' })).status).toBe(404)
    expect((await other.delete(path)).status).toBe(404)
    expect((await other.get('/session/passkeys')).body.data).toEqual([])
  })

  test('a malformed credential gets the same answer as a wrong one', async () => {
    for (const credential of [
      {},
      { id: 1, response: 'x' },
      { id: 'AA', response: { clientDataJSON: 'x' } },
      { id: 'AA', response: { clientDataJSON: Buffer.from('[1]').toString('base64url') } },
    ]) {
      expect((await newBrowser().post('/session/passkey', { credential })).status).toBe(401)
      expect((await member.post('/session/passkeys', { name: 'X', credential })).status).toBe(422)
    }
    const tooLarge = await member.post('/session/passkeys', {
      name: 'X',
      credential: { x: 'x'.repeat(70_000) },
    })
    expect(tooLarge.status).toBe(422)
  })

  test('a person has at most 20 passkeys, even if they are added at once', async () => {
    await addPasskey(member)
    await app.operate((tx) =>
      tx.run(sql`
        insert into passkey (passkey_id, member_id, credential_id, public_key, counter, transports, host, is_synced,
          name, created_at)
        select gen_random_uuid(), ${member.memberId}, uuid_send(gen_random_uuid()), '', 0, '{}', 'localhost', false,
          'x', now() from generate_series(1, 18)`),
    )
    const credentials = []
    for (const _ of [1, 2])
      credentials.push(newDevice().create(await optionsAt(member, '/session/passkeys/options')))
    const answers = await Promise.all(
      credentials.map((credential) => member.post('/session/passkeys', { name: 'Late', credential })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('limit_reached')
  })
})
