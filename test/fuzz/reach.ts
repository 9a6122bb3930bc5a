import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { setCeilings } from '../../src/orgs/operator.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { scopeOf } from '../../src/platform/idempotency/fingerprint.ts'
import { lockName } from '../../src/platform/idempotency/stored-answers.ts'
import { setSubscription } from '../../src/voice/subscription.ts'
import type { TestApp, TestOrg } from '../support/app.ts'
import { type Operation, operations } from '../support/openapi-document.ts'
import type { TwilioStandIn } from '../support/stand-ins/twilio.ts'
import { makeObject, makeParams, type Params } from '../support/walk.ts'
import { baselineRequest, directed, endpointOf, exampleRequest } from './directed.ts'
import { findLeak } from './leaks.ts'
import { documentedFaults } from './oracle.ts'
import type { ReachedStatuses } from './reached.ts'
import { type Answer, asText, type RawRequest, type Wire } from './wire.ts'
import type { World } from './world.ts'

export type ReachTools = {
  app: TestApp
  world: World
  wire: Wire
  reached: ReachedStatuses
  twilio: TwilioStandIn
}

/**
 * Sends the valid request of each operation that never succeeded. With `all`, sends it for every operation, and sends
 * requests for documented statuses that are missing.
 * @returns how the answers differ from the documentation
 */
export async function reachTheRest(means: ReachTools, { all }: { all: boolean }): Promise<string[]> {
  const { world, reached } = means
  const faults: string[] = []
  const org = await world.newOrg()
  const limited = await limitedOrg(means)
  for (const operation of operations) {
    const ask = async (request: RawRequest | null) => {
      if (request) faults.push(...(await asked(operation, request, means)))
    }
    const statuses = Object.keys(operation.responses)
    const success = statuses.find((status) => status < '300')!
    if (all || !reached.has(operation.operationId, success))
      await ask(await baselineRequest(endpointOf(operation), await world.newOrg()))
    if (!all) continue
    for (const status of statuses.filter((each) => !reached.has(operation.operationId, each)))
      if (status !== '503') await ask(await requestFor(operation, status, org, limited, means))
  }
  return faults
}

