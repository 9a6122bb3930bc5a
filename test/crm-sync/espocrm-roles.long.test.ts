import { describe, expect, test } from 'vitest'
import { connect, crmBase, itemsOf, newContact, people, pushAndWait } from '../support/crm-sync/crm.ts'
import { type EspoSetup, tested, useEspo } from '../support/crm-sync/espocrm.ts'
import { espoError } from '../support/stand-ins/espocrm.ts'

const espocrm = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const testOf = async ({ org, connection_id }: EspoSetup) => (await tested(org, connection_id)).body.data

describe('the role of the API user', () => {
  const full = { create: 'yes', read: 'all', edit: 'all' } as const
  test.each([
    ['Create "no"', { ...full, create: 'no' }],
    ['Read "own"', { ...full, read: 'own' }],
    ['Read "team"', { ...full, read: 'team' }],
    ['Edit "own"', { ...full, edit: 'own' }],
    ['Edit "no"', { ...full, edit: 'no' }],
  ] as const)(
    'if the role has %s for Lead, the connection test names the level, and a push sends no record',
    async (words, level) => {
      const setup = await espocrm.newOrg()
      setup.espo.role.entities.Lead = { ...level }
      const data = await testOf(setup)
      expect(data).toMatchObject({ works: true, lead: { works: false }, contact: { works: true } })
      expect(data.lead.problems).toEqual([expect.stringContaining(words)])
      expect(data.lead.problems[0]).toContain('Administration > Roles')
      await newContact(setup.org, ada)
      const { connection_id } = setup
      const job = await pushAndWait(setup.org, { connection_id })
      expect(job).toMatchObject({
        status: 'failed',
        error: { message: data.lead.problems[0] },
        counts: { processed: 0 },
      })
      expect(setup.espo.all()).toEqual([])
      expect(await pushAndWait(setup.org, { connection_id }, 'contacts')).toMatchObject({
        counts: { created: 1 },
      })
    },
  )

  test('with Read "own", a second connection does not create the same Leads again', async () => {
    const { org, connection_id, espo } = await espocrm.newOrg()
    await people(org, 3)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 3 } })
    espo.role.entities.Lead = { create: 'yes', read: 'own', edit: 'own' }
    const second = await connect(org, { provider: 'espocrm', credentials: espo.credentials })
    expect(await pushAndWait(org, { connection_id: second })).toMatchObject({ status: 'failed' })
    espo.role.entities.Lead = { create: 'yes', read: 'all', edit: 'all' }
    expect(await pushAndWait(org, { connection_id: second })).toMatchObject({ counts: { updated: 3 } })
    expect(espo.all()).toHaveLength(3)
  })

  test('a role for Lead alone is enough for Leads, and a push of Contacts fails at once with the reason', async () => {
    const setup = await espocrm.newOrg()
    const { org, connection_id, espo } = setup
    delete espo.role.entities.Contact
    const data = await testOf(setup)
    expect(data).toMatchObject({ works: true, lead: { works: true }, contact: { works: false } })
    expect(data.contact.problems).toEqual([expect.stringContaining('role with access to Contact')])
    await newContact(org, ada)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    const job = await pushAndWait(org, { connection_id }, 'contacts')
    expect(job).toMatchObject({ status: 'failed', error: { message: data.contact.problems[0] } })
  })

  test('if the role may not edit the field for the Crosswalk id, the connection test and the failed push name the field', async () => {
    const setup = await espocrm.newOrg()
    setup.espo.role.fields.Lead = { crosswalkId: { read: 'yes', edit: 'no' } }
    const { lead } = await testOf(setup)
    expect(lead.problems).toEqual([expect.stringMatching(/may not edit the field crosswalkId .*Field Level/)])
    await newContact(setup.org, ada)
    const { connection_id } = setup
    const job = await pushAndWait(setup.org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: lead.problems[0] } })
    expect(setup.espo.all()).toEqual([])
  })

  test('if the role may not read the field for the Crosswalk id, a single error names field-level security', async () => {
    const setup = await espocrm.newOrg()
    setup.espo.role.fields.Lead = { crosswalkId: { read: 'no', edit: 'yes' } }
    const { lead } = await testOf(setup)
    expect(lead.problems).toEqual([expect.stringMatching(/may not read the field crosswalkId .*Field Level/)])
    // The role changes after the connection test.
    setup.espo.role.fields.Lead = {}
    setup.espo.refusals.push({
      ...{ on: /^GET .*Lead$/ },
      said: espoError(400, "Forbidden attribute 'crosswalkId' in where. ".repeat(2).trim()),
    })
    const [words] = (await testOf(setup)).lead.problems
    expect(words).toMatch(/^[^.]*Forbidden attribute 'crosswalkId' in where\. .*field-level/i)
    expect(words.match(/Forbidden/g)).toHaveLength(1)
    expect(words).not.toContain('create a Varchar')
  })

  test('if the role may not edit a field of field_map, the connection test names the field, and a push pushes no person', async () => {
    const setup = await espocrm.newOrg()
    setup.espo.role.fields.Lead = { emailAddress: { read: 'yes', edit: 'no' } }
    const { lead } = await testOf(setup)
    expect(lead.problems).toEqual([expect.stringContaining('emailAddress, where email goes, may not be')])
    await newContact(setup.org, ada)
    const job = await pushAndWait(setup.org, { connection_id: setup.connection_id })
    expect(job).toMatchObject({ status: 'failed', error: { message: lead.problems[0] } })
  })
})

