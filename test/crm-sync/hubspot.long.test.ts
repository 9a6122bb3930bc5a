import { Client } from '@hubspot/api-client'
import { describe, expect, test } from 'vitest'
import { crmBase, newContact, pushAndWait } from '../support/crm-sync/crm.ts'
import { expectOnce, newPeople, useHubSpot } from '../support/crm-sync/hubspot.ts'

const hubspot = useHubSpot()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

describe('test support', () => {
  test('the vendor’s SDK can write and read contacts and leads, and read errors, at the stand-in for HubSpot', async () => {
    const portal = hubspot.standIn.newPortal()
    const { crm } = new Client({ accessToken: portal.token, basePath: hubspot.standIn.server.url })
    const upsert = (email: string, firstname: string) => ({
      ...{ id: email, idProperty: 'email', properties: { firstname }, objectWriteTraceId: email },
    })
    const upserted = await crm.contacts.batchApi.upsert({
      inputs: [upsert('Ada@example.com', 'Ada'), upsert('not an address', 'Bob')],
    })
    expect(upserted).toMatchObject({
      ...{ status: 'COMPLETE', numErrors: 1, results: [{ properties: { email: 'ada@example.com' } }] },
      errors: [{ category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['not an address'] } }],
    })
    const [contact] = upserted.results
    expect(contact).toMatchObject({ _new: true })
    const types = [{ associationCategory: 'HUBSPOT_DEFINED' as const, associationTypeId: 578 }]
    const lead = (key: string, to = contact!.id) => ({
      ...{ properties: { hs_lead_name: 'Ada', crosswalk_id: key }, objectWriteTraceId: key },
      associations: [{ to: { id: to }, types: types as never }],
    })
    const { leads } = crm.objects
    const created = await leads.batchApi.create({ inputs: [lead('one'), lead('two', '1')] })
    expect(created).toMatchObject({ numErrors: 1, results: [{ properties: { crosswalk_id: 'one' } }] })
    expect(await leads.batchApi.create({ inputs: [lead('one')] })).toMatchObject({
      errors: [{ message: expect.stringContaining('CONFLICTING_UNIQUE_VALUE') }],
    })
    const read = { idProperty: 'crosswalk_id', properties: ['hs_lead_name'], propertiesWithHistory: [] }
    expect(await leads.batchApi.read({ ...read, inputs: [{ id: 'one' }, { id: 'two' }] })).toMatchObject({
      results: [{ properties: { hs_lead_name: 'Ada' } }],
      errors: [{ category: 'OBJECT_NOT_FOUND' }],
    })
    const { results } = await crm.properties.coreApi.getAll('leads')
    expect(results.find(({ name }) => name === 'crosswalk_id')).toMatchObject({ hasUniqueValue: true })
    const stranger = new Client({ accessToken: 'pat-na1-nobody', basePath: hubspot.standIn.server.url })
    await expect(stranger.crm.properties.coreApi.getAll('leads')).rejects.toMatchObject({ code: 401 })
  })
})

