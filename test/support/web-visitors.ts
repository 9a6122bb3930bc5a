import { expect } from 'vitest'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import type { TestApp, TestOrg } from './app.ts'
import { fromNewAddress } from './new-address.ts'

export type Body = Readonly<Record<string, unknown>>

/** An organization with a write key, an API key that may send events, and functions that send with a key. */
export async function newSite(app: TestApp) {
  const org = await app.newOrg()
  const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
  const { token } = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
  return { org, key: key as string, server: token ?? '' }
}

/** Sends one request of events, as from a new client address. The app must trust its proxy. */
export async function postEvents(app: TestApp, writeKey: string, batch: object[], more: object = {}) {
  const options = { prefix: '', headers: fromNewAddress() }
  const answer = await app.stranger.post('/v1/batch', { writeKey, batch, ...more }, options)
  expect(answer.status).toBe(200)
}

/** Sends views of the visitor `a1` now, unless the events say otherwise. */
export const sendEvents = (app: TestApp, key: string, ...events: object[]): Promise<void> =>
  postEvents(
    app,
    key,
    events.map((event) => ({ type: 'page', anonymousId: 'a1', ...event })),
    { sentAt: new Date() },
  )

/** The path of a visitor in the API. */
export const visitorPath = (org: TestOrg, anonymousId = 'a1'): string =>
  `/visitors/${visitorIdOf(org.orgId, anonymousId)}`

export async function readData(org: TestOrg, path: string): Promise<Body> {
  const { status, body } = await org.get(path)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

/** All items of all pages of a list. `path` must include a query. */
export async function readAllPages(org: TestOrg, path: string, member: string): Promise<Body[]> {
  const all: Body[] = []
  let cursor = ''
  for (;;) {
    const page = await readData(org, `${path}${cursor}`)
    all.push(...(page[member] as Body[]))
    if (page.next_cursor === null) return all
    cursor = `&cursor=${page.next_cursor}`
  }
}
