import { describe, expect, test, vi } from 'vitest'
import { Unavailable } from '../../src/crm-sync/adapters/adapter.ts'
import { connect, crmBase, newContact, push, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import { batches, expectOnce, newPeople, useHubSpot } from '../support/crm-sync/hubspot.ts'
import { patience } from '../support/patience.ts'
import { hubspotError, tooMany } from '../support/stand-ins/hubspot-portal.ts'

const hubspot = useHubSpot()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

describe('faults', () => {
  const faults = [
    ...['drop', 'half', 'truncated'].flatMap((how) =>
      ['before', 'after'].map((when) => ({ how, when, name: `${how} ${when}` })),
    ),
    { how: 'answer', when: 'before', status: 503, name: '503 before' },
    { how: 'answer', when: 'after', status: 500, name: '500 after' },
    { how: 'answer', when: 'after', status: 504, body: '<html>', name: '504 of a gateway after' },
    {
      how: 'answer',
      when: 'before',
      status: 423,
      body: hubspotError(423, 'LOCKED', 'Locked').body,
      name: '423',
    },
  ] as const
  const places = [batches('upsert', 'contacts'), batches('create', 'leads'), batches('read', 'leads')]

  test('each person has one lead and one contact in HubSpot although a connection breaks at any request', async () => {
    const work = faults.flatMap(({ name, ...fault }) =>
      places.map(async (on) => {
        const { org, portal, connection_id } = await hubspot.newOrg()
        const ids = await newPeople(org, 3)
        const { token } = portal
        hubspot.standIn.server.fault({ on, token, ...(fault as { how: 'drop'; when: 'after' }) })
        const job = await untilJobEnds(org, await push(org, { connection_id }), { timeout: 200_000 })
        const outcome = { status: 'succeeded', error: null, counts: { created: 3 } }
        expect(job, `${name} ${on}`).toMatchObject(outcome)
        expectOnce(portal, ids)
      }),
    )
    await Promise.all(work)
    expect(hubspot.standIn.server.hasFaults).toBe(false)
  }, 240_000)

  test('a lead that a late request created is found by the Crosswalk id, and no second lead is created', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const [id, other] = await newPeople(org, 2)
    // The search does not find the lead, so the push creates it, and HubSpot refuses it as a conflict.
    hubspot.standIn.server.fault({
      ...{ on: batches('read', 'leads'), when: 'before', how: 'answer', status: 200 },
      body: { status: 'COMPLETE', results: [] },
    })
    const there = portal.add('leads', { crosswalk_id: id!, hs_lead_name: 'Old' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(there.properties.hs_lead_name).toBe('First0 Last0')
    expectOnce(portal, [id!, other!])
  })

  test('each person has one lead and one contact in HubSpot although HubSpot refuses a batch because of an existing lead', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const [id, other] = await newPeople(org, 2)
    const empty = { status: 'COMPLETE', results: [] }
    hubspot.standIn.server.fault({
      on: batches('read', 'leads'),
      when: 'before',
      how: 'answer',
      status: 200,
      body: empty,
    })
    const { body } = hubspotError(409, 'CONFLICT', 'A lead already has that value for crosswalk_id')
    hubspot.standIn.server.fault({
      on: batches('create', 'leads'),
      when: 'before',
      how: 'answer',
      status: 409,
      body,
    })
    portal.add('leads', { crosswalk_id: id!, hs_lead_name: 'Old' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expectOnce(portal, [id!, other!])
  })

  test('if HubSpot’s rate limit is reached, the push waits, and the job shows it', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const ids = await newPeople(org, 1)
    const { status, body } = tooMany('SECONDLY')
    hubspot.standIn.server.fault({ on: batches('upsert'), when: 'before', how: 'answer', status, body })
    const jobId = await push(org, { connection_id })
    await vi.waitFor(async () => {
      const { error } = (await org.get(`${crmBase}/jobs/${jobId}`)).body
      expect(error.message).toMatch(
        /^HubSpot’s limit of requests is reached: .*; the push tries again automatically$/,
      )
    }, patience)
    expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'succeeded', error: null })
    expectOnce(portal, ids)
  })

  test.each([
    ['DAILY', 3_600],
    ['TEN_SECONDLY_ROLLING', 10],
    ['SECONDLY', 1],
  ])(
    'after a limit %s is reached, no request is sent for %i seconds, and each person has one lead and one contact',
    async (policy, seconds) => {
      const portal = hubspot.standIn.newPortal()
      const adapter = hubspot.adapterOf(portal)
      const { status, body } = tooMany(policy)
      hubspot.standIn.server.fault({ when: 'before', how: 'answer', status, body })
      const error = await adapter.problems('lead').catch((thrown) => thrown)
      expect(error).toBeInstanceOf(Unavailable)
      expect(error).toMatchObject({ afterSeconds: seconds })
    },
  )
})