describe('pushes', () => {
  test('a push to HubSpot creates a lead and a contact for each person, and updates both later', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({ field_map: { 'custom.plan': 'plan' } })
    const id = await newContact(org, { ...ada, city: 'London', custom: { plan: 'Pro' } })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 1 },
    })
    const [[contact], [lead]] = [portal.contacts, portal.leads]
    expect(contact!.properties).toEqual({
      ...{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com', company: 'Engines' },
      ...{ city: 'London', plan: 'Pro', crosswalk_id: id },
    })
    expect(lead!.properties).toEqual({ hs_lead_name: 'Ada Lovelace', crosswalk_id: id })
    expect(lead!.associations[0]!.to.id).toBe(contact!.id)
    expect((await org.get(`/contacts/${id}`)).body.data.external_ids).toEqual({ hubspot_lead: lead!.id })
    await org.patch(`/contacts/${id}`, { city: null, last_name: 'King', email: 'ada@king.example' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
    expect(portal.contacts).toMatchObject([{ properties: { lastname: 'King', email: 'ada@king.example' } }])
    expect(portal.contacts[0]!.properties).not.toHaveProperty('city')
    expect(portal.leads).toMatchObject([{ properties: { hs_lead_name: 'Ada King' } }])
    expectOnce(portal, [id])
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
  })

  test('a push of contacts creates no leads in HubSpot, and a later push of leads uses these contacts', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const id = await newContact(org, ada)
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
    expect(portal.leads).toEqual([])
    await pushAndWait(org, { connection_id })
    expectOnce(portal, [id])
    const ids = { hubspot_contact: portal.contacts[0]!.id, hubspot_lead: portal.leads[0]!.id }
    expect((await org.get(`/contacts/${id}`)).body.data.external_ids).toEqual(ids)
  })

  test('a push to HubSpot updates the contact that HubSpot has under the same address, and keeps its other fields', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    portal.add('contacts', { email: 'ada@example.com', phone: '+1 415 555 0100', lastname: 'Byron' })
    const id = await newContact(org, ada)
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { updated: 1 } })
    expect(portal.contacts).toMatchObject([
      { properties: { phone: '+1 415 555 0100', lastname: 'Lovelace', crosswalk_id: id } },
    ])
  })

  test('a push to HubSpot updates an existing contact after an earlier push was refused', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({ field_map: { source: 'lifecyclestage' } })
    portal.add('contacts', { email: 'ada@example.com' })
    const ids = [await newContact(org, { ...ada, source: 'TEPID' })]
    ids.push(await newContact(org, { first_name: 'George', email: 'byron@example.com', source: 'TEPID' }))
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { failed: 2 } })
    for (const id of ids) await org.patch(`/contacts/${id}`, { source: 'lead' })
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({
      counts: { updated: 1, created: 1 },
    })
    expect(portal.countsOf('contacts')).toEqual(new Map(ids.map((id) => [id, 1])))
  })

  test('a push to HubSpot finds a person without address and name by the Crosswalk id', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const id = await newContact(org, { phone: '+14155550123' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    await org.patch(`/contacts/${id}`, { city: 'Paris' })
    await pushAndWait(org, { connection_id })
    expect(portal.contacts).toMatchObject([{ properties: { lastname: '+14155550123', city: 'Paris' } }])
    expect(portal.leads).toMatchObject([{ properties: { hs_lead_name: '+14155550123' } }])
    expectOnce(portal, [id])
  })

  test('a push creates a new lead in HubSpot if the old one was deleted there', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const id = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    portal.records.leads.clear()
    await org.patch(`/contacts/${id}`, { city: 'Paris' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expectOnce(portal, [id])
  })

  test('a push to HubSpot creates no second lead if field_map writes to the field for the Crosswalk id', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg({
      field_map: { 'custom.plan': 'lead.crosswalk_id' },
    })
    const id = await newContact(org, { ...ada, custom: { plan: 'gold' } })
    for (const city of ['Paris', 'London', 'Rome']) {
      await org.patch(`/contacts/${id}`, { city })
      expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    }
    expectOnce(portal, [id])
  })

  test('a push to HubSpot of 250 people needs fewer than 25 requests', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    portal.echoesTraceIds = true
    const ids = await newPeople(org, 250)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 250 },
    })
    expectOnce(portal, ids)
    expect(portal.asked.length).toBeLessThan(25)
  })
})

test('an API key of test mode does not reach HubSpot', async () => {
  const { org, portal, connection_id } = await hubspot.newOrg()
  await newContact(org, ada)
  const tester = await hubspot.app.newKey(org.orgId, { mode: 'test' })
  expect(await pushAndWait(tester, { connection_id })).toMatchObject({ status: 'succeeded', mode: 'test' })
  expect((await tester.post(`${crmBase}/connections/${connection_id}/test`)).body.data.works).toBe(true)
  expect(portal.asked).toEqual([])
})