test('if EspoCRM returns a record without the Crosswalk id, the push stops, and its error names the record and the reason', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  await people(org, 1)
  // A formula or a hook can empty the field like this.
  espo.clears.add('crosswalkId')
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('did not keep the Crosswalk id') },
  })
  const [lead] = espo.all()
  expect(job.error.message).toContain(lead!.id)
})

test('if EspoCRM answers for Leads or for Contacts only, the connection test reports the other error instead of a 502', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  espo.refusals.push({ on: /^GET .*Contact/, said: espoError(503, 'Maintenance') })
  const { status, body } = await tested(org, connection_id)
  expect([status, body.data]).toMatchObject([200, { works: true, lead: { works: true } }])
  expect(body.data.contact).toMatchObject({
    works: false,
    problems: [expect.stringContaining('Maintenance')],
  })
})

describe('mapped fields', () => {
  test.each([
    ['a field that EspoCRM does not have', 'noSuchField', 'is not there'],
    ['a read-only field', 'createdAt', 'may not be written'],
    ['a field that is not stored', 'name', 'is not there'],
  ])('a field_map to %s ends the job before it sends anyone', async (_, theirs, words) => {
    const { org, connection_id, espo } = await espocrm.newOrg({ field_map: { 'custom.plan': theirs } })
    await newContact(org, { ...ada, custom: { plan: 'Pro' } })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(
      new RegExp(`${theirs}, where custom.plan goes, ${words}.*null in field_map`),
    )
    expect(espo.all()).toEqual([])
  })

  test('if a member of custom is defined as text and goes to a checkbox, nobody is sent until it has another type', async () => {
    const setup = await espocrm.newOrg({ field_map: { 'custom.no_calls': 'doNotCall' } })
    const { org, connection_id, espo } = setup
    const { body } = await org.post('/fields', { entity: 'contact', key: 'no_calls', type: 'text' })
    await newContact(org, ada)
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(
      /doNotCall takes true or false, and custom.no_calls is defined as text: define/,
    )
    expect((await testOf(setup)).lead.problems).toEqual([job.error.message])
    expect(espo.all()).toEqual([])
    await org.patch(`/fields/${body.data.field_id}`, { type: 'boolean' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
  })

  test('an empty field clears a mapped checkbox, and text for a checkbox fails only that person', async () => {
    const { org, connection_id, espo } = await espocrm.newOrg({
      field_map: { 'custom.no_calls': 'doNotCall' },
    })
    await newContact(org, { ...ada, custom: { no_calls: true } })
    await newContact(org, { last_name: 'Empty', email: 'empty@example.com' })
    await newContact(org, { last_name: 'Text', email: 'text@example.com', custom: { no_calls: 'perhaps' } })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 2, failed: 1 } })
    expect(espo.all().map(({ doNotCall }) => doNotCall)).toEqual([true, false])
    const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(item!.error!.message).toBe(
      'EspoCRM’s field doNotCall is a checkbox: send true or false, not "perhaps".',
    )
  })
})

test.each([
  ['title', { job_title: 'x'.repeat(101) }, 'title is too long: at most 100 characters (maxLength).'],
  ['firstName', { first_name: 'A=B' }, 'firstName may not contain <, > or = (pattern).'],
])('if EspoCRM refuses the value of %s, the error names the rule', async (_, contact, words) => {
  const { org, connection_id } = await espocrm.newOrg()
  await newContact(org, { ...ada, ...contact })
  const job = await pushAndWait(org, { connection_id })
  const [item] = await itemsOf(org, job.job_id)
  expect(item!.error!.message).toBe(`EspoCRM refused this person: ${words}`)
})

test.each([
  ['crosswalkId', /with the name crosswalkId\. .*"external_id_field": "cCrosswalkId"/],
  ['cCrosswalkId', /with the name crosswalkId: EspoCRM puts the c in front/],
])(
  'if the field %s for the Crosswalk id is missing, the error gives the name to enter in EspoCRM',
  async (name, words) => {
    const setup = await espocrm.newOrg({ settings: { external_id_field: name } })
    delete setup.espo.fields.Lead!.crosswalkId
    const { lead } = await testOf(setup)
    expect(lead.problems).toEqual([expect.stringMatching(words)])
    expect(await setup.org.get(`${crmBase}/connections/${setup.connection_id}`)).toMatchObject({
      status: 200,
    })
  },
)