describe('problems for the operator', () => {
  test.each(['leads', 'contacts'] as const)(
    'if a HubSpot workflow empties the Crosswalk id, the push of %s stops, and its error names the record',
    async (kind) => {
      const { org, portal, connection_id } = await hubspot.newOrg()
      await newContact(org, { first_name: 'Ada', phone: '+14155550123' })
      portal.clears.add('crosswalk_id')
      const job = await pushAndWait(org, { connection_id }, kind)
      expect(job).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('did not keep the Crosswalk id') },
      })
      expect(job.error.message).toContain(portal.contacts[0]!.id)
    },
  )

  test('if HubSpot refuses the token, the connection has the status needs_attention until it gets a valid token', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const ids = await newPeople(org, 2)
    const good = portal.token
    portal.token = 'pat-na1-another-one-of-this-test'
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(
      /^HubSpot refuses the access token: .*PATCH \/integrations\/crm-sync\/connections/,
    )
    const at = `${crmBase}/connections/${connection_id}`
    expect((await org.get(at)).body.data).toMatchObject({
      status: 'needs_attention',
      error: job.error,
    })
    expect((await org.post(`${at}/test`)).body.data).toMatchObject({ works: false })
    const credentials = { access_token: portal.token }
    expect((await org.patch(at, { credentials })).body.data).toMatchObject({
      status: 'ok',
      error: null,
    })
    expect((await org.post(`${at}/test`)).body.data).toMatchObject({
      ...{ works: true, lead: { works: true, problems: [] }, contact: { works: true, problems: [] } },
    })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expectOnce(portal, ids)
    const seen = hubspot.standIn.server.requests.flatMap(({ headers }) => headers.authorization ?? [])
    expect(seen).toContain(`Bearer ${good}`)
  })

  test.each([
    [
      'missing',
      undefined,
      /^HubSpot has no property crosswalk_id of leads, which keeps the Crosswalk id: create a property/,
    ],
    [
      'not unique',
      { name: 'crosswalk_id', type: 'string' },
      /^HubSpot’s property crosswalk_id of leads cannot keep the Crosswalk id/,
    ],
  ])(
    'if the property for the Crosswalk id is %s, the push stops before it sends any person',
    async (_, property, words) => {
      const { org, portal, connection_id } = await hubspot.newOrg()
      await newPeople(org, 2)
      portal.properties.leads = portal.properties.leads.filter(({ name }) => name !== 'crosswalk_id')
      if (property) portal.properties.leads.push(property)
      const job = await pushAndWait(org, { connection_id })
      expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
      expect(job.error.message).toMatch(words)
      const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
      expect(body.data).toMatchObject({
        works: true,
        contact: { works: true },
        lead: { problems: [job.error.message] },
      })
      expect([...portal.contacts, ...portal.leads]).toEqual([])
    },
  )

  test('the settings of a connection can name another property for the Crosswalk id', async () => {
    const portal = hubspot.standIn.newPortal('our_person')
    const org = await hubspot.app.newOrg()
    const connection_id = await connect(org, {
      ...{ provider: 'hubspot', credentials: { access_token: portal.token } },
      settings: { external_id_field: 'our_person' },
    })
    const id = await newContact(org, ada)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    expect(portal.countsOf('leads', 'our_person')).toEqual(new Map([[id, 1]]))
  })

  test('in a HubSpot account without leads, a push of leads fails with a clear error, and a push of contacts works', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    await newPeople(org, 1)
    portal.hasLeads = false
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(/crm\.objects\.leads\.write.*Sales Hub Professional.*contacts\/push$/)
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data).toMatchObject({
      works: true,
      contact: { works: true },
      lead: { problems: [job.error.message] },
    })
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
  })

  test('if field_map names a property that HubSpot does not have, the job ends before it sends any person', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({ field_map: { tags: 'no_such_thing' } })
    await newContact(org, { ...ada, tags: ['vip'] })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(/no_such_thing, where tags goes, is not there/)
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data.lead.problems).toEqual([job.error.message])
    expect(portal.contacts).toEqual([])
  })

  test('if a HubSpot property is deleted during a job, the whole job fails, not each person', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({ field_map: { tags: 'plan' } })
    await newContact(org, { ...ada, tags: ['vip'] })
    hubspot.standIn.server.hold = ({ path, headers }) => {
      if (!path.endsWith('/upsert') || headers.authorization !== `Bearer ${portal.token}`) return
      portal.properties.contacts = portal.properties.contacts.filter(({ name }) => name !== 'plan')
    }
    const job = await pushAndWait(org, { connection_id })
    hubspot.standIn.server.hold = () => {}
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error.message).toMatch(/^Property "plan" does not exist.*Change field_map/)
  })

  test.each([
    ['contacts', 'write'],
    ['contacts', 'read'],
    ['leads', 'write'],
    ['leads', 'read'],
  ] as const)(
    'if the token lacks crm.objects.%s.%s, the connection test names that scope, and a push sends no record',
    async (object, verb) => {
      const { org, portal, connection_id } = await hubspot.newOrg()
      await newContact(org, ada)
      portal.scopes.delete(`crm.objects.${object}.${verb}`)
      const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
      const { lead, contact } = body.data
      expect([lead.works, contact.works]).toEqual([false, object === 'leads'])
      expect(lead.problems).toEqual([expect.stringContaining(`It names crm.objects.${object}.${verb}`)])
      const job = await pushAndWait(org, { connection_id })
      expect(job).toMatchObject({
        status: 'failed',
        error: { message: lead.problems[0] },
        counts: { processed: 0 },
      })
      expect(portal.contacts).toEqual([])
    },
  )
})
