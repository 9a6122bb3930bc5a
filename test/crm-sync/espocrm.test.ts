import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connect, crmBase, ended, itemsOf, newContact, push, pushed } from '../support/crm-sync/crm.ts'
import { patience } from '../support/patience.ts'
import { EspoStandIn, espoError, forbidden } from '../support/stand-ins/espocrm.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
})
afterAll(() => app.close())

const standIns: EspoStandIn[] = []
afterEach(async () => {
  for (const standIn of standIns.splice(0)) await standIn.server.close()
})

/** An org with a connection to a new EspoCRM. */
async function newOrg(
  settings: object = {},
): Promise<{ org: TestOrg; connection_id: string; espo: EspoStandIn }> {
  const espo = await EspoStandIn.start()
  standIns.push(espo)
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'espocrm', credentials: espo.credentials, settings })
  return { org, connection_id, espo }
}

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }
const asked = (espo: EspoStandIn) => espo.server.requests.map(({ method, path }) => `${method} ${path}`)

/** The only failed item of a push. */
async function errorOf(org: TestOrg, connection_id: string): Promise<string> {
  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({ status: 'failed', counts: { failed: 1 } })
  const [item] = await itemsOf(org, job.job_id)
  return item!.error!.message
}

test('a push creates one Lead in EspoCRM for each person, and later pushes update it', async () => {
  const { org, connection_id, espo } = await newOrg()
  const contactId = await newContact(org, {
    ...ada,
    phone: '+14155550123',
    city: 'London',
    job_title: 'Countess',
  })
  expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded', counts: { created: 1 } })
  const [lead] = espo.all()
  expect(lead).toMatchObject({
    ...{
      firstName: 'Ada',
      lastName: 'Lovelace',
      emailAddress: 'ada@example.com',
      phoneNumber: '+14155550123',
    },
    ...{ accountName: 'Engines', title: 'Countess', addressCity: 'London', crosswalkId: contactId },
  })
  const { body } = await org.get(`/contacts/${contactId}`)
  expect(body.data.external_ids).toEqual({ espocrm_lead: lead!.id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  const before = asked(espo).length
  expect(await pushed(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
  expect(
    asked(espo)
      .slice(before)
      .filter((each) => /Lead/.test(each)),
  ).toEqual(['GET /api/v1/Lead', `PUT /api/v1/Lead/${lead!.id}`])
  expect(espo.all()).toMatchObject([{ addressCity: 'Paris' }])
  for (const { headers } of espo.server.requests) expect(headers['x-api-key']).toBe(espo.apiKey)
})

test('a push of contacts creates Contacts with their own fields, besides the Leads', async () => {
  const { org, connection_id, espo } = await newOrg()
  await newContact(org, ada)
  expect(await pushed(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
  expect(espo.all('Contact')).toMatchObject([{ lastName: 'Lovelace' }])
  expect(espo.all('Lead')).toEqual([])
})

test('a Lead that somebody deleted in EspoCRM is created again', async () => {
  const { org, connection_id, espo } = await newOrg()
  const contactId = await newContact(org, ada)
  await pushed(org, { connection_id })
  espo.all()[0]!.deleted = true
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded' })
  expect(espo.all()).toMatchObject([{ addressCity: 'Paris', crosswalkId: contactId }])
  const { body } = await org.get(`/contacts/${contactId}`)
  expect(body.data.external_ids).toEqual({ espocrm_lead: espo.all()[0]!.id })
})

describe('faults', () => {
  const lead = /^(PUT|POST) /
  const cases: [string, Parameters<EspoStandIn['server']['fault']>[0]][] = [
    ['503 before it does anything', { on: lead, when: 'before', how: 'answer', status: 503 }],
    ['503 after it did', { on: lead, when: 'after', how: 'answer', status: 503 }],
    ['429', { on: lead, when: 'before', how: 'answer', status: 429 }],
    ['a connection that is dropped before', { on: lead, when: 'before', how: 'drop' }],
    ['a connection that is dropped after', { on: lead, when: 'after', how: 'drop' }],
    ['half an answer', { on: lead, when: 'after', how: 'half' }],
    ['an answer that is cut off', { on: lead, when: 'after', how: 'truncated' }],
    ['a dropped look-up', { on: /^GET .*Lead/, when: 'after', how: 'drop' }],
    ['metadata that is cut off', { on: /Metadata/, when: 'after', how: 'truncated' }],
  ]
  // Concurrent, because each test waits for a retry.
  test('each contact has exactly one Lead after faults of any kind', async () => {
    const work = cases.map(async ([what, fault]) => {
      const { org, connection_id, espo } = await newOrg()
      const contactId = await newContact(org, ada)
      espo.server.fault(fault)
      const jobId = await push(org, { connection_id })
      const job = await ended(org, jobId)
      const outcome = { status: 'succeeded', error: null, counts: { processed: 1, created: 1 } }
      expect(job, what).toMatchObject(outcome)
      expect(espo.server.hasFaults, what).toBe(false)
      expect(Object.fromEntries(espo.perKey()), what).toEqual({ [contactId]: 1 })
      const [item] = await itemsOf(org, jobId)
      expect(item, what).toMatchObject({ outcome: 'created', external_id: espo.all()[0]!.id })
    })
    await Promise.all(work)
  })

  test('a retry waits for the time in Retry-After', async () => {
    const { org, connection_id, espo } = await newOrg()
    await newContact(org, ada)
    const said = { status: 429, body: '', headers: { 'retry-after': '3' } }
    espo.refusals.push({ on: /^POST/, said })
    const askedAt = performance.now()
    const jobId = await push(org, { connection_id })
    await vi.waitFor(async () => {
      const { body } = await org.get(`${crmBase}/jobs/${jobId}`)
      expect(body).toMatchObject({
        status: 'running',
        error: { message: expect.stringContaining('tries again by itself') },
      })
    }, patience)
    await ended(org, jobId)
    expect(performance.now() - askedAt).toBeGreaterThan(3_000)
    expect(espo.all()).toHaveLength(1)
  })
})

test('a person whom EspoCRM refuses as a duplicate fails with the name of the other record, or is created if duplicates are allowed', async () => {
  const { org, connection_id, espo } = await newOrg()
  const twin = espo.add('Lead', { firstName: 'A.', lastName: 'Lovelace', emailAddress: 'ada@example.com' })
  await newContact(org, ada)
  const error = await errorOf(org, connection_id)
  expect(error).toContain(`A. Lovelace <ada@example.com> (${twin.id})`)
  expect(error).toContain('allow_duplicates')
  await org.patch(`${crmBase}/connections/${connection_id}`, { settings: { allow_duplicates: true } })
  expect(await pushed(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
  expect(espo.all()).toHaveLength(2)
})

test('if EspoCRM refuses a duplicate of a Lead that a late request created, the push updates that Lead', async () => {
  const { org, connection_id, espo } = await newOrg()
  const contactId = await newContact(org, ada)
  espo.add('Lead', { lastName: 'Lovelace', emailAddress: 'ada@example.com', crosswalkId: contactId })
  const nobody = { on: /^GET .*Lead/, said: { status: 200, body: { total: 0, list: [] } } }
  // One request checks the connection, and one searches for the person.
  espo.refusals.push(nobody, nobody)
  await pushed(org, { connection_id })
  expect(espo.all()).toMatchObject([{ crosswalkId: contactId, firstName: 'Ada' }])
})

test('if EspoCRM refuses a value, only that person fails', async () => {
  const { org, connection_id } = await newOrg()
  const bad = await newContact(org, { ...ada, job_title: 'x'.repeat(101) })
  await newContact(org, { last_name: 'Fine', email: 'fine@example.com' })
  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
  const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
  expect(item).toEqual({
    ...{ contact_id: bad, outcome: 'failed', external_id: null },
    error: {
      code: 'refused',
      message: 'EspoCRM refused this person: title is too long: at most 100 characters (maxLength).',
    },
  })
})

test('if the API user may not change a record, only that person fails', async () => {
  const { org, connection_id, espo } = await newOrg()
  const contactId = await newContact(org, ada)
  await pushed(org, { connection_id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  espo.refusals.push({ on: /^PUT/, said: espoError(403, 'No edit access.') })
  expect(await errorOf(org, connection_id)).toContain('No edit access.')
})

test.each([
  ['no right to create', { on: /^POST/, said: forbidden() }, "No create access for 'Lead'."],
  ['no Lead', { on: /^POST/, said: espoError(404, 'No Lead') }, 'There is no Lead at http://127.0.0.1'],
  [
    'an address that is no API',
    { on: /Metadata/, said: { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } } },
    'is not EspoCRM’s API: check the url',
  ],
  [
    'a redirect',
    { on: /Metadata/, said: { status: 301, body: '', headers: { location: 'https://crm.example.com/' } } },
    'redirects to https://crm.example.com/',
  ],
])('%s ends the job with an error that says what to do', async (_, refusal, words) => {
  const { org, connection_id, espo } = await newOrg()
  await newContact(org, ada)
  espo.refusals.push(refusal)
  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({ status: 'failed', error: { message: expect.stringContaining(words) } })
})

test('if EspoCRM refuses the API key, the job fails, and the connection needs attention until it gets another key', async () => {
  const { org, connection_id, espo } = await newOrg()
  await newContact(org, ada)
  const { api_key } = espo.credentials
  await org.patch(`${crmBase}/connections/${connection_id}`, {
    credentials: { api_key: 'not-the-key-at-all' },
  })
  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('does not take the API key') },
  })
  expect(JSON.stringify(job)).not.toContain('not-the-key')
  const needy = await org.get(`${crmBase}/connections/${connection_id}`)
  expect(needy.body.data).toMatchObject({ status: 'needs_attention', error: job.error })
  await org.patch(`${crmBase}/connections/${connection_id}`, { credentials: { api_key } })
  const retried = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
  expect(await ended(org, retried.body.job_id)).toMatchObject({ status: 'succeeded', counts: { created: 1 } })
})

describe('the test of a connection', () => {
  const tested = async (org: TestOrg, connection_id: string) =>
    (await org.post(`${crmBase}/connections/${connection_id}/test`)).body.data

  test('the test of a connection reports that pushes would work', async () => {
    const { org, connection_id } = await newOrg()
    const data = await tested(org, connection_id)
    expect(data).toMatchObject({ works: true, lead: { problems: [] }, contact: { problems: [] } })
    expect(data.lead.field_map).toMatchObject({ email: 'emailAddress', company_name: 'accountName' })
  })

  test('the test of a connection names the field to create in EspoCRM, and until then a push sends nobody', async () => {
    const { org, connection_id, espo } = await newOrg()
    delete espo.fields.Lead!.crosswalkId
    const data = await tested(org, connection_id)
    expect(data).toMatchObject({ works: true, lead: { works: false }, contact: { works: true } })
    expect(data.lead.problems.join()).toMatch(/Varchar.*36.*Entity Manager > Lead > Fields.*crosswalkId/)
    await newContact(org, ada)
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: data.lead.problems[0] } })
    espo.fields.Lead!.cCrosswalkId = { type: 'varchar', maxLength: 36 }
    expect((await tested(org, connection_id)).lead.problems.join()).toContain('"cCrosswalkId"')
    const settings = { external_id_field: 'cCrosswalkId' }
    await org.patch(`${crmBase}/connections/${connection_id}`, { settings })
    expect((await tested(org, connection_id)).lead).toMatchObject({ works: true })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(espo.perKey('Lead', 'cCrosswalkId').size).toBe(1)
  })

  test.each([
    ['too short', { type: 'varchar', maxLength: 20 }],
    ['of another type', { type: 'int' }],
    ['read-only', { type: 'varchar', maxLength: 36, readOnly: true }],
  ])('the test of a connection reports that the field for our id is %s', async (_, field) => {
    const { org, connection_id, espo } = await newOrg()
    espo.fields.Lead!.crosswalkId = field
    expect((await tested(org, connection_id)).lead.problems.join()).toContain('cannot keep our ids')
  })

  test('the test of a connection names fields that are missing, read-only or required in EspoCRM', async () => {
    const { org, connection_id, espo } = await newOrg()
    delete espo.fields.Lead!.accountName
    espo.fields.Lead!.title!.readOnly = true
    espo.fields.Lead!.assignedUser!.required = true
    const [account, title, user] = (await tested(org, connection_id)).lead.problems
    expect(account).toContain('accountName, where company_name goes, is not there')
    expect(title).toContain('title, where job_title goes, may not be written')
    expect(user).toContain('assignedUserId is required')
  })

  test('the test of a connection reports missing rights to Leads and refused credentials, and answers 502 if EspoCRM does not answer', async () => {
    const { org, connection_id, espo } = await newOrg()
    delete espo.fields.Lead
    expect((await tested(org, connection_id)).lead.problems.join()).toContain('role with access to Lead')
    const credentials = { api_key: 'not-the-key-at-all' }
    await org.patch(`${crmBase}/connections/${connection_id}`, { credentials })
    expect(await tested(org, connection_id)).toMatchObject({ works: false, lead: { works: false } })
    await espo.server.close()
    const away = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(away).toMatchObject({ status: 502, body: { detail: expect.stringContaining('was not reached') } })
  })
})

test('a private address of EspoCRM is refused unless the operator allows it', async () => {
  const strict = await startTestApp({ outboundAllowPrivate: false })
  try {
    const org = await strict.newOrg()
    const standIn = await EspoStandIn.start()
    standIns.push(standIn)
    const connection_id = await connect(org, { provider: 'espocrm', credentials: standIn.credentials })
    const error = expect.stringMatching(
      /^127\.0\.0\.1:\d+ is not an address of the public internet; the operator/,
    )
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data).toMatchObject({ works: false, lead: { problems: [error] } })
    await newContact(org, ada)
    // It fails at once: a retry would be refused as well.
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: error }, counts: { processed: 0 } })
    expect(standIn.server.requests).toEqual([])
  } finally {
    await strict.close()
  }
})

