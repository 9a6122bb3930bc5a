import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { KnownKey } from './known-keys.ts'
import type { KnownSession } from './known-sessions.ts'
import { requestLanes } from './request-lane.ts'
import { hashToken } from './token.ts'

const token = 'A'.repeat(43)
const agency = '0190a3c4-0000-7000-8000-000000000001'
const client = '0190a3c4-0000-7000-8000-000000000002'

const alive = {
  isPartial: false,
  seenAtMs: Date.now(),
  expiresAtMs: Date.now() + 60_000,
  reached: new Map([
    [agency, { homeOrgId: agency }],
    [client, { homeOrgId: agency }],
  ]),
  agencies: [],
} as unknown as KnownSession

const [appToken, expiredToken] = ['C'.repeat(43), 'D'.repeat(43)]
const knownApps = new Map([
  [hashToken(appToken), { homeOrgId: agency, expiresAtMs: Date.now() + 60_000 }],
  [hashToken(expiredToken), { homeOrgId: agency, expiresAtMs: 1 }],
])

/** The lane of a request with these headers from 192.0.2.7, if `token` belongs to this session. */
function laneOf(headers: IncomingHttpHeaders, session: KnownSession) {
  const keys = { peek: () => undefined as KnownKey | undefined }
  const apps = { peek: (hash: string) => knownApps.get(hash) }
  const sessions = { peek: (hash: string) => (hash === hashToken(token) ? session : undefined) }
  const request = { headers, socket: { remoteAddress: '192.0.2.7' } } as IncomingMessage
  return requestLanes({ keys, apps, sessions, links: {} as never }, false)(request)
}

const ofStrangers = { name: '192.0.2.7', isKnown: false }
const ofMembers = { name: `${agency}:members`, isKnown: true }

test.each<[string, IncomingHttpHeaders, Partial<KnownSession>, object]>([
  ['a person who is signed in', { cookie: `crosswalk=${token}`, 'x-org-id': client }, {}, ofMembers],
  ['the same behind TLS', { cookie: `a=b; __Host-crosswalk=${token}` }, {}, ofMembers],
  ['another session', { cookie: `crosswalk=${'B'.repeat(43)}` }, {}, ofStrangers],
  ['no cookie', {}, {}, ofStrangers],
  ['a connected app', { authorization: `Bearer ${appToken}` }, {}, { name: agency, isKnown: true }],
  ['an app whose token expired', { authorization: `Bearer ${expiredToken}` }, {}, ofStrangers],
  ['a second factor that is missing', { cookie: `crosswalk=${token}` }, { isPartial: true }, ofStrangers],
  ['a session that expired', { cookie: `crosswalk=${token}` }, { expiresAtMs: 1 }, ofStrangers],
  ['a person without organizations', { cookie: `crosswalk=${token}` }, { reached: new Map() }, ofStrangers],
])('the lane of a request: %s', (_, headers, changes, lane) => {
  expect(laneOf(headers, { ...alive, ...changes })).toEqual(lane)
})
