import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import {
  connect,
  crmBase,
  itemsOf,
  newContact,
  newSlowOrg,
  push,
  pushAndWait,
  untilJobEnds,
} from '../support/crm-sync/crm.ts'
import { merge } from '../support/merges.ts'
import { HubSpotStandIn } from '../support/stand-ins/hubspot.ts'
import { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'

let app: TestApp
let salesforce: SalesforceStandIn
let hubspot: HubSpotStandIn
beforeAll(async () => {
  salesforce = await SalesforceStandIn.start()
  hubspot = await HubSpotStandIn.start()
  const outside = { salesforceLoginUrl: salesforce.server.url, hubspotApiUrl: hubspot.server.url }
  app = await startTestApp({ outboundAllowPrivate: true, ...outside })
})
afterAll(async () => {
  await app.close()
  await salesforce.close()
  await hubspot.server.close()
})

const externalIdsOf = async (org: TestOrg, id: string) =>
  (await org.get(`/contacts/${id}`)).body.data.external_ids

describe('CRM ids of contacts', () => {
  test('a contact that was merged during the push shows its CRM id, and later pushes do not change the contact', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 0)
    const said = { first_name: 'Ada', last_name: 'Lovelace' }
    const ada = await newContact(org, { ...said, email: 'ada@example.com' })
    const survivor = await newContact(org, said)
    const sent = Promise.withResolvers<void>()
    const merged = Promise.withResolvers<void>()
    espo.server.hold = async ({ method }) => {
      if (method !== 'POST') return
      sent.resolve()
      await merged.promise
    }
    const jobId = await push(org, { connection_id })
    await sent.promise
    await merge(org, 'contact', survivor, ada)
    merged.resolve()
    expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'succeeded', counts: { created: 1 } })
    const [lead] = espo.all()
    const again = await pushAndWait(org, { connection_id })
    expect(again).toMatchObject({ population: 1, counts: { unchanged: 1 } })
    expect(await externalIdsOf(org, survivor)).toEqual({ espocrm_lead: lead!.id })
    // Only the first push writes the CRM id.
    const { version } = (await org.get(`/contacts/${survivor}`)).body.data
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
    expect((await org.get(`/contacts/${survivor}`)).body.data.version).toBe(version)
    expect(espo.all()).toHaveLength(1)
    await espo.server.close()
  })

  test('if two merged contacts each had a Lead, the survivor shows one CRM id, and the id is written only once', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const [ada, twin] = [
      await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' }),
      await newContact(org, { last_name: 'Lovelace', email: 'twin@example.com' }),
    ]
    await pushAndWait(org, { connection_id })
    const own = await externalIdsOf(org, ada)
    await merge(org, 'contact', ada, twin)
    await pushAndWait(org, { connection_id })
    expect(await externalIdsOf(org, ada)).toEqual(own)
    const { version } = (await org.get(`/contacts/${ada}`)).body.data
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
    expect((await org.get(`/contacts/${ada}`)).body.data.version).toBe(version)
  })
})

describe('deleted Leads', () => {
  const crms = {
    async espocrm() {
      const { org, connection_id, espo } = await newSlowOrg(app, 0)
      const deleteAll = () => {
        for (const lead of espo.all()) lead.deleted = true
      }
      return { org, connection_id, deleteAll, ids: () => espo.all().map(({ id }) => id) }
    },
    async salesforce() {
      const { org: crm, credentials } = salesforce.newOrg()
      const org = await app.newOrg()
      const connection_id = await connect(org, { provider: 'salesforce', credentials })
      const deleteAll = () => crm.records.Lead!.splice(0)
      return { org, connection_id, deleteAll, ids: () => crm.records.Lead!.map(({ Id }) => Id) }
    },
    async hubspot() {
      const portal = hubspot.newPortal()
      const org = await app.newOrg()
      const credentials = { access_token: portal.token }
      const connection_id = await connect(org, { provider: 'hubspot', credentials })
      const deleteAll = () => portal.records.leads.clear()
      return { org, connection_id, deleteAll, ids: () => portal.leads.map(({ id }) => id) }
    },
  }

  test.each(Object.entries(crms))(
    '%s: a push with resend_unchanged creates a deleted Lead again, and a second push does not',
    async (system, open) => {
      const { org, connection_id, deleteAll, ids } = await open()
      const ada = await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' })
      await pushAndWait(org, { connection_id })
      const [before] = ids()
      deleteAll()
      // A push sends no request for people who did not change.
      expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
      expect(ids()).toEqual([])
      const job = await pushAndWait(org, { connection_id, resend_unchanged: true })
      expect(job).toMatchObject({ status: 'succeeded', counts: { created: 1, updated: 0, unchanged: 0 } })
      const [after] = ids()
      expect(ids()).toHaveLength(1)
      expect(after).not.toBe(before)
      expect(await itemsOf(org, job.job_id)).toMatchObject([{ outcome: 'created', external_id: after }])
      expect(await externalIdsOf(org, ada)).toEqual({ [`${system}_lead`]: after })
      const again = await pushAndWait(org, { connection_id, resend_unchanged: true })
      expect(again).toMatchObject({ counts: { created: 0, updated: 1 } })
      expect(ids()).toEqual([after])
    },
  )

  test('a Lead that somebody deleted in the CRM is created again by the retry of a failed push', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 0)
    await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' })
    await pushAndWait(org, { connection_id })
    for (const lead of espo.all()) lead.deleted = true
    espo.refusals.push({ on: /^PUT/, said: { status: 400, body: '' } })
    const job = await pushAndWait(org, { connection_id, resend_unchanged: true })
    expect(job).toMatchObject({ status: 'failed', counts: { failed: 1 } })
    const retry = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
    expect(await untilJobEnds(org, retry.body.job_id)).toMatchObject({ counts: { created: 1 } })
    expect(espo.all()).toHaveLength(1)
    await espo.server.close()
  })
})
