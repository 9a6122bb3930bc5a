import { afterAll, beforeAll, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { reconcileAll } from '../../src/voice/calls/reconcile.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { type Answer, startTestApp, TestClient, type TestOrg } from '../support/app.ts'
import { addCallBackForm, askForCall, requestsOf } from '../support/call-back.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { placeCall } from '../support/place-call.ts'
import { Child, cleanUp } from '../support/processes.ts'
import { callTool } from '../support/tool-calls.ts'
import { behaviors, CallProvider, wayTo } from './call-provider.ts'
import { rounds } from './clients.ts'

const provider = new CallProvider()
const address = await provider.listen()
const app = await startTestApp()
const node = await startTestApp({}, app)
beforeAll(() => {
  providerMakers.vapi = () => wayTo(address)
})
afterAll(async () => {
  await cleanUp()
  await node.close()
  await app.close()
  provider.close()
})

/** Without FAULT_ROUNDS, only some steps are tested. */
const isThorough = rounds >= 10
const credentials = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }

async function caller(): Promise<TestOrg> {
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123' })
  const settings = { provider: 'vapi', credentials, concurrent_call_cap: 1000 }
  expect((await org.patch('/voice/settings', settings)).status).toBe(200)
  return org
}

const place = (client: TestClient, key: string, body: object = {}): Promise<Answer> =>
  placeCall(client, { to_number: '+12025550147', ...body }, key)

type Stored = { call_id: string; status: string; provider_call_id: string | null; slot: boolean }

const stored = ({ orgId }: TestOrg) =>
  runAsOwner<Stored>(
    app.databaseUrl,
    'select call_id, status, provider_call_id, slot_until is not null as slot from call where org_id = $1',
    [orgId],
  )

/** Expires the claims of the dead process, and polls the provider. */
async function recover(org: TestOrg): Promise<void> {
  const { orgId } = org
  await runAsOwner(
    app.databaseUrl,
    'update idempotency_key set busy_until = now() where org_id = $1 and unfinished is not null',
    [orgId],
  )
  let now = Date.now()
  const unknown = async () =>
    (await stored(org)).filter(({ status }) => status === 'unknown' || status === 'dispatching')
  // Poll a slow provider again, as the server does a minute later.
  await expect
    .poll(
      async () => {
        now += 99_000
        await reconcileAll(system(app.app.context.database), app.app.context, () => now)
        return unknown()
      },
      // Poll only a few times: a call fails after a day of simulated time.
      { timeout: 60_000, interval: 500 },
    )
    .toEqual([])
}

/** Checks that each call has the provider's status, and counts against the cap only while it runs. */
function expectTrue(calls: readonly Stored[]): void {
  for (const { call_id, status, provider_call_id, slot } of calls) {
    const isDialed = provider.dialed.includes(call_id)
    expect({ status, provider_call_id, slot }).toEqual(
      isDialed
        ? { status: 'queued', provider_call_id: `p-${call_id}`, slot: true }
        : { status: 'failed', provider_call_id: null, slot: false },
    )
  }
}

const dialsOf = (calls: readonly Stored[]) =>
  provider.dialed.filter((id) => calls.some(({ call_id }) => call_id === id)).length

test('if SIGKILL ends a server while it places a call, the number is dialed once at most, and a retry gets the same call', {
  timeout: 180_000 + rounds * 30_000,
}, async () => {
  const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
  let killed = 0
  let dialedBefore = 0
  const steps = isThorough ? Array.from({ length: 99 }, (_, n) => String(n + 1)) : ['dialing', 'dialed']
  for (const step of steps) {
    const server = new Child('test/faults/call-server.ts', [step, address], env)
    const [url] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
    const org = await caller()
    const first = await place(new TestClient(url!, org.token), 'k').catch(() => null)
    server.kill('SIGKILL')
    await server.ended
    if (first !== null) {
      expect(first.status).toBe(201)
      break
    }
    killed++
    if (dialsOf(await stored(org)) > 0) dialedBefore++
    // Wait until PostgreSQL notices that the killed client is gone.
    await expect.poll(async () => (await openTransactions()).length, patience).toBe(0)
    await place(org, 'k')
    await recover(org)
    const retries = [await place(org, 'k'), await place(node.client(org.token), 'k')]
    const calls = await stored(org)
    expect(calls).toHaveLength(1)
    expectTrue(calls)
    expect(dialsOf(calls)).toBeLessThanOrEqual(1)
    for (const retry of retries) expect([retry.status, retry.body.call_id]).toEqual([201, calls[0]!.call_id])
    expect(retries[1]!.text).toBe(retries[0]!.text)
  }
  console.log(`killed at ${killed} steps, ${dialedBefore} of them behind the dial`)
  expect(killed).toBeGreaterThan(isThorough ? 30 : 1)
  expect(dialedBefore).toBeGreaterThan(0)
  expect(dialedBefore).toBeLessThan(killed)
})

