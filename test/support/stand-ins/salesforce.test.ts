import { Connection } from 'jsforce'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SalesforceStandIn } from './salesforce.ts'

let standIn: SalesforceStandIn
beforeAll(async () => {
  standIn = await SalesforceStandIn.start()
})
afterAll(() => standIn.close())

const version = '67.0'

test('jsforce describes, upserts and queries', async () => {
  const { org } = standIn.newOrg()
  const client = new Connection({
    instanceUrl: standIn.server.url,
    accessToken: standIn.tokenFor(org),
    version,
  })
  const described = await client.sobject('Lead').describe()
  expect(described.fields.find(({ name }) => name === 'Crosswalk_Id__c')).toMatchObject({
    ...{ externalId: true, unique: true, type: 'string', length: 36 },
  })
  const ada = { Crosswalk_Id__c: 'one', LastName: 'Lovelace', Company: 'Engines' }
  const rows = await client
    .sobject('Lead')
    .upsert([ada, { Crosswalk_Id__c: 'two', LastName: 'Byron' }], 'Crosswalk_Id__c')
  expect(rows).toEqual([
    { id: expect.stringMatching(/^00Q\w{15}$/), success: true, created: true, errors: [] },
    {
      success: false,
      errors: [
        {
          ...{ statusCode: 'REQUIRED_FIELD_MISSING', message: 'Required fields are missing: [Company]' },
          fields: ['Company'],
        },
      ],
    },
  ])
  const again = await client.sobject('Lead').upsert({ ...ada, FirstName: 'Ada' }, 'Crosswalk_Id__c')
  expect(again).toMatchObject({ success: true, created: false })
  const found = await client.query("SELECT Id, FirstName FROM Lead WHERE Crosswalk_Id__c = 'one'")
  expect(found.records).toMatchObject([{ FirstName: 'Ada' }])
  expect(await client.sobject('Lead').retrieve(found.records[0]!.Id!)).toMatchObject({
    LastName: 'Lovelace',
  })
  expect(client.limitInfo.apiUsage).toMatchObject({ limit: 100_000 })
})

test('jsforce reads the stand-in’s errors like those of Salesforce', async () => {
  const { org } = standIn.newOrg()
  const client = new Connection({
    instanceUrl: standIn.server.url,
    accessToken: standIn.tokenFor(org),
    version,
  })
  const lead = client.sobject('Lead')
  const nowhere = lead.upsert([{ Email: 'a@example.com' }], 'Email')
  await expect(nowhere).rejects.toMatchObject({ errorCode: 'NOT_FOUND' })
  const strange = lead.upsert([{ Crosswalk_Id__c: 'a', Nothing__c: 1 }], 'Crosswalk_Id__c')
  await expect(strange).rejects.toMatchObject({ errorCode: 'INVALID_FIELD' })
  standIn.expire(org)
  await expect(lead.describe()).rejects.toMatchObject({ errorCode: 'INVALID_SESSION_ID' })
})

test('jsforce signs in with a refresh token, and again once its session has ended', async () => {
  const { org, credentials } = standIn.newOrg()
  const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = credentials
  const oauth2 = { clientId, clientSecret, loginUrl: standIn.server.url }
  const { instanceUrl, accessToken } = {
    instanceUrl: standIn.server.url,
    accessToken: standIn.tokenFor(org),
  }
  const client = new Connection({ oauth2, refreshToken, instanceUrl, accessToken, version })
  standIn.expire(org)
  expect((await client.sobject('Contact').describe()).createable).toBe(true)
  expect(client.accessToken).not.toBe(accessToken)
  standIn.revoke(credentials)
  await expect(client.oauth2.refreshToken(refreshToken)).rejects.toThrow('expired access/refresh token')
})
