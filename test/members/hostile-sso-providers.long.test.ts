import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { type Browser, newMember } from '../support/members.ts'
import { OidcProvider } from '../support/oidc-provider.ts'
import { patience } from '../support/patience.ts'
import { signOnAt } from '../support/single-sign-on.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { newBrowser, put, newSsoOrg, newPerson, signOn } = signOnAt(app, provider)
const orgOf = ({ orgId }: Browser) => orgId ?? ''

test('a provider that fails is asked once for many sign-ins that strangers begin', async () => {
  const hostile = await new OidcProvider().start()
  const { orgId } = await newSsoOrg({ issuer: hostile.issuer })
  await app.operate((tx) => tx.run(sql`update sso set client_id = 'not cached' where org_id = ${orgId}`))
  hostile.misbehavior = { discovery: { issuer: 'https://another.example' } }
  const before = hostile.asked.length
  const startedAt = performance.now()
  const starts = Array.from({ length: 50 }, () => newBrowser().get(`/sso/start?org_id=${orgId}`))
  for (const { status, headers } of await Promise.all(starts))
    expect([status, headers.get('location')]).toEqual([
      303,
      '/console/sign-in#sso_error=sso_provider_unreachable',
    ])
  // A failure is kept for two seconds.
  const most = 1 + (performance.now() - startedAt) / 2_000
  expect(hostile.asked.length - before).toBeLessThanOrEqual(most)
  await hostile.stop()
})

test('16 requests at once go to the provider of an organization, and other organizations sign in meanwhile', async () => {
  const [slow, usual] = [await newSsoOrg(), await newSsoOrg()]
  const hostile = await new OidcProvider().start()
  const endpoint = { token_endpoint: `${hostile.issuer}/never` }
  provider.misbehavior = { discovery: endpoint }
  expect((await put(slow, { client_id: 'slow' })).status).toBe(200)
  provider.misbehavior = {}
  const waiting = Array.from({ length: 40 }, async () => {
    const browser = newBrowser()
    const start = await browser.get(`/sso/start?org_id=${orgOf(slow)}`)
    const back = await provider.authorize(start.headers.get('location') ?? '')
    return browser.get(back.pathname.replace('/console/api', '') + back.search)
  })
  await expect.poll(() => hostile.waiting, patience).toBe(16)
  const { to } = await signOn(orgOf(usual), newPerson())
  expect(to).toBe('/console')
  expect(hostile.waiting).toBe(16)
  // The rest gets through as soon as the provider answers.
  await hostile.stop()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(303)
})

test('settings of one organization ask one provider at a time, and those of another organization are saved meanwhile', async () => {
  const asked: ServerResponse[] = []
  const silent = createServer((_request, response) => asked.push(response))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const owner = await newMember(app, (await app.newOrg()).orgId)
  const waiting = Array.from({ length: 5 }, () => put(owner, { issuer }))
  for (let number = 1; number <= waiting.length; number++) {
    await expect.poll(() => asked.length, patience).toBeGreaterThanOrEqual(number)
    await newSsoOrg()
    expect(asked).toHaveLength(number)
    asked.at(-1)!.writeHead(404).end()
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(422)
  silent.close()
})