/** Sends a request to every operation while the database is unreachable. Each must get 503. */
export async function reachWithoutDatabase(means: ReachTools): Promise<string[]> {
  const { app, world } = means
  const org = await world.newOrg()
  const url = new URL(app.databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const server = new Client({ connectionString: url.href })
  await server.connect()
  try {
    await org.get('/organization')
    await server.query(`alter database ${name} with allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const faults: string[] = []
    for (const operation of operations)
      faults.push(...(await asked(operation, exampleRequest(endpointOf(operation), org), means)))
    return faults
  } finally {
    await server.query(`alter database ${name} with allow_connections true`)
    await server.end()
  }
}

async function asked(
  operation: Operation,
  request: RawRequest,
  { wire, world, reached }: ReachTools,
): Promise<string[]> {
  const answer = await wire.send(request).catch((error: Error) => error)
  if (answer instanceof Error) return [`${operation.operationId}: ${answer.message}\n  ${asText(request)}`]
  reached.add(operation.operationId, answer.status)
  const leak = findLeak(answer.text, world)
  const faults = [...documentedFaults(operation, answer), ...(leak ? [`it shows ${leak}`] : [])]
  return faults.length === 0 ? [] : [report(operation, request, answer, faults)]
}

const report = (
  { operationId }: Operation,
  request: RawRequest,
  { status, text }: Answer,
  faults: string[],
) => `${operationId}: ${faults.join('; ')}\n  ${asText(request)}\n  → ${status} ${text.slice(0, 500)}`

/** An org that may send one request a minute. */
async function limitedOrg({ app, world }: ReachTools): Promise<TestOrg> {
  const org = await world.newOrg()
  await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 100_000, perMinute: 1 }))
  return org
}

/** Returns a request of an org whose limit is used up; a minute after the last use it is whole again. */
async function overLimit(endpoint: Endpoint, limited: TestOrg): Promise<RawRequest> {
  await limited.get('/organization')
  return exampleRequest(endpoint, limited)
}

async function requestFor(
  operation: Operation,
  status: string,
  org: TestOrg,
  limited: TestOrg,
  means: ReachTools,
): Promise<RawRequest | null> {
  const endpoint = endpointOf(operation)
  const special = specially[`${operation.operationId} ${status}`]
  if (special) return special(endpoint, means)
  if (status === '429') return overLimit(endpoint, limited)
  const changes = await directed[status]?.(endpoint, org)
  if (changes) return exampleRequest(endpoint, org, changes)
  return status === '409' && endpoint.method === 'POST' ? whileItRuns(endpoint, means) : null
}

/** Sends a request while another one with the same Idempotency-Key runs. */
async function whileItRuns(
  endpoint: Endpoint,
  { app, world, wire, reached }: ReachTools,
): Promise<RawRequest | null> {
  const org = await world.newOrg()
  const params = await makeParams(endpoint, org)
  const key = randomUUID()
  const named = endpoint.params ? endpoint.params.parse(namesOf(endpoint, params)) : undefined
  const scope = scopeOf({ orgId: org.orgId, mode: 'live' } as never, endpoint, named, key)
  const holder = new Client({ connectionString: app.databaseUrl })
  await holder.connect()
  try {
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockName(scope)])
    const answer = await wire.send(
      exampleRequest(endpoint, org, { params, headers: { 'idempotency-key': key } }),
    )
    reached.add(endpoint.name, answer.status)
    return null
  } finally {
    await holder.end()
  }
}

const namesOf = ({ path }: Endpoint, params: Params) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => path.includes(`{${name}}`)))

/** An org whose calls go to a provider's stand-in. */
async function callingOrg({ world, twilio }: ReachTools): Promise<TestOrg> {
  const org = await world.newOrg()
  const credentials = { account_sid: twilio.accountSid, auth_token: twilio.authToken }
  await org.patch('/voice/settings', { provider: 'twilio', credentials })
  await org.post('/voice/numbers', { number: twilio.owned[0] })
  return org
}

async function declinedRequest(world: World): Promise<[org: TestOrg, sent: { params: Params }]> {
  const org = await world.newOrg()
  const request_id = await makeObject('request_id', org)
  await org.post(`/call-back-requests/${request_id}/decline`, {})
  return [org, { params: { request_id } }]
}

type Special = (endpoint: Endpoint, means: ReachTools) => Promise<RawRequest | null>

/** The operations and statuses that need more than the example request with other ids. */
const specially: Record<string, Special> = {
  async 'place_call 402'(endpoint, { app, world }) {
    const org = await world.newOrg()
    await makeObject('number_id', org)
    await app.operateOn(org.orgId, (tx) => setSubscription(tx, { status: 'past_due' }))
    return exampleRequest(endpoint, org)
  },
  async 'place_call 404'(endpoint, { world }) {
    const org = await world.newOrg()
    await makeObject('number_id', org)
    const body = { ...(endpoint.example as object), persona_id: randomUUID() }
    return exampleRequest(endpoint, org, { body })
  },
  async 'place_call 502'(endpoint, means) {
    // Twilio has no agent, so a call needs a greeting.
    return exampleRequest(endpoint, await callingOrg(means))
  },
  async 'approve_call_back_request 402'(endpoint, { app, world }) {
    const org = await world.newOrg()
    const request_id = await makeObject('request_id', org)
    await app.operateOn(org.orgId, (tx) => setSubscription(tx, { status: 'past_due' }))
    return exampleRequest(endpoint, org, { params: { request_id } })
  },
  async 'approve_call_back_request 409'(endpoint, { world }) {
    return exampleRequest(endpoint, ...(await declinedRequest(world)))
  },
  async 'approve_call_back_request 502'(endpoint, means) {
    const org = await callingOrg(means)
    return exampleRequest(endpoint, org, { params: { request_id: await makeObject('request_id', org) } })
  },
  async 'decline_call_back_request 409'(endpoint, { world }) {
    return exampleRequest(endpoint, ...(await declinedRequest(world)))
  },
  async 'cancel_call 502'(endpoint, means) {
    const org = await callingOrg(means)
    const persona = await org.post('/personas', { name: 'Mia', greeting: 'Hello' })
    const { persona_id } = persona.body.data
    const call = await org.post('/voice/calls', { to_number: '+12025550100', persona_id })
    means.twilio.server.fault({ on: /POST/, when: 'before', how: 'answer', status: 500 })
    return exampleRequest(endpoint, org, { params: { call_id: call.body.call_id } })
  },
  async 'test_crm_connection 502'(endpoint, { world }) {
    const org = await world.newOrg()
    const made = await org.post('/integrations/crm-sync/connections', {
      provider: 'hubspot',
      credentials: { access_token: 'pat-na1-none' },
    })
    return exampleRequest(endpoint, org, { params: { connection_id: made.body.data.connection_id } })
  },
  async 'delete_signature_template 409'(endpoint, { world }) {
    const org = await world.newOrg()
    const template_id = await makeObject('used_template_id', org)
    return exampleRequest(endpoint, org, { params: { template_id } })
  },
  async 'preview_mailbox 409'(endpoint, { world }) {
    const org = await world.newOrg()
    const made = await org.post('/signatures/mailboxes', { email: 'bare@example.com' })
    return exampleRequest(endpoint, org, { params: { mailbox_id: String(made.body.data.mailbox_id) } })
  },
  async 'revoke_agency_invitation 409'(endpoint, { world }) {
    const [org, client] = [await world.newOrg(), await world.newOrg()]
    const { invitation_id, token } = (await org.post('/agency/invitations', {})).body.data
    await client.post('/organization/agencies', { token })
    return exampleRequest(endpoint, org, { params: { invitation_id } })
  },
  async 'get_sandbox_signature 404'(endpoint, { world }) {
    return exampleRequest(endpoint, await world.newOrg())
  },
}