test('if SIGKILL ends a server during an approved call of a tool, the number is dialed once at most', {
  timeout: 180_000,
}, async () => {
  const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
  // The first steps read the approval and rehearse the call again.
  for (const step of ['2', '8', 'dialing', 'dialed']) {
    const server = new Child('test/faults/call-server.ts', [step, address], env)
    const [url] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
    const org = await caller()
    const args = { to_number: '+12025550147' }
    const { result } = await callTool(org, 'place_call', args)
    const person = await newMember(app, org.orgId)
    const [{ effect_id }] = (await person.get('/approvals')).body.data
    await person.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
    const confirmed = { ...args, confirm_token: result.confirm_token }
    await callTool(new TestClient(url!, org.token), 'place_call', confirmed).catch(() => null)
    server.kill('SIGKILL')
    await server.ended
    await expect.poll(async () => (await openTransactions()).length, patience).toBe(0)
    await callTool(org, 'place_call', confirmed)
    await recover(org)
    const retry = await callTool(org, 'place_call', confirmed)
    const calls = await stored(org)
    expect(calls, retry.text).toHaveLength(1)
    expect(retry.result.call_id).toBe(calls[0]!.call_id)
    expectTrue(calls)
    expect(dialsOf(calls)).toBeLessThanOrEqual(1)
  }
})

test('if SIGKILL ends a server while it approves a call-back request, the number is dialed once at most, and the request is not lost', {
  timeout: 180_000,
}, async () => {
  const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
  // The first steps come before the commit of the approval.
  for (const step of ['2', '8', 'dialing', 'dialed']) {
    const server = new Child('test/faults/call-server.ts', [step, address], env)
    const [url] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
    const org = await caller()
    await askForCall(app, await addCallBackForm(org), '+12025550147')
    const [{ request_id: id }] = await requestsOf(org, 'status=waiting')
    const approve = (client: TestClient, headers = {}) =>
      client.post(`/call-back-requests/${id}/approve`, {}, { headers })
    const keyed = { 'idempotency-key': 'k' }
    expect(await approve(new TestClient(url!, org.token), keyed).catch(() => null)).toBeNull()
    server.kill('SIGKILL')
    await server.ended
    await expect.poll(async () => (await openTransactions()).length, patience).toBe(0)
    const [found] = await requestsOf(org)
    expect(found.status).toBe(step.startsWith('dial') ? 'called' : 'waiting')
    await approve(org, keyed)
    await recover(org)
    const retries = [await approve(org, keyed), await approve(node.client(org.token), keyed)]
    const calls = await stored(org)
    expect(calls, retries[0]!.text).toHaveLength(1)
    for (const retry of retries) expect([retry.status, retry.body.call_id]).toEqual([201, calls[0]!.call_id])
    expectTrue(calls)
    expect(dialsOf(calls)).toBeLessThanOrEqual(1)
    expect(await requestsOf(org)).toMatchObject([{ status: 'called', call_id: calls[0]!.call_id }])
    expect((await approve(org)).body.code).toBe('call_back_request_decided')
  }
})

const openTransactions = () =>
  runAsOwner(
    app.databaseUrl,
    `select pid from pg_stat_activity
     where datname = current_database() and usename = 'crosswalk_app' and state like 'idle in transaction%'`,
  )

test('a call with an idempotency key is dialed once at most and ends with its true status, for any fault of the provider', {
  timeout: 180_000 + rounds * 5_000,
}, async () => {
  const org = await caller()
  const tester = await app.newKey(org.orgId, { mode: 'test' })
  const before = provider.dialed.length
  let count = 0
  provider.behaves = () => behaviors[count++ % behaviors.length]!
  const clients = [org, node.client(org.token)]
  const keys = Array.from({ length: 10 * rounds }, (_, n) => `key ${n}`)
  const unexpected: string[] = []
  const ask = async (key: string) => {
    // Send each request to both servers at once, and then again. A refusal frees the key, so it is not repeated.
    const answers = await Promise.all(clients.map((client) => place(client, key)))
    for (const { status, text } of answers)
      if (![201, 409, 502].includes(status)) unexpected.push(`${key}: ${status} ${text}`)
    await Promise.all([place(org, key, { dry_run: true }), place(tester, key)])
    return answers
  }
  for (let at = 0; at < keys.length; at += 10) await Promise.all(keys.slice(at, at + 10).map(ask))
  expect(unexpected).toEqual([])
  provider.behaves = () => 'takes'
  await recover(org)
  const calls = (await stored(org)).filter(({ provider_call_id: id }) => id === null || id.startsWith('p-'))
  expectTrue(calls)
  const dialed = provider.dialed.slice(before)
  expect(new Set(dialed).size).toBe(dialed.length)
  expect(dialed.every((id) => calls.some(({ call_id }) => call_id === id))).toBe(true)
  console.log(`${keys.length} keys, ${count} attempts, ${dialed.length} dials, ${calls.length} calls`)
})
