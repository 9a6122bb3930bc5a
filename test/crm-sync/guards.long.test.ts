import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import {
  connect,
  crmBase,
  holdAfter,
  itemsOf,
  jobOf,
  leadsOf,
  newContact,
  newSlowOrg,
  people,
  preview,
  push,
  pushAndWait,
  untilJobEnds,
  untilRequests,
} from '../support/crm-sync/crm.ts'
import { runAsOwner } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { EspoStandIn, espoError } from '../support/stand-ins/espocrm.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
})
afterAll(() => app.close())

describe('a CRM answer that cannot be stored', () => {
  const half = '\\ud83d'
  const emoji = { messageTranslation: { label: `${'x'.repeat(498)}😀😀` } }
  test.each([
    ['half a surrogate pair', espoError(400, '', `{"messageTranslation":{"label":"${half} no"}}`)],
    ['a message that is cut inside a character', espoError(400, '', emoji)],
    ['names with NUL and half a surrogate pair', espoError(409, '', `[{"id":"1","name":"A\\u0000${half}"}]`)],
    ['a name of a million characters', espoError(409, '', [{ id: '1', name: 'A'.repeat(900_000) }])],
  ])(
    'a CRM error text with %s is stored for that person, without the characters that PostgreSQL cannot store',
    async (_, said) => {
      const { org, connection_id, espo } = await newSlowOrg(app, 0)
      await people(org, 2)
      const refusal = { on: /^POST /, said }
      // The push retries duplicates once. Both people are refused at first, and one of them again.
      espo.refusals.push(...Array(said.status === 409 ? 3 : 1).fill(refusal))
      const job = await pushAndWait(org, { connection_id })
      expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
      const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
      expect(item!.error!.message.length).toBeLessThanOrEqual(500)
      expect(item!.error!.message).toMatch(/^EspoCRM /)
      await espo.server.close()
    },
  )

  test('after a CRM answer that is too long or has an invalid id, the push repeats the request', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 0)
    await people(org, 3)
    for (const body of [{ id: 'x'.repeat(300) }, { id: '1', of: 'x'.repeat(2 ** 21) }])
      espo.refusals.push({ on: /^POST /, said: { status: 200, body } })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'succeeded', counts: { created: 3 } })
    expect(espo.all()).toHaveLength(3)
    await espo.server.close()
  })
})

test('if a connection gets new credentials during a push, a refusal of the old credentials does not change its status', async () => {
  const { org, connection_id, espo } = await newSlowOrg(app, 0)
  await people(org, 1)
  const at = `${crmBase}/connections/${connection_id}`
  await org.patch(at, { credentials: { api_key: 'the-api-key-of-nobody' } })
  espo.server.hold = async () => {
    espo.server.hold = () => {}
    expect((await org.patch(at, { credentials: { api_key: espo.apiKey } })).status).toBe(200)
  }
  expect((await pushAndWait(org, { connection_id })).error.message).toMatch(/refuses the API key/)
  expect((await org.get(at)).body.data).toMatchObject({ status: 'ok', error: null })
  await espo.server.close()
})

test('a field_map with an unknown field gets a 422 at that field, which lists the known fields', async () => {
  const org = await app.newOrg()
  const body = { provider: 'sandbox', field_map: { city: 'town', e_mail: 'email' } }
  const answer = await org.post('/integrations/crm-sync/connections', body)
  expect([answer.status, answer.body.detail]).toMatchObject([
    422,
    [
      {
        loc: ['body', 'field_map', 'e_mail'],
        msg: expect.stringMatching(/first_name, .* and custom\.<name>$/),
      },
    ],
  ])
})

test('a field_map may contain names such as constructor and __proto__', async () => {
  const org = await app.newOrg()
  const field_map = { 'custom.toString': 'one', 'custom.__proto__': 'two', city: '__proto__' }
  const connection_id = await connect(org, { field_map })
  await newContact(org, { email: 'ada@example.com', city: 'London' })
  const { sample } = await preview(org, { connection_id })
  expect(sample).toMatchObject([{ one: null, two: null }])
  expect(Object.entries(sample[0])).toContainEqual(['__proto__', 'London'])
})

