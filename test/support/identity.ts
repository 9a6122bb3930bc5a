import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { applyFacts } from '../../src/tracking/identity/apply-facts.ts'
import type { TestApp, TestOrg } from './app.ts'
import { runAsOwner } from './database.ts'
import { newSite, postEvents, readData, visitorPath } from './web-visitors.ts'

export const ada = {
  ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@engine.example', phone: '+14155550100' },
}

type Named = { user_key: string; email: string | null; contact_ids: string[]; until: number | null }

type Identified = {
  links: (Named & { link_id: string; trust: string })[]
  claims: (Named & { claim_id: string })[]
  own_contact_id: string | null
  user_trust: string
}

/** Functions of an app that identify visitors. The app must trust its proxy. */
export function identityTools(app: TestApp) {
  const { context } = app.app
  /** Writes the results of identify calls into the contacts. */
  const applyNew = () => applyFacts(system(context.database), context)
  return {
    applyNew,
    /** Sends identify calls of the visitor `a1`, unless the events say otherwise. */
    async say(key: string, ...events: object[]): Promise<void> {
      const batch = events.map((event) => ({ type: 'identify', anonymousId: 'a1', ...event }))
      await postEvents(app, key, batch, { sentAt: new Date() })
      await applyNew()
    },
    visitorOf: async (org: TestOrg, anonymousId = 'a1') =>
      (await readData(org, visitorPath(org, anonymousId))) as never as Identified,
    contactsOf: async (org: TestOrg) =>
      (await org.get('/contacts?limit=100')).body.data as Record<string, unknown>[],
    /** All columns of a contact and of its keys, as they are stored. */
    rowOf: ({ orgId }: TestOrg, contactId: string) =>
      runAsOwner(
        app.databaseUrl,
        `select to_json(c)::text as row,
          array(select to_json(k)::text from contact_key k where k.org_id = $1 and k.contact_id = $2 order by 1) as keys
        from contact c where org_id = $1 and contact_id = $2`,
        [orgId, contactId],
      ),
    /** A site with an identity secret. */
    async withSecret() {
      const site = await newSite(app)
      const { status, body } = await site.org.post('/tracking/identity-secret/rotate')
      expect(status).toBe(200)
      const { identity_secret: secret, user_hash_secret: userHashSecret } = body.data as Record<
        string,
        string
      >
      return { ...site, secret: secret ?? '', userHashSecret: userHashSecret ?? '' }
    },
  }
}

/** A token of the user `u7`, unless the claims say otherwise. */
export const tokenOf = (secret: string, claims: object, seconds = 3_600): Promise<string> =>
  new SignJWT({ sub: 'u7', exp: Math.floor(Date.now() / 1000) + seconds, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
