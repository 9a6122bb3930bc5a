import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { endpoints } from '../../src/api.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { JsonSchema } from '../../src/platform/http/json-schema.ts'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import type { Answer, Options, TestClient, TestOrg } from './app.ts'
import { create } from './create-object.ts'
import { parameterKindsOf, parameterNamesOf } from './path-kinds.ts'
import { patience } from './patience.ts'
import { formMakers } from './walked-forms.ts'
import { selectionMakers } from './walked-selections.ts'
import { claimOfLastVisitor, makeVisitor } from './walked-visitors.ts'

/** Every endpoint with its name, for `test.each('%s')`. */
export const everyEndpoint: [string, Endpoint][] = endpoints.map((endpoint) => [
  `${endpoint.method} ${endpoint.path}`,
  endpoint,
])

/** Creates an object of a kind in the client's org, and returns its id. */
const makers: Record<string, (org: TestClient) => Promise<string>> = {
  client_org_id: (org) => create(org, '/agency/clients', { name: 'Client' }, (body) => body.data.org_id),
  /** An organization has at most five sandboxes. */
  async sandbox_org_id(org) {
    const { data } = (await org.get('/organization/sandboxes')).body
    if (data.length >= 5) return data[0].org_id
    return create(org, '/organization/sandboxes', { name: 'Made for a walk' }, (body) => body.data.org_id)
  },
  invitation_id: (org) => create(org, '/agency/invitations', {}, (body) => body.data.invitation_id),
  async invitation_token(org) {
    const agency = await (org as TestOrg).newAgency()
    return create(agency, '/agency/invitations', {}, (body) => body.data.token)
  },
  async agency_org_id(org) {
    const token = await makeObject('invitation_token', org)
    return create(org, '/organization/agencies', { token }, (body) => body.data.org_id)
  },
  connected_app_id: (org) => (org as TestOrg).newConnectedApp((org as TestOrg).orgId),
  // The person of a connected app is a member.
  async owner_id(org) {
    await makeObject('connected_app_id', org)
    return (await org.get('/owners')).body.data[0].owner_id
  },
  api_key_id: (org) => create(org, '/api-keys', { name: 'Made for a walk' }, (body) => body.api_key_id),
  contact_id: (org) => create(org, '/contacts', { first_name: 'Ada' }, (body) => body.data.contact_id),
  company_id: (org) => create(org, '/companies', { name: 'Acme' }, (body) => body.data.company_id),
  deal_id: (org) => create(org, '/deals', { name: 'Website' }, (body) => body.data.deal_id),
  field_id: (org) =>
    create(org, '/fields', { entity: 'deal', key: randomUUID(), type: 'text' }, ({ data }) => data.field_id),
  async note_id(org) {
    const body = { entity_type: 'contact', record_id: await makeObject('contact_id', org), text: 'Tea' }
    return create(org, '/notes', body, (body) => body.data.note_id)
  },
  async task_id(org) {
    const body = { entity_type: 'deal', record_id: await makeObject('deal_id', org), title: 'Call' }
    return create(org, '/tasks', body, (body) => body.data.task_id)
  },
  ...selectionMakers,
  close_reason_id: (org) =>
    create(org, '/deals/close-reasons', { label: 'Made for a walk' }, (body) => body.data.close_reason_id),
  persona_id: (org) => create(org, '/personas', { name: 'Mia' }, (body) => body.data.persona_id),
  number_id: (org) => create(org, '/voice/numbers', { number: newNumber() }, (body) => body.data.number_id),
  suppression_id: (org) =>
    create(org, '/voice/suppressions', { number: newNumber() }, (body) => body.data.suppression_id),
  async call_id(org) {
    const from_number = newNumber()
    await create(org, '/voice/numbers', { number: from_number }, (body) => body.data.number_id)
    const body = { to_number: '+12025550100', from_number }
    return create(org, '/voice/calls', body, (body) => body.call_id)
  },
  async import_id(org) {
    const body = { csv: 'email\nada@example.com\nno address\n' }
    const id = await create(org, '/contacts/imports', body, (body) => body.data.import_id)
    await vi.waitFor(
      async () => expect((await org.get(`/imports/${id}`)).body.data.status).toBe('succeeded'),
      patience,
    )
    return id
  },
  async canceled_import_id(org) {
    const csv = `email\n${Array.from({ length: 5_000 }, (_, n) => `${n}@x.example`).join('\n')}`
    const id = await create(org, '/contacts/imports', { csv }, (body) => body.data.import_id)
    return create(org, `/imports/${id}/cancel`, {}, () => id)
  },
  async scan_id(org) {
    const body = { entity_type: 'contact' }
    const id = await create(org, '/duplicates/scans', body, (body) => body.data.scan_id)
    await vi.waitFor(
      async () => expect((await org.get(`/duplicates/scans/${id}`)).body.data.status).toBe('succeeded'),
      patience,
    )
    return id
  },
  merge_id: async (org) => (await mergeTwo(org)).merge_id,
  shadow_merge_id: proposeTwo,
  async dismissed_merge_id(org) {
    const id = await proposeTwo(org)
    return create(org, `/duplicates/shadow/${id}/dismiss`, {}, (body) => body.data.merge_id)
  },
  template_id(org) {
    const body = { name: 'Made for a walk', html: '<b>{{ display_name }}</b>' }
    return create(org, '/signatures/templates', body, (body) => body.data.template_id)
  },
  async mailbox_id(org) {
    const template_id = await makeObject('template_id', org)
    const body = { email: `${randomUUID()}@example.com`, template_id }
    return create(org, '/signatures/mailboxes', body, (body) => String(body.data.mailbox_id))
  },
  connection_id(org) {
    const path = '/integrations/crm-sync/connections'
    return create(org, path, { provider: 'sandbox' }, (body) => body.data.connection_id)
  },
  async job_id(org) {
    const connection_id = await makeObject('connection_id', org)
    const body = { connection_id, filter: { tag: randomUUID() } }
    return create(org, '/integrations/crm-sync/leads/push', body, (body) => body.job_id)
  },
  async failed_job_id(org) {
    const connection_id = await makeObject('connection_id', org)
    const fields = { email: `${randomUUID()}+refused@example.com` }
    const contact = await create(org, '/contacts', fields, (body) => body.data.contact_id)
    const body = { connection_id, contact_ids: [contact] }
    const id = await create(org, '/integrations/crm-sync/leads/push', body, (body) => body.job_id)
    await vi.waitFor(
      async () => expect((await org.get(`/integrations/crm-sync/jobs/${id}`)).body.status).toBe('failed'),
      patience,
    )
    return id
  },
  async running_job_id(org) {
    const connection_id = await makeObject('connection_id', org)
    const fields = { email: `${randomUUID()}+slow@example.com` }
    const contact = await create(org, '/contacts', fields, (body) => body.data.contact_id)
    const body = { connection_id, contact_ids: [contact] }
    return create(org, '/integrations/crm-sync/leads/push', body, (body) => body.job_id)
  },
  async installed_mailbox_id(org) {
    const id = await makeObject('mailbox_id', org)
    await create(org, `/signatures/mailboxes/${id}/push`, { version: 1 }, () => '')
    await vi.waitFor(
      async () => expect((await org.get(`/signatures/mailboxes/${id}/sandbox`)).status).toBe(200),
      patience,
    )
    return id
  },
  async push_id(org) {
    const id = await makeObject('mailbox_id', org)
    return create(org, `/signatures/mailboxes/${id}/push`, { version: 1 }, (body) => body.data.push_id)
  },
  async used_template_id(org) {
    const template_id = await makeObject('template_id', org)
    const body = { email: `${randomUUID()}@example.com`, template_id }
    await create(org, '/signatures/mailboxes', body, () => '')
    return template_id
  },
  async rollout_id(org) {
    const template_id = await makeObject('used_template_id', org)
    const path = `/signatures/templates/${template_id}/push`
    return create(org, path, { version: 1 }, (body) => body.data.rollout_id)
  },
  // Use an address at which nothing listens, so that nothing is sent.
  endpoint_id: (org) =>
    create(
      org,
      '/webhooks/endpoints',
      { url: 'https://receiver.invalid/', types: ['suppression.deleted'] },
      (body) => body.data.endpoint_id,
    ),
  ...formMakers,
  visitor_id: makeVisitor,
  claim_id: claimOfLastVisitor,
  link_id: claimOfLastVisitor,
  identity_secret: (org) => create(org, '/tracking/identity-secret/rotate', {}, (body) => body.data.org_id),
  event_id: async (org) => (await org.get('/events?limit=1')).body.data[0].event_id,
  async replay_id(org) {
    const path = `/webhooks/endpoints/${await makeObject('endpoint_id', org)}/replay`
    return create(org, path, { from: 1_000_000_000 }, (body) => body.data.replay_id)
  },
  async undone_merge_id(org) {
    const { merge_id } = await mergeTwo(org)
    return create(org, `/duplicates/undo-merge/${merge_id}`, {}, (body) => body.data.merge_id)
  },
}