describe('test mode', () => {
  test('a test key cannot cancel or retry jobs of live mode, and a live key cannot retry jobs of test mode', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 20)
    await people(org, 20)
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const held = holdAfter(espo, 1)
    const live = await push(org, { connection_id })
    await untilRequests(espo, 1)
    expect((await tester.post(`${crmBase}/jobs/${live}/cancel`)).status).toBe(409)
    expect((await org.post(`${crmBase}/jobs/${live}/cancel`)).status).toBe(200)
    held.release()
    expect(await untilJobEnds(org, live)).toMatchObject({ status: 'canceled' })
    expect((await tester.post(`${crmBase}/jobs/${live}/retry`)).status).toBe(409)
    // Confirming a push to the sandbox does not confirm a push to a CRM.
    await newContact(org, { email: 'eve+refused@example.com', last_name: 'Eve' })
    await org.patch(`${crmBase}/settings`, { threshold: 0 })
    const inTest = await pushAndWait(tester, { connection_id, large_population_confirmed: true })
    expect(inTest).toMatchObject({ status: 'partially_succeeded', counts: { failed: 1 } })
    const retry = await org.post(`${crmBase}/jobs/${inTest.job_id}/retry`)
    expect([retry.status, retry.body.detail]).toEqual([409, expect.stringContaining('test key')])
    expect((await tester.post(`${crmBase}/jobs/${inTest.job_id}/retry`)).status).toBe(202)
    await espo.server.close()
  })

  test('an API key of test mode does not change the status of a connection whose credentials the CRM refuses', async () => {
    const espo = await EspoStandIn.start()
    const org = await app.newOrg()
    const credentials = { ...espo.credentials, api_key: 'another-api-key' }
    const path = `${crmBase}/connections/${await connect(org, { provider: 'espocrm', credentials })}`
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    expect((await org.post(`${path}/test`)).body.data.works).toBe(false)
    expect((await tester.post(`${path}/test`)).body.data.works).toBe(true)
    expect((await org.get(path)).body.data.status).toBe('needs_attention')
    await espo.server.close()
  })
})

test('an API key without contacts:read gets no people in previews and in the sandbox', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await people(org, 1)
  const reader = await app.newKey(org.orgId, { permissions: ['crm:manage'] })
  const sandbox = `${crmBase}/connections/${connection_id}/sandbox`
  for (const answer of [
    await reader.post(`${crmBase}/leads/previews`, { connection_id }),
    await reader.post(`${crmBase}/contacts/previews`, { connection_id }),
    await reader.get(sandbox),
  ])
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('contacts:read')])
  expect(await pushAndWait(reader, { connection_id })).toMatchObject({ status: 'succeeded' })
  const both = await app.newKey(org.orgId, { permissions: ['crm:read', 'contacts:read'] })
  expect(await preview(both, { connection_id })).toMatchObject({ count: 1 })
  expect((await both.get(sandbox)).body.data).toHaveLength(1)
})

test('erasing a contact while it is pushed removes all data about the push', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const ada = await newContact(org, { last_name: 'Lovelace', email: 'ada+slow@example.com' })
  const eve = await newContact(org, { last_name: 'y'.repeat(100), email: 'eve@example.com' })
  const jobId = await push(org, { connection_id, filter: { q: 'example.com' } })
  const links = () =>
    runAsOwner(app.databaseUrl, 'select from crm_link where connection_id = $1', [connection_id])
  await eventually(async () => expect(await links()).not.toEqual([]))
  for (const id of [ada, eve]) expect((await org.post(`/contacts/${id}/erase`)).status).toBe(200)
  expect(await untilJobEnds(org, jobId)).toMatchObject({ counts: { created: 0, failed: 2 } })
  expect(await leadsOf(org, connection_id)).toEqual([])
  expect(await links()).toEqual([])
  expect(await itemsOf(org, jobId)).toMatchObject([
    { error: null, external_id: null },
    { error: null, external_id: null },
  ])
  const [job] = await runAsOwner<object>(app.databaseUrl, 'select selection from crm_job where job_id = $1', [
    jobId,
  ])
  expect(job).toEqual({ selection: {} })
})

test('a long push to a slow CRM yields its worker to a short push after about a second', async () => {
  const { org, connection_id, espo } = await newSlowOrg(app, 75)
  const ids = await people(org, 25)
  const long = await push(org, { connection_id, contact_ids: ids.slice(1) })
  await untilRequests(espo, 1)
  const short = await push(org, { connection_id, contact_ids: ids.slice(0, 1) })
  expect(await untilJobEnds(org, short)).toMatchObject({ counts: { created: 1 } })
  expect(await jobOf(org, long)).toMatchObject({ status: 'running' })
  expect(await untilJobEnds(org, long)).toMatchObject({ counts: { created: 24 } })
  await espo.server.close()
})
