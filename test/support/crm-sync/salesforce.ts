import { expect } from 'vitest'
import type { TestApp, TestOrg } from '../app.ts'
import type { SalesforceStandIn } from '../stand-ins/salesforce.ts'
import type { SalesforceOrg } from '../stand-ins/salesforce-org.ts'
import { connect, crmBase, newContacts } from './crm.ts'

export type Connected = {
  org: TestOrg
  crm: SalesforceOrg
  connection_id: string
  credentials: ReturnType<SalesforceStandIn['newRefreshToken']>
}

export async function connectSalesforce(
  app: TestApp,
  standIn: SalesforceStandIn,
  body: object = {},
): Promise<Connected> {
  const { org: crm, credentials } = standIn.newOrg()
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'salesforce', credentials, ...body })
  return { org, crm, connection_id, credentials }
}

let made = 0
export const person = (more: object = {}) => ({
  ...{ first_name: 'Ada', last_name: `Lovelace${++made}`, email: `ada${made}@example.com` },
  ...more,
})

export const newPeople = (org: TestOrg, count: number, more: object = {}): Promise<string[]> =>
  newContacts(
    org,
    Array.from({ length: count }, () => person(more)),
  )

/** Checks that each person has one Lead, and that there are no others. */
export function expectOneEach(crm: SalesforceOrg, ids: readonly string[]): void {
  expect(crm.records.Lead!.map((lead) => lead.Crosswalk_Id__c).sort()).toEqual([...ids].sort())
}

export const connectionOf = async (org: TestOrg, id: string) =>
  (await org.get(`${crmBase}/connections/${id}`)).body.data

export const tested = async (org: TestOrg, id: string) =>
  (await org.post(`${crmBase}/connections/${id}/test`)).body.data
