import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { crmBase, push, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import {
  connectionOf,
  connectSalesforce,
  expectOneEach,
  newPeople,
  tested,
} from '../support/crm-sync/salesforce.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'

let standIn: SalesforceStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await SalesforceStandIn.start()
  app = await startTestApp({ salesforceLoginUrl: standIn.server.url, outboundAllowPrivate: true })
})
afterAll(async () => {
  await app.close()
  await standIn.close()
})

const connected = () => connectSalesforce(app, standIn)

describe('rotated refresh tokens', () => {
  test('after a refresh token rotation, the new token is stored encrypted and used from then on', async () => {
    const { org, crm, connection_id, credentials } = await connected()
    crm.rotatesTokens = true
    const ids = []
    for (let time = 1; time <= 3; time++) {
      ids.push(...(await newPeople(org, 1)))
      expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded', error: null })
      expect(crm.signIns).toBe(time)
      standIn.expire(crm)
    }
    expectOneEach(crm, ids)
    const { status, credentials: hints } = await connectionOf(org, connection_id)
    expect(status).toBe('ok')
    expect(hints.client_secret).toBe(`…${credentials.client_secret.slice(-4)}`)
    const stored = await runAsOwner(app.databaseUrl, 'select sealed from secret')
    expect(JSON.stringify(stored)).not.toContain('planted')
  })

  test('after a refresh token rotation, a process with the old token reads and uses the stored new token', async () => {
    const { org, crm, connection_id } = await connected()
    await newPeople(org, 2)
    crm.rotatesTokens = true
    // The connection test and the push use the credentials from before the rotation.
    for (let time = 0; time < 3; time++) {
      const [report, job] = await Promise.all([
        tested(org, connection_id),
        pushAndWait(org, { connection_id, resend_unchanged: true }),
      ])
      expect(report).toMatchObject({ works: true })
      expect(job).toMatchObject({ status: 'succeeded' })
    }
    const before = crm.signIns
    standIn.expire(crm)
    expect(await tested(org, connection_id)).toMatchObject({ works: true })
    expect(crm.signIns).toBe(before + 1)
  })

  test('a refresh token rotation does not overwrite credentials that were changed at the same time', async () => {
    const { org, crm, connection_id } = await connected()
    crm.rotatesTokens = true
    const other = standIn.newOrg()
    standIn.server.hold = async ({ path }) => {
      if (path !== '/services/oauth2/token') return
      standIn.server.hold = () => {}
      const { credentials } = other
      expect((await org.patch(`${crmBase}/connections/${connection_id}`, { credentials })).status).toBe(200)
    }
    await tested(org, connection_id)
    await newPeople(org, 1)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    expect(other.org.records.Lead).toHaveLength(1)
    expect(crm.records.Lead).toEqual([])
  })
})

test('if only few of the day’s Salesforce requests are left, the push waits, so that other apps can use them', async () => {
  const { org, crm, connection_id } = await connected()
  const ids = await newPeople(org, 2)
  crm.mostRequests = 100
  crm.usedRequests = 95
  const jobId = await push(org, { connection_id })
  await vi.waitFor(async () => {
    const { body } = await org.get(`${crmBase}/jobs/${jobId}`)
    expect(body).toMatchObject({ status: 'running', counts: { processed: 0 } })
    expect(body.error.message).toMatch(
      /^Salesforce’s requests of 24 hours are nearly used up \(96 of 100\), .*; the push tries again automatically$/,
    )
  }, patience)
  expect(crm.batches).toEqual([])
  crm.usedRequests = 10
  // Make the retry due now: it would wait for 15 minutes.
  await runAsOwner(
    app.databaseUrl,
    `update pgboss.job_common set start_after = now() where name = 'crm_push'`,
  )
  expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'succeeded', counts: { created: 2 } })
  expectOneEach(crm, ids)
})
