import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { dumpTables, untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'
import { placeCall } from '../support/place-call.ts'
import { simulateUntil } from '../support/simulation.ts'

const app = await startTestApp()
afterAll(() => app.close())

async function caller(): Promise<TestOrg> {
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123' })
  return org
}

const content = {
  ...{ instructions: 'Ask Zebedeeplanted.', variables: { name: 'Zebedeeplanted' } },
  metadata: { note: 'planted' },
}
const place = async (org: TestOrg, to: string, key: string) =>
  (await placeCall(org, { to_number: to, ...content }, key)).body

const read = async (org: TestOrg, callId: string) => (await org.get(`/voice/calls/${callId}`)).body.data
const create = async (org: TestOrg, fields: object) =>
  (await org.post('/contacts', fields)).body.data.contact_id as string
const erase = async (org: TestOrg, contactId: string) =>
  expect((await org.post(`/contacts/${contactId}/erase`)).status).toBe(200)

const simulate = (ms: number) => simulateUntil(app, ms)

const traces = ['zebedeeplanted', 'planted', '12025550148', '12025550149']
const remains = async () => {
  const dump = (await dumpTables(app)).toLowerCase()
  return traces.filter((trace) => dump.includes(trace))
}

test('erasing a contact removes its data from calls and stored answers, and keeps the durations for billing', async () => {
  const org = await caller()
  const other = await caller()
  const survivor = await create(org, { first_name: 'Zebedeeplanted', phone: '+12025550148' })
  const loser = await create(org, { first_name: 'Zebedeeplanted', phones: ['+12025550149'] })
  await merge(org, 'contact', survivor, loser)
  const calls = [await place(org, '+12025550148', 'a'), await place(org, '+12025550149', 'b')]
  const bystander = await place(org, '+12025550104', 'c')
  const theirs = await place(other, '+12025550147', 'a')
  await simulate(60_000)
  const before = await read(org, calls[0].call_id)
  const usage = (await org.get('/voice/usage')).body
  expect(await remains()).toEqual(traces)

  await erase(org, survivor)
  expect(await read(org, calls[0].call_id)).toEqual({
    ...before,
    ...{ to_number: null, instructions: null, variables: {}, metadata: {}, status: 'completed' },
  })
  expect(await read(org, calls[1].call_id)).toMatchObject({ to_number: null, duration_seconds: 20 })
  expect((await org.get('/voice/usage')).body).toEqual(usage)
  const { data } = (await org.get('/voice/calls')).body
  expect(data.map((call: { to_number: string | null }) => call.to_number)).toEqual([
    ...['+12025550104', null, null],
  ])
  expect((await org.get('/voice/calls?to_number=%2B12025550148')).body.data).toEqual([])
  const again = await org.post(
    '/voice/calls',
    { to_number: '+12025550148', ...content },
    { headers: { 'idempotency-key': 'a' } },
  )
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('erased since')])
  expect(await read(org, bystander.call_id)).toMatchObject({ to_number: '+12025550104', ...content })
  expect(await read(other, theirs.call_id)).toMatchObject({ to_number: '+12025550147', ...content })
  await other.post('/contacts', { first_name: 'Other', phone: '+12025550147' })
  await erase(org, await create(org, { first_name: 'Same', phone: '+12025550147' }))
  expect(await read(other, theirs.call_id)).toMatchObject({ to_number: '+12025550147', ...content })
  for (const [each, number] of [
    [org, '+12025550104'],
    [other, '+12025550147'],
  ] as const)
    await erase(each, await create(each, { first_name: 'Rest', phone: number }))
  expect((await remains()).filter((trace) => trace !== 'planted')).toEqual([])
})

test('erasing a contact leaves only the phone number on a running call, and removes the number when the call ends', async () => {
  const org = await caller()
  const contact = await create(org, { first_name: 'Ada', phone: '+12025550146' })
  const { call_id: callId } = await place(org, '+12025550146', 'a')
  await erase(org, contact)
  expect(await read(org, callId)).toMatchObject({
    ...{ to_number: '+12025550146', status: 'queued', instructions: null, variables: {}, metadata: {} },
  })
  await simulate(1_000)
  expect(await read(org, callId)).toMatchObject({ to_number: '+12025550146', status: 'ringing' })
  await simulate(60_000)
  expect(await read(org, callId)).toMatchObject({
    ...{ to_number: null, status: 'completed', duration_seconds: 20 },
  })
})

test('erasing a contact keeps a phone number on calls if another contact also has the number, but removes the instructions', async () => {
  const org = await caller()
  const [ada, bob] = [
    await create(org, { first_name: 'Ada', phone: '+12025550145' }),
    await create(org, { first_name: 'Bob', phone: '+12025550145' }),
  ]
  const { call_id: callId } = await place(org, '+12025550145', 'a')
  await simulate(60_000)
  await erase(org, ada)
  expect(await read(org, callId)).toMatchObject({
    ...{ to_number: '+12025550145', instructions: null, variables: {}, metadata: {} },
  })
  const { data } = (await org.post('/companies', { name: 'Acme', phone: '+12025550145' })).body
  await erase(org, bob)
  expect((await read(org, callId)).to_number).toBe('+12025550145')
  await org.delete(`/companies/${data.company_id}`)
  await erase(org, await create(org, { first_name: 'Eve', phone: '+12025550145' }))
  expect((await read(org, callId)).to_number).toBeNull()
})

test('erasing two contacts with one phone number at the same time removes the number from their calls', async () => {
  const org = await caller()
  const both = [
    await create(org, { first_name: 'Ada', phone: '+12025550143' }),
    await create(org, { first_name: 'Bob', phone: '+12025550143' }),
  ]
  const { call_id: callId } = await place(org, '+12025550143', 'a')
  await simulate(60_000)
  const erasing = await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from call where call_id = $1 for update', [callId])
    const running = both.map((contact) => erase(org, contact))
    await untilBlocked(client, 2)
    return running
  })
  await Promise.all(erasing)
  expect((await read(org, callId)).to_number).toBeNull()
})

test('erasing a contact does not wait for a callback of the simulator', async () => {
  const org = await caller()
  const contact = await create(org, { first_name: 'Ada', phone: '+12025550144' })
  const { call_id: callId } = await place(org, '+12025550144', 'a')
  await simulate(60_000)
  await withClient(app, async (walker) => {
    await walker.query('begin')
    await walker.query('select from simulated_call where call_id = $1 for update', [callId])
    await erase(org, contact)
  })
  expect((await read(org, callId)).to_number).toBeNull()
})

test('erasing a contact removes the provider’s error message from a failed call', async () => {
  const org = await caller()
  await place(org, '+12025550110', 'a')
  await erase(org, await create(org, { first_name: 'Ada', phone: '+12025550110' }))
  const [failed] = (await org.get('/voice/calls?status=failed')).body.data
  expect(failed).toMatchObject({ to_number: null, error: { code: 'call_refused', message: '' } })
})
