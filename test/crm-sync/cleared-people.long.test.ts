import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { connect, itemsOf, newContact, preview, pushAndWait } from '../support/crm-sync/crm.ts'
import { useEspo } from '../support/crm-sync/espocrm.ts'
import { useHubSpot } from '../support/crm-sync/hubspot.ts'
import { connectSalesforce } from '../support/crm-sync/salesforce.ts'
import { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'

const espocrm = useEspo()
const { newOrg } = espocrm
const hubspot = useHubSpot()
let salesforce: SalesforceStandIn
let app: TestApp
beforeAll(async () => {
  salesforce = await SalesforceStandIn.start()
  app = await startTestApp({ salesforceLoginUrl: salesforce.server.url, outboundAllowPrivate: true })
})
afterAll(async () => {
  await app.close()
  await salesforce.close()
})

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }
const cleared = { email: null, phone: null }

describe('removed e-mail addresses and phone numbers', () => {
  test.each(['espocrm', 'sandbox'])(
    'the next push clears a removed e-mail address and phone number (%s)',
    async (provider) => {
      const setup = await newOrg()
      const { org, espo } = setup
      const connection_id = provider === 'espocrm' ? setup.connection_id : await connect(org)
      const contactId = await newContact(org, ada)
      await pushAndWait(org, { connection_id })
      await org.patch(`/contacts/${contactId}`, { ...cleared, last_name: 'King' })
      for (const body of [{}, { contact_ids: [contactId] }, { filter: { q: 'King' } }]) {
        const asked = { connection_id, ...body }
        expect(await preview(org, asked)).toMatchObject({ count: 1, would_update: 1, skipped: {} })
      }
      expect(await pushAndWait(org, { connection_id })).toMatchObject({
        population: 1,
        counts: { updated: 1 },
      })
      if (provider === 'espocrm')
        expect(espo.all()).toMatchObject([{ lastName: 'King', emailAddress: null, phoneNumber: null }])
      expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
    },
  )

  test('a push to HubSpot clears a removed e-mail address and phone number in the lead and in the contact', async () => {
    const { org, portal, connection_id } = await hubspot.newOrg()
    const contactId = await newContact(org, { email: ada.email, phone: ada.phone })
    await pushAndWait(org, { connection_id })
    await org.patch(`/contacts/${contactId}`, cleared)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { updated: 1 },
    })
    const [{ properties }] = portal.contacts as [(typeof portal.contacts)[0]]
    expect(properties).toEqual({ crosswalk_id: contactId, lastname: '[not provided]' })
    expect(portal.leads).toMatchObject([{ properties: { hs_lead_name: '[not provided]' } }])
  })

  test('a push to Salesforce clears a removed e-mail address and phone number', async () => {
    const { org, crm, connection_id } = await connectSalesforce(app, salesforce)
    const contactId = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    await org.patch(`/contacts/${contactId}`, cleared)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { updated: 1 },
    })
    const lead = { Crosswalk_Id__c: contactId, LastName: 'Lovelace', Email: null, Phone: null }
    expect(crm.records.Lead).toMatchObject([lead])
  })

  test('a contact without e-mail address and phone number is not created in a CRM that has no record of the contact', async () => {
    const { org, connection_id, espo } = await newOrg()
    const contactId = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    await org.patch(`/contacts/${contactId}`, cleared)
    const other = await connect(org)
    expect(await pushAndWait(org, { connection_id: other })).toMatchObject({ population: 0 })
    expect(await preview(org, { connection_id: other, contact_ids: [contactId] })).toMatchObject({
      ...{ count: 0, skipped: { no_email_or_phone: 1 } },
    })
    // In EspoCRM, the Contact is another record than the Lead.
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ population: 0 })
    expect(espo.all('Contact')).toEqual([])
  })

  test('an archived contact without e-mail address and phone number is not pushed, even if it was pushed earlier', async () => {
    const { org, connection_id } = await newOrg()
    const contactId = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    await org.patch(`/contacts/${contactId}`, cleared)
    await org.delete(`/contacts/${contactId}`)
    const asked = { connection_id, contact_ids: [contactId] }
    expect(await preview(org, asked)).toMatchObject({ count: 0, skipped: { archived: 1 } })
    expect(await pushAndWait(org, asked)).toMatchObject({ population: 0 })
  })

  test('a contact without e-mail address and phone number is still pushed if a contact that it absorbed has a Lead', async () => {
    const { org, connection_id, espo } = await newOrg()
    const survivor = await newContact(org, { last_name: 'Survivor' })
    const loser = await newContact(org, ada)
    await pushAndWait(org, { connection_id })
    const merge = { entity_type: 'contact', survivor_id: survivor, loser_ids: [loser] }
    const { merge_group_id } = (await org.post('/duplicates/merge', merge)).body.data
    await org.patch(`/contacts/${survivor}`, cleared)
    const asked = { connection_id, contact_ids: [survivor] }
    expect(await preview(org, asked)).toMatchObject({ count: 1, would_update: 1 })
    const job = await pushAndWait(org, asked)
    expect(job).toMatchObject({ counts: { updated: 1 } })
    expect(await itemsOf(org, job.job_id)).toMatchObject([{ contact_id: survivor, outcome: 'updated' }])
    expect(espo.all()).toMatchObject([{ emailAddress: null, crosswalkId: loser }])
    expect((await org.post(`/duplicates/undo-merge/${merge_group_id}`)).status).toBe(200)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ population: 1, counts: { updated: 1 } })
  })
})
