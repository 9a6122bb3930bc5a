import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredRecordAccess } from '../../src/auth/roles.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { parameterKindsOf } from '../support/path-kinds.ts'
import { call, everyEndpoint, exampleOf, idFields, makeObject, unknownIds } from '../support/walk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
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
  ...['merge_id', 'shadow_merge_id', 'undone_merge_id'],
])
/** Fields of queries and bodies that name a record. */
const namesRecord = new Set([
  ...['contact_id', 'company_id', 'deal_id', 'record_id', 'survivor_id', 'object_id', 'import_id'],
])

describe('every endpoint, for a member who reaches only own records', () => {
  let org: TestOrg
  let member: SignedIn
  const hidden: Record<string, string> = {}
  beforeAll(async () => {
    org = await app.newOrg()
    for (const kind of [...aboutRecords, 'event_id']) hidden[kind] = await makeObject(kind, org)
  })
  // Each member has limits of their own.
  beforeEach(async () => {
    member = await limitedMember(org, 'own')
  })

  const named = everyEndpoint.filter(([, endpoint]) =>
    parameterKindsOf(endpoint).some(([, kind]) => aboutRecords.has(kind)),
  )
  test.each(named)('%s answers for a hidden object as for an unknown id', async (_name, endpoint) => {
    const unknown = unknownIds(endpoint)
    const ids = Object.fromEntries(parameterKindsOf(endpoint).map(([name, kind]) => [name, hidden[kind]!]))
    const [known, nothing] = [await call(endpoint, member, ids), await call(endpoint, member, unknown)]
    expect([403, 404]).toContain(known.status)
    expect([known.status, known.text]).toEqual([nothing.status, nothing.text])
  })

  const lists = everyEndpoint.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'))
  test.each(lists)('%s shows no hidden object', async (_name, endpoint) => {
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

  const sending = (part: 'query' | 'body') =>
    everyEndpoint.flatMap(([name, endpoint]) =>
      idFields(endpoint[part])
        .filter((field) => namesRecord.has(field))
        .map((field): [string, Endpoint, string] => [`${name} ${field}`, endpoint, field]),
    )
  test.each(sending('query'))('%s in the query finds nothing', async (_name, endpoint, field) => {
    const kind = { record_id: 'contact_id', object_id: 'contact_id' }[field] ?? field
    const ask = async (id: string) => {
      const { status, text } = await call(endpoint, member, hidden, { query: `?${field}=${id}` })
      return [status, text.replaceAll(id, '')]
    }
    expect(await ask(hidden[kind]!)).toEqual(await ask(randomUUID()))
  })
  test.each(sending('body'))('%s in the body is unknown', async (_name, endpoint, field) => {
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
