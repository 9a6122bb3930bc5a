import { afterAll, describe, expect, test } from 'vitest'
import { setSubscription } from '../../src/voice/subscription.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { backgroundTables, runAsOwner } from '../support/database.ts'
import { answeredNumber, ownNumber, place, simulatedCalls } from '../support/simulated-calls.ts'

const app = await startTestApp()
const other = await startTestApp({}, app)
afterAll(async () => {
  await other.close()
  await app.close()
})

const { caller, dials, simulate } = simulatedCalls(app)

async function everything({ orgId }: TestOrg): Promise<string[]> {
  const tables = await runAsOwner<{ name: string }>(
    app.databaseUrl,
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'org_id' and table_name <> all($1)`,
    [backgroundTables],
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(t) - 'last_used_at')::text as row from "${name}" t where org_id = $1`,
  )
  const rows = await runAsOwner<{ row: string }>(app.databaseUrl, parts.join(' union all '), [orgId])
  return rows.map(({ row }) => row).sort()
}

describe('checks', () => {
  const settings = async (org: TestOrg, body: object) =>
    expect((await org.patch('/voice/settings', body)).status).toBe(200)

  test.each([true, false])(
    'the checks of a call run in the documented order with dry_run %j',
    async (dryRun) => {
      const org = await app.newOrg()
      const hour = new Date().getUTCHours()
      const hours = {
        start: `${String((hour + 2) % 24).padStart(2, '0')}:00`,
        end: `${String((hour + 3) % 24).padStart(2, '0')}:00`,
      }
      await app.operateOn(org.orgId, (tx) => setSubscription(tx, { status: 'past_due' }))
      const archived = (await org.post('/personas', { name: 'Mia' })).body.data.persona_id
      await org.post(`/personas/${archived}/archive`)
      await settings(org, { calling_hours: hours, concurrent_call_cap: 1 })
      const asked = {
        to_number: '+44 20',
        timezone: 'Mars/Olympus',
        persona_id: archived,
        dry_run: dryRun,
        oops: 1,
      }
      const refused = async (body: object) => {
        const before = await everything(org)
        const answer = await org.post('/voice/calls', body)
        expect(await everything(org)).toEqual(before)
        return [answer.status, answer.body.detail]
      }
      const shape = await refused(asked)
      expect(shape).toMatchObject([
        422,
        [
          { type: 'value_error', loc: ['body', 'timezone'] },
          { type: 'extra_forbidden', loc: ['body', 'oops'] },
        ],
      ])
      const { oops: _, ...known } = { ...asked, timezone: 'Etc/UTC' }
      expect(await refused(known)).toEqual([400, expect.stringContaining('to_number: ')])
      const valid = { ...known, to_number: answeredNumber }
      expect(await refused(valid)).toEqual([400, expect.stringContaining('this organization has no number')])
      await org.post('/voice/numbers', { number: ownNumber })
      expect(await refused({ ...valid, from_number: '+14155550199' })).toEqual([
        400,
        expect.stringContaining('0123'),
      ])
      const { timezone: __, ...zoneless } = valid
      expect(await refused(zoneless)).toMatchObject([
        422,
        [
          {
            type: 'missing',
            loc: ['body', 'timezone'],
            msg: expect.stringMatching(/^Field required: .*calling hours/),
          },
        ],
      ])
      expect(await refused(valid)).toEqual([400, expect.stringContaining('outside of the calling hours')])
      await settings(org, { calling_hours: null })
      expect(await refused(valid)).toEqual([400, expect.stringContaining('archived')])
      await org.post(`/personas/${archived}/restore`)
      expect(await refused(valid)).toEqual([402, expect.stringContaining('past due')])
      await app.operateOn(org.orgId, (tx) => setSubscription(tx, { status: 'active', included_minutes: 0 }))
      expect(await refused(valid)).toEqual([402, expect.stringContaining('has no minutes')])
      const testing = await app.newKey(org.orgId, { mode: 'test' })
      expect((await place(testing, { dry_run: true })).status).toBe(201)
      await app.operateOn(org.orgId, (tx) => setSubscription(tx, { included_minutes: 1 }))
      expect((await place(org)).status).toBe(201)
      const full = await org.post('/voice/calls', valid)
      expect([full.status, full.headers.get('retry-after')]).toEqual([429, '5'])
      expect(await refused(valid)).toEqual([429, expect.stringContaining('cap')])
      expect(await refused({ ...valid, persona_id: '00000000-0000-7000-8000-000000000000' })).toEqual([
        404,
        'persona_id: no persona of this organization has this id',
      ])
    },
  )

  test('a dry run of a call writes nothing and uses no idempotency key', async () => {
    const org = await caller()
    const before = await everything(org)
    const dry = await place(org, { dry_run: true }, 'k')
    expect([dry.status, dry.body]).toEqual([
      201,
      {
        ...{ call_id: null, status: 'validated', dry_run: true, mode: 'live', provider: 'simulator' },
        ...{ provider_call_id: null, to_number: answeredNumber, from_number: ownNumber, persona_id: null },
        ...{ created_at: expect.any(Number), dispatch: null },
      },
    ])
    expect(await everything(org)).toEqual(before)
    expect((await place(org, {}, 'k')).body.status).toBe('dispatched')
  })

  test.each(['true', 1, 'yes', null])(
    'the checks of a call refuse the dry_run %j, which is not a JSON boolean',
    async (value) => {
      const org = await caller()
      const answer = await place(org, { dry_run: value })
      expect([answer.status, answer.body.detail]).toMatchObject([
        422,
        [{ type: 'bool_type', loc: ['body', 'dry_run'] }],
      ])
      expect(await dials(org)).toBe(0)
    },
  )

  test('a test key calls only the simulator, with its own slots and minutes', async () => {
    const org = await caller()
    await settings(org, {
      provider: 'twilio',
      credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'x'.repeat(20) },
      concurrent_call_cap: 1,
    })
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const placed = await place(tester)
    expect(placed.body).toMatchObject({ mode: 'test', provider: 'simulator', status: 'dispatched' })
    expect((await place(tester)).status).toBe(429)
    const usage = (await org.get('/voice/usage')).body.data
    expect(usage).toMatchObject({ concurrent_calls: 0, months: [{ live: { calls: 0 }, test: { calls: 1 } }] })
  })

  test('of 200 concurrent calls on two servers, as many are accepted as the limit of concurrent calls allows', async () => {
    const org = await caller()
    await settings(org, { concurrent_call_cap: 3 })
    const clients = [org, other.client(org.token)]
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => place(clients[n % 2]!)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 197 }, () => 429)])
    expect(await dials(org)).toBe(3)
    await simulate(30_000)
    expect((await place(org)).status).toBe(201)
  })
})
