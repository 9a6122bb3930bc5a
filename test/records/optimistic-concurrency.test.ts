import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { makeObject } from '../support/walk.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Kind = {
  make(org: TestOrg): Promise<string>
  method?: 'PUT'
  body(n: number): object
}

const made = (kind: string, path: string) => async (org: TestOrg) => `${path}/${await makeObject(kind, org)}`
const kinds: Record<string, Kind> = {
  contacts: { make: made('contact_id', '/contacts'), body: (n) => ({ city: `City ${n}` }) },
  companies: { make: made('company_id', '/companies'), body: (n) => ({ name: `Name ${n}` }) },
  deals: { make: made('deal_id', '/deals'), body: (n) => ({ name: `Name ${n}`, tags: [`t${n}`] }) },
  'close reasons': {
    make: made('close_reason_id', '/deals/close-reasons'),
    body: (n) => ({ label: `Label ${n}`, position: n + 1 }),
  },
  notes: { make: made('note_id', '/notes'), body: (n) => ({ text: `Text ${n}` }) },
  tasks: { make: made('task_id', '/tasks'), body: (n) => ({ title: `Title ${n}` }) },
  personas: { make: made('persona_id', '/personas'), body: (n) => ({ name: `Name ${n}` }) },
  'voice settings': {
    make: async () => '/voice/settings',
    body: (n) => ({ concurrent_call_cap: n + 1 }),
  },
  templates: {
    make: made('template_id', '/signatures/templates'),
    body: (n) => ({ name: `Name ${n}` }),
  },
  mailboxes: {
    make: made('mailbox_id', '/signatures/mailboxes'),
    body: (n) => ({ display_name: `Name ${n}` }),
  },
  'CRM connections': {
    make: made('connection_id', '/integrations/crm-sync/connections'),
    body: (n) => ({ name: `Name ${n}` }),
  },
  stages: {
    make: async () => '/deals/stages',
    method: 'PUT',
    body: (n) => ({ stages: ['New', `Stage ${n}`] }),
  },
}

/** The stored object. A close reason has no GET of its own, so read the list. */
async function read(org: TestOrg, path: string): Promise<unknown> {
  const [, reasonId] = /^\/deals\/close-reasons\/(.*)/.exec(path) ?? []
  if (!reasonId) return (await org.get(path)).body.data
  const { close_reasons } = (await org.get('/deals/close-reasons')).body.data
  return close_reasons.find((each: { close_reason_id: string }) => each.close_reason_id === reasonId)
}

const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })
const winnersOf = (answers: Answer[]) => answers.filter(({ status }) => status === 200)

describe.each(Object.entries(kinds))(
  'If-Match protects %s from concurrent writers',
  (_name, { make, method = 'PATCH', body }) => {
    test('of ten concurrent writers with the same If-Match, exactly one succeeds, in each round', async () => {
      const org = await app.newOrg()
      const path = await make(org)
      for (let version = 1; version <= 2; version++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            org.send(method, path, { body: body(version * 10 + n), headers: ifMatch(version) }),
          ),
        )
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
        const [winner] = winnersOf(answers)
        expect([winner!.body.data.version, winner!.headers.get('etag')]).toEqual([
          version + 1,
          `"${version + 1}"`,
        ])
        for (const { status, body } of answers)
          if (status === 409)
            expect(body.detail).toMatch(new RegExp(`version ${version}\\b.*version ${version + 1}\\b`))
        expect(await read(org, path)).toEqual(winner!.body.data)
      }
    })
  },
)

test('of concurrent writers with one If-Match and different operations, exactly one succeeds', async () => {
  const org = await app.newOrg()
  for (let round = 0; round < 5; round++) {
    const deal = `/deals/${await makeObject('deal_id', org)}`
    const headers = ifMatch(1)
    const answers = await Promise.all([
      org.patch(deal, { name: 'Other' }, { headers }),
      org.delete(deal, { headers }),
      org.post(`${deal}/close`, { status: 'won' }, { headers }),
      org.post(`${deal}/close`, { status: 'lost' }, { headers }),
    ])
    expect(winnersOf(answers)).toHaveLength(1)
    const reason = `/deals/close-reasons/${await makeObject('close_reason_id', org)}`
    const others = await Promise.all([
      org.patch(reason, { label: 'Other' }, { headers }),
      org.post(`${reason}/archive`, undefined, { headers }),
      org.patch(reason, { position: 1 }, { headers }),
    ])
    expect(winnersOf(others)).toHaveLength(1)
  }
})

test('every endpoint that changes an object with a version accepts If-Match', () => {
  const versioned = endpoints.filter(
    ({ method, path, response }) =>
      method !== 'GET' &&
      (path.includes('}') || method === 'PUT') &&
      // A push of a signature has the version in its body.
      !path.endsWith('/push') &&
      JSON.stringify(response?.toJSONSchema({ io: 'output', unrepresentable: 'any' }) ?? {}).includes(
        '"version"',
      ),
  )
  expect(versioned.length).toBeGreaterThan(12)
  expect(versioned.filter(({ headers }) => !headers || !('if-match' in headers.shape))).toEqual([])
})

test('a request that compares no version refuses If-Match, except *', async () => {
  const org = await app.newOrg()
  const change = (value: string) =>
    org.patch('/organization', { name: 'Acme' }, { headers: { 'if-match': value } })
  const refused = await change('"3"')
  expect([refused.status, refused.body.detail]).toMatchObject([
    422,
    [
      {
        ...{ type: 'value_error', loc: ['header', 'if-match'] },
        msg: 'this request does not compare versions; send it without If-Match',
      },
    ],
  ])
  expect((await change('*')).status).toBe(200)
  const created = await org.post('/contacts', { first_name: 'Ada' }, { headers: { 'if-match': '"1"' } })
  expect(created.status).toBe(422)
  // A GET changes nothing.
  expect((await org.get('/contacts', { headers: { 'if-match': '"1"' } })).status).toBe(200)
})