let numbers = 0
/** A new number: an org can have each number only once. */
const newNumber = () => `+1415555${String(1000 + numbers++).padStart(4, '0')}`

const kindOf: Record<string, string> = {
  ...{ to_owner_id: 'owner_id', claimed_by: 'visitor_id' },
  assignee_id: 'owner_id',
  object_id: 'contact_id',
  survivor_id: 'contact_id',
  loser_ids: 'contact_id',
  merge_ids: 'shadow_merge_id',
  record_id: 'contact_id',
  actor_id: 'api_key_id',
  contact_ids: 'contact_id',
}

async function mergeTwo(org: TestClient): Promise<{ merge_id: string }> {
  const [survivor_id, loser_id] = [await makeObject('contact_id', org), await makeObject('contact_id', org)]
  const body = { entity_type: 'contact', survivor_id, loser_ids: [loser_id] }
  const answer = await org.post('/duplicates/merge', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.merges[0]
}

/** Makes a scan propose a merge of two contacts. */
async function proposeTwo(org: TestClient): Promise<string> {
  const twin = { first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@example.com` }
  await create(org, '/contacts', twin, (body) => body.data.contact_id)
  const id = await create(org, '/contacts', twin, (body) => body.data.contact_id)
  await makeObject('scan_id', org)
  const { body } = await org.get('/duplicates/recent-merges?include_shadow=true')
  return body.data.find(({ loser_id }: { loser_id: string }) => loser_id === id).merge_id
}

/** The kind of object that an example needs without its id. */
const takenForGranted: Record<string, string> = {
  ...{ place_call: 'number_id', delete_identity_secret: 'identity_secret' },
}

export function makeObject(kind: string, org: TestClient): Promise<string> {
  const make = makers[kindOf[kind] ?? kind]
  if (!make) throw new Error(`test/support/walk.ts knows no way to make an object for ${kind}: add one`)
  return make(org)
}

/** Ids for the parameters of the path and the ids of the example. */
export type Params = Record<string, string>

/** Ids for all parameters of the path and all ids of the example. By default, new objects have these ids. */
export async function makeParams(endpoint: Endpoint, org: TestClient, make = makeObject): Promise<Params> {
  const params: Params = {}
  const granted = takenForGranted[endpoint.name]
  if (granted) await make(granted, org)
  for (const [name, kind] of parameterKindsOf(endpoint)) params[name] = await make(kind, org)
  for (const [field, value] of Object.entries(endpoint.example ?? {}))
    for (const id of [value].flat()) {
      if (isId(id)) params[id] = await make(field, org)
      if (isInvitationToken(id)) params[id] = await makeObject('invitation_token', org)
    }
  return params
}

const isInvitationToken = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('svc_invite_')

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

export function exampleOf({ example }: Endpoint, params: Params): unknown {
  if (example === undefined) return undefined
  return JSON.parse(JSON.stringify(example), (_name, value) =>
    isId(value) || isInvitationToken(value) ? (params[value] ?? value) : value,
  )
}

/** Valid ids that no object has. */
export const unknownIds = (endpoint: Endpoint): Params =>
  Object.fromEntries(
    parameterNamesOf(endpoint.path).map((name) => [
      name,
      name === 'mailbox_id' ? '999999999999' : randomUUID(),
    ]),
  )

/** Sends the example with the changes in `options`. */
export function call(
  endpoint: Endpoint,
  client: TestClient,
  params: Params,
  options: Options & { query?: string } = {},
): Promise<Answer> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]!))
  const { query = '', ...rest } = options
  const asked = endpoint.body ? query : withExample(endpoint, params, query)
  const body = 'body' in rest || 'raw' in rest || !endpoint.body ? {} : { body: exampleOf(endpoint, params) }
  return client.send(endpoint.method, path + asked, { ...body, ...rest })
}

function withExample(endpoint: Endpoint, params: Params, query: string): string {
  const example = exampleOf(endpoint, params)
  if (example === undefined) return query
  const given = new URLSearchParams(query)
  for (const [name, value] of Object.entries(example as Record<string, string>))
    if (!given.has(name)) given.set(name, value)
  return `?${given}`
}

/** The names of the fields of a body that are ids. */
export function idFields(schema: Endpoint['body'] | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = toJsonSchema(schema, 'input')
  return Object.entries(properties)
    .filter(([, property]) => (property as JsonSchema).format === 'uuid')
    .map(([name]) => name)
}