test('if the answer to an update was lost and the contact is changed back, the next push changes the Lead back too', async () => {
  const { org, connection_id, espo } = await newOrg()
  const contactId = await newContact(org, ada)
  await pushed(org, { connection_id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  espo.server.fault({ on: /^PUT/, when: 'after', how: 'drop' })
  // The next GET gets 503, so the push does not learn of its update before it is canceled.
  const away = { on: /^GET/, said: { status: 503, body: '', headers: { 'retry-after': '3' } } }
  espo.server.hold = ({ method }) => {
    if (method === 'PUT') espo.refusals.push(away)
  }
  const jobId = await push(org, { connection_id })
  await vi.waitFor(() => expect(espo.all()).toMatchObject([{ addressCity: 'Paris' }]), patience)
  await org.post(`${crmBase}/jobs/${jobId}/cancel`)
  expect(await ended(org, jobId)).toMatchObject({ status: 'canceled', counts: { processed: 0 } })
  espo.server.hold = () => {}
  espo.refusals.splice(0)
  await org.patch(`/contacts/${contactId}`, { city: null })
  expect(await pushed(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
  expect(espo.all()).toMatchObject([{ addressCity: null }])
})

test('after an undo, a push creates a Lead for the restored contact although another Lead has the same address', async () => {
  const { org, connection_id, espo } = await newOrg()
  const first = await newContact(org, ada)
  // More people than the first chunk has.
  for (const index of Array(5).keys())
    await newContact(org, { last_name: `Between ${index}`, email: `${index}@example.com` })
  const second = await newContact(org, { last_name: 'Byron', email: 'byron@example.com' })
  // So the Lead of the second contact becomes the Lead of both, with the address of the first.
  await pushed(org, { connection_id, contact_ids: [second] })
  const merge = { entity_type: 'contact', survivor_id: first, loser_ids: [second] }
  const { merge_group_id } = (await org.post('/duplicates/merge', merge)).body.data
  expect(await pushed(org, { connection_id })).toMatchObject({ counts: { created: 5, updated: 1 } })
  expect((await org.post(`/duplicates/undo-merge/${merge_group_id}`)).status).toBe(200)

  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({
    status: 'succeeded',
    counts: { created: 1, updated: 1, unchanged: 5, failed: 0 },
  })
  const item = (await itemsOf(org, job.job_id)).at(-1)
  expect(item).toMatchObject({ contact_id: first, outcome: 'created', error: null })
  const leads = espo.all()
  expect([leads[0], leads.at(-1)]).toMatchObject([
    { emailAddress: 'byron@example.com', crosswalkId: second },
    { emailAddress: 'ada@example.com', crosswalkId: first },
  ])
  expect(leads).toHaveLength(7)
})
