import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredRecordAccess } from '../../src/auth/roles.ts'
import { contacts } from '../../src/contacts/contacts.ts'
import { withDryRun } from '../../src/duplicates/merge/dry-run.ts'
import { mergeRecords } from '../../src/duplicates/merge/merge.ts'
import { createImport } from '../../src/imports/imports.ts'
import { startImport } from '../../src/imports/progress.ts'
import type { Org } from '../../src/platform/db/org.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { readReach } from '../../src/records/owners/reach.ts'
import { type Options, sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { OauthRequests } from '../support/oauth-requests.ts'
import { parameterKindsOf } from '../support/path-kinds.ts'
import { callTool } from '../support/tool-calls.ts'
import { call, everyEndpoint, exampleOf, idFields, makeObject, unknownIds } from '../support/walk.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

async function limitedMember(org: TestOrg, access: StoredRecordAccess): Promise<SignedIn> {
  const member = await newMember(app, org.orgId, 'member')
  await runAsOwner(app.databaseUrl, 'update membership set record_access = $1 where member_id = $2', [
    access,
    member.memberId,
  ])
  return member
}

/** Kinds of objects that are about records. */
const aboutRecords = new Set([
  ...['contact_id', 'company_id', 'deal_id', 'note_id', 'task_id', 'import_id', 'scan_id'],
  ...['merge_id', 'shadow_merge_id', 'undone_merge_id', 'bulk_change_id', 'canceled_bulk_change_id'],
])
/** Fields of queries and bodies that name a record. */
const namesRecord = new Set([
  ...['contact_id', 'company_id', 'deal_id', 'record_id', 'survivor_id', 'object_id', 'import_id'],
])

/**
 * An organization with objects that its limited members do not see. All its members together may send 100 requests a
 * second, so each walk has an organization of its own.
 */
function walkedOrg(kinds: Iterable<string>) {
  let org: TestOrg
  const walk = { hidden: {} as Record<string, string>, member: undefined as unknown as SignedIn }
  beforeAll(async () => {
    org = await app.newOrg()
    for (const kind of kinds) walk.hidden[kind] = await makeObject(kind, org)
  })
  // Each member has limits of their own.
  beforeEach(async () => {
    walk.member = await limitedMember(org, 'own')
  })
  return walk
}

describe('every endpoint with an id in its path, for a member who reaches only own records', () => {
  const walk = walkedOrg(aboutRecords)
  const named = everyEndpoint.filter(([, endpoint]) =>
    parameterKindsOf(endpoint).some(([, kind]) => aboutRecords.has(kind)),
  )
  test.each(named)('%s answers for a hidden object as for an unknown id', async (_name, endpoint) => {
    const { member, hidden } = walk
    const unknown = unknownIds(endpoint)
    const ids = Object.fromEntries(parameterKindsOf(endpoint).map(([name, kind]) => [name, hidden[kind]!]))
    const [known, nothing] = [await call(endpoint, member, ids), await call(endpoint, member, unknown)]
    expect([403, 404]).toContain(known.status)
    expect([known.status, known.text]).toEqual([nothing.status, nothing.text])
  })
})

describe('every list, for a member who reaches only own records', () => {
  const walk = walkedOrg([...aboutRecords, 'event_id'])
  const lists = everyEndpoint.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'))
  test.each(lists)('%s shows no hidden object', async (_name, endpoint) => {
    const { member, hidden } = walk
    const example = exampleOf(endpoint, hidden) as Record<string, unknown> | undefined
    const { status, text, body } = await call(endpoint, member, hidden, {
      query: example?.record_id ? `?record_id=${hidden.contact_id}` : '',
    })
    expect([200, 403, 404]).toContain(status)
    expect(Object.values(hidden).filter((id) => text.includes(id))).toEqual([])
    if (endpoint.shape === 'page' && status === 200 && !settings.has(endpoint.path))
      expect([endpoint.path, body.pagination.total]).toEqual([endpoint.path, 0])
  })
  /** Lists that have nothing to do with records. */
  const settings = new Set([
    '/personas',
    '/organization/agencies',
    '/signatures/templates',
    '/connected-apps',
  ])
})

describe('every endpoint with an id in its query or body, for a member who reaches only own records', () => {
  const walk = walkedOrg(['contact_id', 'company_id', 'deal_id', 'import_id'])
  const sending = (part: 'query' | 'body') =>
    everyEndpoint.flatMap(([name, endpoint]) =>
      idFields(endpoint[part])
        .filter((field) => namesRecord.has(field))
        .map((field): [string, Endpoint, string] => [`${name} ${field}`, endpoint, field]),
    )
  test.each(sending('query'))('%s in the query finds nothing', async (_name, endpoint, field) => {
    const { member, hidden } = walk
    const kind = { record_id: 'contact_id', object_id: 'contact_id' }[field] ?? field
    const ask = async (id: string) => {
      const { status, text } = await call(endpoint, member, hidden, { query: `?${field}=${id}` })
      return [status, text.replaceAll(id, '')]
    }
    expect(await ask(hidden[kind]!)).toEqual(await ask(randomUUID()))
  })
  test.each(sending('body'))('%s in the body is unknown', async (_name, endpoint, field) => {
    const { member, hidden } = walk
    const kind = { record_id: 'contact_id', survivor_id: 'contact_id' }[field] ?? field
    const example = exampleOf(endpoint, {}) as object
    const send = async (id: string) => {
      const { status, text } = await call(endpoint, member, unknownIds(endpoint), {
        body: { ...example, [field]: id },
      })
      return [status, text.replaceAll(id, '')]
    }
    const [status, text] = await send(hidden[kind]!)
    // 409: the example of an upsert matches a contact of the import.
    expect([403, 404, 409]).toContain(status)
    expect([status, text]).toEqual(await send(randomUUID()))
  })
})

describe('ways around the limit', () => {
  let org: TestOrg
  let member: SignedIn
  beforeEach(async () => {
    org = await app.newOrg()
    member = await limitedMember(org, 'own')
  })
  const orgAs = ({ memberId }: SignedIn): Org =>
    app.app.context.database.org(org.orgId, { memberId, recordAccess: 'own' })
  const make = async (by: { post: TestOrg['post'] }, fields: object, options: Options = {}) => {
    const { status, text, body } = await by.post('/contacts', fields, options)
    expect(status, text).toBe(201)
    return { id: body.data.contact_id as string, text }
  }

  test('the Idempotency-Key of somebody else gives a limited member no stored answer', async () => {
    const options = { headers: { 'idempotency-key': 'contact 17' } }
    const hidden = await make(org, { first_name: 'Ada' }, options)
    const own = await make(member, { first_name: 'Ada' }, options)
    expect(own.id).not.toBe(hidden.id)
    expect(own.text).toContain(member.memberId)
    expect(await make(member, { first_name: 'Ada' }, options)).toEqual(own)
    expect(await make(await limitedMember(org, 'own'), { first_name: 'Ada' }, options)).not.toEqual(own)
    expect(await make(org, { first_name: 'Ada' }, options)).toEqual(hidden)
  })

  test('a read by keys finds own records alone, and names no others', async () => {
    const [email, other] = ['ada@acme.example', 'eve@acme.example']
    const [, seen] = [await make(org, { email }), await make(member, { email }), await make(org, { email })]
    await make(org, { email: other })
    const { body } = await member.post('/contacts/batch/read', { emails: [email, other] })
    expect(body.data).toMatchObject([
      { status: 'found', record: { contact_id: seen.id }, other_ids: [] },
      { status: 'not_found', record: null, other_ids: [] },
    ])
  })

  test('a transaction is limited again after a dry run of a merge', async () => {
    const ada = { first_name: 'Ada' }
    const [a, b] = [(await make(member, ada)).id, (await make(member, ada)).id]
    await make(org, ada)
    const order = { survivorId: a, loserIds: [b], entityType: 'contact', reason: { method: 'api' } } as const
    await orgAs(member).transact(async (tx) => {
      await withDryRun(tx, true, (locked) => mergeRecords(tx, order, app.app.context.jobs, locked))
      const seen = await tx.rows({ text: 'select contact_id from contact order by 1', values: [] })
      expect(seen).toEqual([a, b].map((contact_id) => ({ contact_id })))
    })
  })

  test('an import stops if its sender was limited and is no longer a member', async () => {
    const free = await newMember(app, org.orgId, 'member')
    const senders = [orgAs(member), app.app.context.database.org(org.orgId, { memberId: free.memberId })]
    const [stopped, continued] = await Promise.all(
      senders.map((sender) =>
        sender.transact((tx) =>
          createImport(tx, { type: contacts, status: 'running', fileName: undefined, mapping: undefined }),
        ),
      ),
    )
    for (const { memberId } of [member, free])
      await runAsOwner(app.databaseUrl, 'delete from membership where member_id = $1', [memberId])
    const start = (importId: string) =>
      app.app.context.database.org(org.orgId).transact((tx) => startImport(tx, importId))
    expect([await start(stopped!), await start(continued!)]).toEqual([null, expect.anything()])
    const { body } = await org.get(`/imports/${stopped}`)
    expect(body.data).toMatchObject({ status: 'failed', error: { code: 'sender_removed' } })
    // If the sender is removed while a worker stores rows, the next rows are refused.
    await expect(orgAs(member).transact(readReach)).rejects.toMatchObject({ code: 'record_access_limited' })
  })

  test('an app of a limited member reaches the same records through the tools, and follows a change of the limit', async () => {
    const oauth = new OauthRequests(app)
    const { client_id } = (await oauth.register()).body
    const permissions = ['contacts:write', 'duplicates:write', 'events:read']
    const host = app.client((await oauth.connect(member, client_id, { permissions })).access_token)
    const [hidden, own] = [
      await make(org, { first_name: 'Ada', email: 'ada@acme.example' }),
      await make(member, { first_name: 'Ada' }),
    ]
    const type = { entity_type: 'contact' }
    const listed = async () => (await callTool(host, 'list_records', type)).result
    expect(await listed()).toMatchObject({ total: 1, records: [{ contact_id: own.id }] })
    const searched = await callTool(host, 'search', { query: 'Ada' })
    expect(searched.result.results).toMatchObject([{ id: `contact:${own.id}` }])
    const items = [{ contact_id: hidden.id, city: 'Bath' }, { email: 'ada@acme.example' }]
    const refused: [string, object, string][] = [
      ['get_record', { ...type, id: hidden.id }, 'object_not_found'],
      ['fetch', { id: `contact:${hidden.id}` }, 'object_not_found'],
      ['find_duplicates', { ...type, record_id: hidden.id }, 'object_not_found'],
      ['merge_records', { ...type, survivor_id: own.id, loser_ids: [hidden.id] }, 'reference_not_found'],
      ['archive_records', { ...type, ids: [hidden.id] }, 'object_not_found'],
      ['save_contacts', { items: items.slice(0, 1) }, 'object_not_found'],
      ['save_contacts', { items: items.slice(1), match_on: 'email' }, 'record_hidden'],
      ['list_events', {}, 'record_access_limited'],
    ]
    for (const [tool, args, code] of refused) expect((await callTool(host, tool, args)).text).toContain(code)
    expect((await org.get(`/contacts/${hidden.id}`)).body.data).toMatchObject({
      archived_at: null,
      city: null,
    })
    const change = 'update membership set record_access = $1 where member_id = $2'
    await runAsOwner(app.databaseUrl, change, ['all', member.memberId])
    await expect.poll(async () => (await listed()).total, { timeout: 2_000, interval: 50 }).toBe(2)
    await runAsOwner(app.databaseUrl, change, ['own', member.memberId])
    await expect.poll(async () => (await listed()).total, { timeout: 2_000, interval: 50 }).toBe(1)
  })
})
