import { afterAll, expect, test } from 'vitest'
import { SalesforceAdapter } from '../../src/crm-sync/adapters/salesforce.ts'
import { Outbound } from '../../src/platform/outbound/outbound.ts'
import { useHubSpot } from '../support/crm-sync/hubspot.ts'
import { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'
import { usualLongestTurn } from '../support/turns.ts'

const hubspot = useHubSpot()
const salesforce = await SalesforceStandIn.start()
afterAll(() => salesforce.close())

/** The longest turn of the event loop in milliseconds. To parse such an answer in one step takes 100 ms. */
const turnMaxMs = 60
const fields = 1_000
const choices = Array.from({ length: 150 }, (_, at) => `choice ${at}`)

const properties = JSON.stringify({
  results: Array.from({ length: fields }, (_, at) => ({
    ...{ name: `property_${at}`, label: `Property ${at}`, type: 'enumeration', fieldType: 'select' },
    options: choices.map((value, index) => ({ label: value, value, displayOrder: index, hidden: false })),
  })),
})
const description = JSON.stringify({
  ...{ name: 'Lead', createable: true, updateable: true },
  fields: Array.from({ length: fields }, (_, at) => ({
    ...{ name: `Field_${at}__c`, label: `Field ${at}`, type: 'picklist', length: 255, createable: true },
    picklistValues: choices.map((value) => ({ active: true, defaultValue: false, label: value, value })),
  })),
})

test('11 MB of HubSpot’s properties do not block the thread', async () => {
  const on = /^GET \/crm\/v3\/properties/
  const longest = await usualLongestTurn(async () => {
    hubspot.standIn.server.fault({ on, when: 'before', how: 'answer', status: 200, body: properties })
    const { fields: found } = await hubspot.adapterOf(hubspot.standIn.newPortal()).describe('contact')
    expect(found).toHaveLength(fields)
  }, turnMaxMs)
  expect(longest).toBeLessThan(turnMaxMs)
})

test('11 MB of Salesforce’s description of an object do not block the thread', async () => {
  const { credentials } = salesforce.newOrg()
  const longest = await usualLongestTurn(async () => {
    const adapter = new SalesforceAdapter({
      ...{ outbound: new Outbound({ allowPrivate: true }), owner: 'org', loginUrl: salesforce.server.url },
      ...{ connectionId: 'large', keyField: 'Crosswalk_Id__c', allowDuplicates: false, credentials },
      store: { read: async () => credentials, replace: async () => {} },
    })
    salesforce.server.fault({
      ...{ on: /describe$/, when: 'before', how: 'answer', status: 200, body: description },
    })
    expect((await adapter.describe('lead')).fields).toHaveLength(fields)
  }, turnMaxMs)
  expect(longest).toBeLessThan(turnMaxMs)
})
