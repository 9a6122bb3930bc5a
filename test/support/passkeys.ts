import { expect } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import type { TestApp } from './app.ts'
import { Authenticator, type Change } from './authenticator.ts'
import { Browser, newMember, type SignedIn } from './members.ts'

/** Helpers for people with passkeys. The app must trust proxies. */
export function passkeysAt(app: TestApp) {
  // Browsers create no passkeys for IP addresses.
  const address = app.address.replace('127.0.0.1', 'localhost')
  const newBrowser = () => new Browser(address, null)
  const newDevice = (options = {}) => new Authenticator(address, options)

  async function memberHere(role: Parameters<typeof newMember>[2] = 'owner'): Promise<SignedIn> {
    const member = await newMember(app, (await app.newOrg()).orgId, role)
    const { cookie, orgId, memberId, email, sessionToken } = member
    return Object.assign(newBrowser(), { cookie, orgId, memberId, email, sessionToken })
  }

  const optionsAt = async (browser: Browser, path: string, body?: object) =>
    (await browser.post(path, body)).body.data.options

  async function addPasskey(member: Browser, device = newDevice(), name = 'Laptop') {
    const credential = device.create(await optionsAt(member, '/session/passkeys/options'))
    const added = await member.post('/session/passkeys', { name, credential })
    expect(added.status).toBe(201)
    return { device, credential, passkey: added.body.data }
  }

  async function signIn(device: Authenticator, change: Change = {}) {
    const browser = newBrowser()
    const credential = device.get(await optionsAt(browser, '/session/passkey/options'), change)
    return { browser, credential, answer: await browser.post('/session/passkey', { credential }) }
  }

  /** Ends the 10 minutes in which the session counts as confirmed. */
  async function outlast({ memberId }: SignedIn) {
    await app.operate((tx) =>
      tx.run(sql`update session set confirmed_at = null where member_id = ${memberId}`),
    )
    app.app.context.forgetMember(memberId)
  }

  return { address, newBrowser, newDevice, memberHere, optionsAt, addPasskey, signIn, outlast }
}
