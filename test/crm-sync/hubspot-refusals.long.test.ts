import { describe, expect, test } from 'vitest'
import { crmBase, itemsOf, newContact, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import { batches, expectOnce, newPeople, useHubSpot } from '../support/crm-sync/hubspot.ts'
import { merge } from '../support/merges.ts'
import { hubspotError } from '../support/stand-ins/hubspot-portal.ts'

const hubspot = useHubSpot()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

describe('refused people', () => {
  test('only the people whom HubSpot refuses fail, with HubSpot’s error, and only they are pushed by a retry', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({
      field_map: { 'custom.label': 'lead.hs_lead_label' },
    })
    const [well] = await newPeople(org, 1)
    const lost = await newContact(org, { first_name: 'No', last_name: 'Address', email: 'lost@example.c0m' })
    const cold = await newContact(org, { ...ada, custom: { label: 'TEPID' } })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 2 } })
    const failed = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(new Map(failed.map((item) => [item.contact_id, item.error?.message]))).toEqual(
      new Map([
        [lost, 'Email address lost@example.c0m is invalid'],
        [cold, 'TEPID was not one of the allowed options: [HOT, WARM, COLD]'],
      ]),
    )
    expect(portal.leads).toMatchObject([{ properties: { crosswalk_id: well } }])
    await org.patch(`/contacts/${lost}`, { email: 'found@example.com' })
    await org.patch(`/contacts/${cold}`, { custom: { label: 'HOT' } })
    const before = hubspot.standIn.server.requests.length
    const { body } = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
    expect(await untilJobEnds(org, body.job_id)).toMatchObject({ status: 'succeeded', population: 2 })
    const since = hubspot.standIn.server.requests.slice(before).map((request) => request.body)
    expect(since.join('')).not.toContain(well)
    expectOnce(portal, [well!, lost, cold])
  })

  test('if HubSpot refuses a whole batch, only the person that causes the error fails', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const ids = await newPeople(org, 4)
    const { body } = hubspotError(400, 'VALIDATION_ERROR', 'Something of one of them')
    for (const _ of ids.slice(2))
      hubspot.standIn.server.fault({
        on: batches('upsert'),
        when: 'before',
        how: 'answer',
        status: 400,
        body,
      })
    hubspot.standIn.server.fault({ on: batches('upsert'), when: 'before', how: 'answer', status: 400, body })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 3, failed: 1 } })
    expect(await itemsOf(org, job.job_id, '&outcome=failed')).toMatchObject([
      { error: { message: 'Something of one of them' } },
    ])
    expect(portal.leads).toHaveLength(3)
  })

  test('the second of two people with one address fails, and its error names the first', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const first = await newContact(org, ada)
    const second = await newContact(org, { ...ada, first_name: 'Augusta', email: 'ADA@example.com' })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
    const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(item).toMatchObject({ contact_id: second })
    expect(item!.error!.message).toMatch(
      new RegExp(`one contact for an address.*already used for contact ${first}: merge the two`),
    )
    expectOnce(portal, [first])
    // In a batch of one person, HubSpot finds the existing contact.
    const again = await pushAndWait(org, { connection_id, contact_ids: [second] })
    expect((await itemsOf(org, again.job_id))[0]!.error!.message).toMatch(
      new RegExp(`whose crosswalk_id is ${first}`),
    )
    expect(portal.contacts).toMatchObject([{ properties: { firstname: 'Ada' } }])
    await org.patch(`/contacts/${second}`, { email: 'augusta@example.com' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1, unchanged: 1 } })
    expectOnce(portal, [first, second])
  })

  test('if HubSpot refuses the first of two people with one address, the second person gets the HubSpot contact', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({ field_map: { source: 'lifecyclestage' } })
    const first = await newContact(org, { ...ada, source: 'TEPID' })
    const second = await newContact(org, { ...ada, first_name: 'Augusta', source: 'lead' })
    const job = await pushAndWait(org, { connection_id }, 'contacts')
    expect(await itemsOf(org, job.job_id)).toMatchObject([
      { contact_id: second, outcome: 'created' },
      {
        contact_id: first,
        outcome: 'failed',
        error: { message: expect.stringMatching(/^TEPID was not one of/) },
      },
    ])
    expect(portal.contacts).toMatchObject([{ properties: { crosswalk_id: second } }])
  })

  test('after two people with one address are merged, the survivor has the HubSpot contact', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const first = await newContact(org, ada)
    const second = await newContact(org, { ...ada, first_name: 'Augusta', phone: '+14155550123' })
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({
      counts: { created: 1, failed: 1 },
    })
    await merge(org, 'contact', second, first)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 1 },
    })
    expect(portal.contacts).toMatchObject([{ properties: { phone: '+14155550123', crosswalk_id: first } }])
    expect(portal.leads).toMatchObject([{ associations: [{ to: { id: portal.contacts[0]!.id } }] }])
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ status: 'succeeded' })
    await org.patch(`/contacts/${second}`, { city: 'Paris' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
    expect(portal.contacts).toMatchObject([{ properties: { city: 'Paris', crosswalk_id: first } }])
    expect(portal.leads).toHaveLength(1)
  })

  test('if three concurrent batches each have a person with the same address, one person is created and two fail', async () => {
    const portal = hubspot.standIn.newPortal()
    const adapter = hubspot.adapterOf(portal)
    const email = 'both@example.com'
    const upsert = (key: string) =>
      adapter.upsert(
        'contact',
        [{ key, externalId: null, email, values: { email } }],
        AbortSignal.timeout(60_000),
      )
    const keys = ['one', 'two', 'three']
    const outcomes = (await Promise.all(keys.map(upsert))).flat().map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['created', 'failed', 'failed'])
    const first = keys[outcomes.indexOf('created')]
    expect(portal.contacts).toMatchObject([{ properties: { email, crosswalk_id: first } }])
  })

  test('a read of the properties that fails is repeated when they are needed next', async () => {
    const adapter = hubspot.adapterOf(hubspot.standIn.newPortal())
    hubspot.standIn.server.fault({
      on: /^GET \/crm\/v3\/properties\/contacts$/,
      when: 'before',
      how: 'answer',
      status: 503,
      body: {},
    })
    await expect(adapter.problems('contact')).rejects.toThrow('HubSpot is not available: status 503')
    expect(await adapter.problems('contact')).toEqual([])
  })

  test('an address that moves to another contact is updated for both contacts in one push', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const first = await newContact(org, { last_name: 'Byron', email: 'byron@example.com' })
    const second = await newContact(org, ada)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 2 } })
    await org.patch(`/contacts/${second}`, { email: 'augusta@example.com' })
    await org.patch(`/contacts/${first}`, { email: 'ada@example.com' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { updated: 2 },
    })
    expect(portal.contacts.map(({ properties }) => properties.email)).toEqual([
      ...['ada@example.com', 'augusta@example.com'],
    ])
  })

  test('a person who gets the address of another HubSpot contact fails, and that contact is unchanged', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const id = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    portal.add('contacts', { email: 'king@example.com' })
    await org.patch(`/contacts/${id}`, { email: 'king@example.com' })
    const job = await pushAndWait(org, { connection_id })
    const [item] = await itemsOf(org, job.job_id)
    expect(item!.error!.message).toMatch(
      /^Contact already exists\. Existing ID: \d+: HubSpot has this address .* merge the two/,
    )
    expect(portal.contacts.map(({ properties }) => properties.email)).toEqual([
      ...['ada@example.com', 'king@example.com'],
    ])
  })
})
