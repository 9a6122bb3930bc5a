import type { Answer, TestApp, TestClient } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import type { Variant } from './flood.ts'
import type { HeavyRequest } from './heaviest.ts'
import { webhookFloods } from './other-floods.ts'

const json = (body: object) => Buffer.from(JSON.stringify(body))
const post = { method: 'POST', contentType: 'application/json' }

/** The data of a successful answer. */
async function made(asked: Promise<Answer>) {
  const { status, text, body } = await asked
  if (status >= 300) throw new Error(`The flood cannot be prepared: ${status} ${text}`)
  return body.data
}

/** Requests that make the server ask a vendor that the organization chose. */
export function vendorFloods(
  app: TestApp,
  org: TestClient & { orgId: string },
  vendor: string,
): HeavyRequest[] {
  const connect = async () => {
    const connection = { provider: 'espocrm', credentials: { url: vendor, api_key: 'key-of-the-flood' } }
    return (await made(org.post('/integrations/crm-sync/connections', connection))).connection_id
  }
  return [
    {
      ...{ ...post, name: 'calls over a hostile LiveKit server', path: '/voice/calls' },
      body: json({ to_number: '+12025550100' }),
      prepare: async () => {
        const own = { api_key: 'key', api_secret: 'secret-of-the-flood', sip_trunk_id: 't', agent_name: 'a' }
        const credentials = { url: vendor, ...own }
        await made(org.patch('/voice/settings', { provider: 'livekit', credentials }))
        const number = await org.post('/voice/numbers', { number: '+14155550123' })
        // The number is there already if the flood runs again.
        if (number.body.code !== 'number_exists') await made(Promise.resolve(number))
        return [{}]
      },
    },
    {
      ...{ name: 'settings of a hostile OpenID provider', method: 'PUT', path: '/console/api/sso' },
      body: json({
        ...{ issuer: vendor, client_id: 'flood', client_secret: 'secret', domains: ['flood.example'] },
        ...{ newcomer_role: 'member', is_required: false },
      }),
      prepare: async (): Promise<Variant[]> => {
        const { cookie } = await newMember(app, org.orgId)
        const headers = { 'sec-fetch-site': 'same-origin', 'x-org-id': org.orgId, cookie: cookie ?? '' }
        return [{ headers }]
      },
    },
    {
      ...{ ...post, name: 'tests of a hostile CRM', path: '/integrations/crm-sync/connections/none/test' },
      body: null,
      prepare: async () => [{ path: `/integrations/crm-sync/connections/${await connect()}/test` }],
    },
    // This flood comes last, because its deliveries continue after the flood.
    ...webhookFloods(org, (at) => `${vendor}/webhook/${at}`).map((flood) => ({
      ...flood,
      name: 'contacts whose events go to hostile webhook receivers',
    })),
  ]
}
