import { describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { connect, crmBase, newContact, pushAndWait } from '../support/crm-sync/crm.ts'
import { useEspo } from '../support/crm-sync/espocrm.ts'
import { patience } from '../support/patience.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'

const server = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

describe('POST /integrations/crm-sync/connections/{connection_id}/test', () => {
  const tested = async (org: TestOrg, connection_id: string) =>
    (await org.post(`${crmBase}/connections/${connection_id}/test`)).body.data

  test('the test of a connection reports that pushes would work', async () => {
    const { org, connection_id } = await server.newOrg()
    const data = await tested(org, connection_id)
    expect(data).toMatchObject({ works: true, lead: { problems: [] }, contact: { problems: [] } })
    expect(data.lead.field_map).toMatchObject({ email: 'emailAddress', company_name: 'accountName' })
  })

  test('the connection test names the field to create in EspoCRM, and a push without that field pushes no person', async () => {
    const { org, connection_id, espo } = await server.newOrg()
    delete espo.fields.Lead!.crosswalkId
    const data = await tested(org, connection_id)
    expect(data).toMatchObject({ works: true, lead: { works: false }, contact: { works: true } })
    expect(data.lead.problems.join()).toMatch(/Varchar.*36.*Entity Manager > Lead > Fields.*crosswalkId/)
    await newContact(org, ada)
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: data.lead.problems[0] } })
    espo.fields.Lead!.cCrosswalkId = { type: 'varchar', maxLength: 36 }
    expect((await tested(org, connection_id)).lead.problems.join()).toContain('"cCrosswalkId"')
    const settings = { external_id_field: 'cCrosswalkId' }
    await org.patch(`${crmBase}/connections/${connection_id}`, { settings })
    expect((await tested(org, connection_id)).lead).toMatchObject({ works: true })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(espo.perKey('Lead', 'cCrosswalkId').size).toBe(1)
  })

  test.each([
    ['too short', { type: 'varchar', maxLength: 20 }],
    ['of another type', { type: 'int' }],
    ['read-only', { type: 'varchar', maxLength: 36, readOnly: true }],
  ])('the test of a connection reports that the field for the Crosswalk id is %s', async (_, field) => {
    const { org, connection_id, espo } = await server.newOrg()
    espo.fields.Lead!.crosswalkId = field
    expect((await tested(org, connection_id)).lead.problems.join()).toContain('cannot keep Crosswalk ids')
  })

  test('the test of a connection names fields that are missing, read-only or required in EspoCRM', async () => {
    const { org, connection_id, espo } = await server.newOrg()
    delete espo.fields.Lead!.accountName
    espo.fields.Lead!.title!.readOnly = true
    espo.fields.Lead!.assignedUser!.required = true
    const [account, title, user] = (await tested(org, connection_id)).lead.problems
    expect(account).toContain('accountName, where company_name goes, is not there')
    expect(title).toContain('title, where job_title goes, may not be written')
    expect(user).toContain('requires the field assignedUserId')
  })

  test('the test of a connection reports missing rights to Leads, refused credentials, and an EspoCRM that does not answer (502)', async () => {
    const { org, connection_id, espo } = await server.newOrg()
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

test('tests of the connections of an organization run one after another', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const held = Promise.withResolvers<void>()
  espo.server.hold = () => held.promise
  const test = () => org.post(`${crmBase}/connections/${connection_id}/test`)
  const running = [test(), test()]
  await expect.poll(() => espo.server.underWay, patience).toBe(1)
  // The other test would have sent its request before this one is answered.
  expect((await org.get(`${crmBase}/connections/${connection_id}`)).status).toBe(200)
  expect(espo.server.underWay).toBe(1)
  held.resolve()
  const answers = await Promise.all(running)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('an answer of EspoCRM with more than 100,000 lists counts as incomplete, and both kinds wait for the same answer', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const body = { acl: Array.from({ length: 100_001 }, () => []) }
  espo.server.fault({ on: /App\/user/, when: 'before', how: 'answer', status: 200, body })
  const answer = await org.post(`${crmBase}/connections/${connection_id}/test`)
  expect([answer.status, answer.body.code]).toEqual([502, 'crm_unavailable'])
})

test('a private address of EspoCRM is refused unless the operator allows it', async () => {
  const strict = await startTestApp({ outboundAllowPrivate: false })
  const standIn = await EspoStandIn.start()
  try {
    const org = await strict.newOrg()
    const connection_id = await connect(org, { provider: 'espocrm', credentials: standIn.credentials })
    const error = expect.stringMatching(
      /^127\.0\.0\.1:\d+ is not an address of the public internet; the operator/,
    )
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data).toMatchObject({ works: false, lead: { problems: [error] } })
    await newContact(org, ada)
    // The push fails at once, because EspoCRM would refuse a retry too.
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: error }, counts: { processed: 0 } })
    expect(standIn.server.requests).toEqual([])
  } finally {
    await strict.close()
    await standIn.server.close()
  }
})
