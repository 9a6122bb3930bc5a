import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { firstOfAreas } from '../support/first-of-areas.ts'
import { call, everyEndpoint, exampleOf, makeParams, type Params } from '../support/walk.ts'
import { countEffects, effectsSince } from './effects.ts'

type NamedEndpoint = (typeof everyEndpoint)[number]

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Members that make the example a different request. */
const otherMembers = [
  { token: 'svc_invite_other' },
  { to_owner_id: '0190a3c4-0000-7000-8000-000000000009' },
  { merge_ids: ['0190a3c4-0000-7000-8000-000000000009'] },
  { change: { archive: true } },
  ...[{ source: 'other' }, { metadata: { other: 1 } }, { name: 'Other' }, { filter: { tag: 'other' } }],
  ...[{ label: 'Other' }, { display_name: 'Other' }, { items: [{ name: 'Other' }] }, { grace_seconds: 1 }],
  ...[
    { url: 'https://other.invalid/' },
    { type: 'deal.closed' },
    { failed_only: false },
    { until: 1_767_229_201 },
    { from: 'where_it_stopped' },
  ],
  ...[
    { timezone: 'America/Chicago' },
    { suppress: false },
    { status: 'lost' },
    { force: true },
    { dry_run: true },
    { entity_type: 'company' },
    { version: 2 },
  ],
  ...[{ field_choices: {} }, { contact: { mode: 'off' } }],
  ...[
    { claim_id: '0190a3c4-0000-7000-8000-000000000009' },
    { file_name: 'other.csv' },
    { suppressions: [{ number: '+12025550149' }] },
  ],
]

/** The parts of an answer that a retry repeats. */
function lasting({ status, text, headers }: Answer): unknown {
  const own = /^(x-request-id|date|connection|keep-alive|x?-?ratelimit-.*|ratelimit|idempotent-replayed)$/
  return { status, text, headers: [...headers].filter(([name]) => !own.test(name)) }
}

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'
const isInUse = ({ status, headers }: Answer) => status === 409 && headers.get('retry-after') === '1'

// Without an effect, no answer is stored: see test/imports/inspect.test.ts.
const everyPost = everyEndpoint.filter(([, { method, effect }]) => method === 'POST' && effect !== 'none')

const firsts = firstOfAreas(everyPost)

/** The first endpoint of each area, and each endpoint whose answer has a secret. */
export const someOfEachArea: NamedEndpoint[] = everyPost.filter(
  (each) => firsts.includes(each) || each[1].holdsSecret !== undefined,
)

/** The endpoints that `someOfEachArea` leaves out. */
export const theOthers: NamedEndpoint[] = everyPost.filter((each) => !someOfEachArea.includes(each))

/** Declares the tests of endpoints whose requests have an Idempotency-Key. They run on two servers of one database. */
export async function testKeysOf(endpoints: NamedEndpoint[]): Promise<void> {
  const app = await startTestApp()
  // Only the first server runs the jobs.
  const other = await startTestApp({ role: 'api' }, app)
  afterAll(async () => {
    await other.close()
    await app.close()
  })

  describe.each(endpoints)('%s with an Idempotency-Key takes effect once', (_name, endpoint) => {
    const key = withKey(randomUUID())
    let org: TestOrg
    let params: Params
    let first: Answer
    let oneEffect: Record<string, number>
    beforeAll(async () => {
      org = await app.newAgency()
      params = await makeParams(endpoint, org)
      const before = await countEffects(app)
      first = await call(endpoint, org, params, key)
      expect(first.status, first.text).toBeLessThan(300)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      oneEffect = await effectsSince(app, before)
    })

    test('retries with an idempotency key get the answer of the first request, even with other headers or another path prefix', async () => {
      const before = await countEffects(app)
      const sameKey = { headers: { 'idempotency-key': `"${key.headers['idempotency-key']}"`, 'x-any': 'y' } }
      const retries = [
        await call(endpoint, org, params, key),
        await call(endpoint, app.client(org.token), params, { ...sameKey, prefix: '' }),
        await call({ ...endpoint, path: `${endpoint.path}/` }, org, params, { ...sameKey, prefix: '/v1' }),
      ]
      for (const retry of retries) {
        expect(isReplay(retry), retry.text).toBe(true)
        expect(lasting(retry)).toEqual(lasting(first))
      }
      expect(await effectsSince(app, before)).toEqual({})
    })

    // Without a body, there is only one request.
    const { body } = endpoint
    if (body)
      test('another body with the same idempotency key is refused', async () => {
        const before = await countEffects(app)
        const example = exampleOf(endpoint, params) as object
        const { properties = {} } = toJsonSchema(body, 'input')
        const other = otherMembers.find((member) => Object.keys(member)[0]! in properties)
        expect(other, `add a member of ${endpoint.name} to otherMembers`).toBeDefined()
        const answer = await call(endpoint, org, params, { ...key, body: { ...example, ...other } })
        const problem = { type: 'idempotency_key_reused', loc: ['header', 'idempotency-key'] }
        expect([answer.status, answer.body.detail]).toMatchObject([422, [problem]])
        expect(isReplay(answer)).toBe(false)
        expect(await effectsSince(app, before)).toEqual({})
      })

    test('eight concurrent requests with one idempotency key on two servers take effect once: each gets the same answer or a 409', async () => {
      const many = await app.newAgency()
      const atOnce = await makeParams(endpoint, many)
      const before = await countEffects(app)
      const same = withKey(randomUUID())
      const clients = [many, other.client(many.token)]
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => call(endpoint, clients[n % 2]!, atOnce, same)),
      )
      const given = answers.filter((answer) => !isInUse(answer))
      expect(given.filter((answer) => !isReplay(answer))).toHaveLength(1)
      for (const answer of given) expect(lasting(answer)).toEqual(lasting(given[0]!))
      expect(given[0]!.status).toBeLessThan(300)
      expect(await effectsSince(app, before)).toEqual(oneEffect)
    })

    test('the answer is stored for the documented days, without secrets in plain text', async () => {
      const [row] = await runAsOwner<{ days: number; body: Buffer; secret_of: string | null }>(
        app.databaseUrl,
        `select round(extract(epoch from expires_at - now()) / 86400)::int as days, body, secret_of
         from idempotency_key where org_id = $1`,
        [org.orgId],
      )
      expect(row!.days).toBe(endpoint.storedDays ?? 1)
      const secrets =
        first.text.match(/svc_(live|test|invite)_\w+|whsec_[\w+/]+=*|(?:idsec|uhsec)_[\w-]+/g) ?? []
      expect(secrets.length > 0, 'holdsSecret of the endpoint').toBe(endpoint.holdsSecret !== undefined)
      if (endpoint.holdsSecret) {
        expect(row!.secret_of).toBe((first.body.data ?? first.body)[endpoint.holdsSecret])
        for (const secret of secrets) expect(row!.body.includes(secret)).toBe(false)
      } else {
        expect([row!.secret_of, row!.body.toString()]).toEqual([null, first.text])
      }
    })
  })
}
