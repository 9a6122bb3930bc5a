import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testConnection } from '../../src/crm-sync/connections/connection-test.ts'
import { createLog, loggedError } from '../../src/platform/log.ts'
import { Secrets } from '../../src/platform/secrets/secrets.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import {
  connect,
  crmBase,
  newContact,
  push,
  pushAndWait,
  pushWithoutDelays,
} from '../support/crm-sync/crm.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { EspoStandIn, espoError } from '../support/stand-ins/espocrm.ts'
import { HubSpotStandIn } from '../support/stand-ins/hubspot.ts'
import { hubspotError } from '../support/stand-ins/hubspot-portal.ts'
import { apiError, SalesforceStandIn } from '../support/stand-ins/salesforce.ts'

let app: TestApp
let salesforce: SalesforceStandIn
let hubspot: HubSpotStandIn
let espo: EspoStandIn
const logged: string[] = []
beforeAll(async () => {
  expect(inject('databaseUrl')).toBeTypeOf('string')
  salesforce = await SalesforceStandIn.start()
  hubspot = await HubSpotStandIn.start()
  espo = await EspoStandIn.start({ apiKey: 'espo-"quoted"-API-KEY-planted' })
  const config = {
    ...{ outboundAllowPrivate: true, salesforceLoginUrl: salesforce.server.url },
    hubspotApiUrl: hubspot.server.url,
  }
  const log = pino(
    { level: 'trace', serializers: { err: loggedError } },
    { write: (line) => void logged.push(line) },
  )
  app = await startTestApp(config, undefined, log)
})
afterAll(async () => {
  await app.close()
  await salesforce.close()
  for (const { server } of [hubspot, espo]) await server.close()
})

type Crm = {
  body: { provider: string; credentials: Record<string, string> }
  secrets: string[]
  /** Makes the CRM answer the next request with an error that repeats the whole request. */
  echo(status: number): void
}

function crms(): Crm[] {
  const refresh = salesforce.newOrg()
  const app2 = salesforce.newOrg().org
  const key = salesforce.newApp(app2)
  const portal = hubspot.newPortal()
  portal.token = 'pat-na1-ACCESS-TOKEN-planted'
  const { client_secret, refresh_token } = refresh.credentials
  const [, keyLine = ''] = key.private_key.split('\n')
  const says = (secrets: string[]) => `Who sends ${secrets.join(' and ')}?`
  const salesforceSays = (secrets: string[]) => (status: number) => {
    const { body } = apiError(status, 'SAID', says([...secrets, salesforce.tokenFor(refresh.org)]))
    salesforce.server.fault({ on: /services\/data/, when: 'before', how: 'answer', status, body })
    const refusal = { error: 'invalid_grant', error_description: says(secrets) }
    if (status === 401) salesforce.signInRefusals.push({ status: 400, body: refusal })
  }
  return [
    { body: { provider: 'sandbox', credentials: {} }, secrets: [], echo: () => {} },
    {
      body: { provider: 'salesforce', credentials: refresh.credentials },
      secrets: [client_secret, refresh_token],
      echo: salesforceSays([client_secret, refresh_token]),
    },
    {
      body: { provider: 'salesforce', credentials: key },
      secrets: [keyLine],
      echo: salesforceSays([key.private_key]),
    },
    {
      body: { provider: 'hubspot', credentials: { access_token: portal.token } },
      secrets: [portal.token],
      echo(status) {
        const { body } = hubspotError(status, 'SAID', says([portal.token]))
        hubspot.server.fault({ when: 'before', how: 'answer', status, body })
      },
    },
    {
      body: { provider: 'espocrm', credentials: espo.credentials },
      secrets: [espo.apiKey],
      echo(status) {
        const twins = [{ id: espo.apiKey, name: espo.apiKey }]
        const body = status === 409 ? twins : { messageTranslation: { label: says([espo.apiKey]) } }
        const said = espoError(status, says([espo.apiKey]), body)
        espo.refusals.push({
          on: /./,
          said: { ...said, headers: { ...said.headers, location: espo.apiKey } },
        })
      },
    },
  ]
}

async function answersOf(org: TestOrg, ids: readonly string[]): Promise<string[]> {
  const texts = [(await org.get('/events?limit=100')).text, (await org.get('/contacts')).text]
  for (const path of ['/connections', '/jobs', '/settings', ...ids.map((id) => `/connections/${id}`)])
    texts.push((await org.get(crmBase + path)).text)
  for (const { job_id: id } of (await org.get(`${crmBase}/jobs?limit=100`)).body.data)
    for (const path of [`/jobs/${id}`, `/jobs/${id}/items`]) texts.push((await org.get(crmBase + path)).text)
  return texts
}

function expectNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
    for (const bytes of ['hex', 'base64'] as const)
      forms.push(Buffer.from(secret).toString(bytes).slice(0, -3))
    for (const form of forms)
      expect(text.includes(form), `${secret.slice(0, 20)}… as ${form.slice(0, 20)}…`).toBe(false)
  }
}

test('no answer, event or log line shows a secret of a CRM connection, even if the CRM repeats it', async () => {
  const org = await app.newOrg()
  const all = crms()
  const secrets = all.flatMap((crm) => crm.secrets)
  expect(secrets).toHaveLength(5)
  const ids: string[] = []
  const said: string[] = []
  const note = ({ text }: { text: string }) => said.push(text)
  const jobs: string[] = []
  for (const { body, echo } of all) {
    const id = await connect(org, body)
    ids.push(id)
    const at = `${crmBase}/connections/${id}`
    note(await org.post(`${at}/test`))
    note(await org.patch(at, { name: 'Named', credentials: body.credentials }))
    note(await org.patch(at, { credentials: { ...body.credentials, extra: secrets[0] } }))
    note(await org.post(`${crmBase}/connections`, { ...body, credentials: { secret: secrets.join(' ') } }))
    note(await org.post(`${crmBase}/connections`, { provider: secrets[0], credentials: body.credentials }))
    note(await org.post(`${crmBase}/leads/previews`, { connection_id: id }))
    if (body.provider === 'sandbox') continue
    for (const status of [302, 400, 401, 403, 404, 409, 429, 503]) {
      echo(status)
      if (status === 401) echo(status)
      note(await org.post(`${at}/test`))
    }
    for (const status of [400, 401, 403]) {
      const name = `${body.provider} ${ids.length} ${status}`
      const contact = await newContact(org, {
        last_name: name,
        email: `${name.replaceAll(' ', '-')}@example.com`,
      })
      const asked = { connection_id: id, contact_ids: [contact] }
      echo(status)
      jobs.push((await pushWithoutDelays(app, org, asked)).status)
      // The first connection test may still show the refusal. The second one must not.
      note(await org.post(`${at}/test`))
      note(await org.post(`${at}/test`))
      jobs.push((await pushWithoutDelays(app, org, asked)).status)
    }
  }
  expect(new Set(jobs)).toContain('failed')
  expect(jobs.filter((_, index) => index % 2 === 1)).toEqual(Array(12).fill('succeeded'))
  expect(said.join('')).toContain('Who sends …')
  const metrics = await app.stranger.get('/metrics', { prefix: '' })
  expect(metrics.status).toBe(200)
  expect(logged.length).toBeGreaterThan(0)
  const everything = [...said, ...(await answersOf(org, ids)), metrics.text, ...logged, await dumpTables(app)]
  expectNone(everything.join('\n'), secrets)
  expect(everything.join('\n')).not.toMatch(/planted|ACCESS_TOKEN|eyJ\w|BEGIN PRIVATE KEY/)

  // After a change of the encryption key, the connections work, and no secret is sealed with the old key.
  const sealed = () =>
    runAsOwner<{ key_id: string; hex: string }>(
      app.databaseUrl,
      `select key_id, encode(sealed, 'hex') as hex from secret`,
    )
  const before = await sealed()
  expect(before).toHaveLength(all.length)
  const log = createLog('silent')
  const newKey = randomBytes(32)
  const change = await prepareDatabase(app.databaseUrl, newKey, log, { oldKey: testKey, loseSecrets: false })
  expect(change.secrets).toEqual({ resealed: all.length, lost: 0 })
  const after = await dumpTables(app)
  for (const { hex, key_id: keyId } of before) {
    expect(after).not.toContain(hex)
    expect(after).not.toContain(keyId)
  }
  expectNone(after, secrets)
  const context = { ...app.app.context, secrets: new Secrets([newKey], log) }
  const scope = context.database.org(org.orgId)
  for (const id of ids)
    expect(await testConnection(context, scope, { mode: 'live' }, id), id).toMatchObject({ works: true })
  // The server still has the old encryption key. Its error says what to do.
  const report = await org.post(`${crmBase}/connections/${ids.at(-1)}/test`)
  expect(report.body.data.lead.problems).toEqual([expect.stringMatching(/do not open: send them again/)])
  await prepareDatabase(app.databaseUrl, testKey, log, { oldKey: newKey, loseSecrets: false })
  await newContact(org, { last_name: 'Byron', email: 'byron@example.com' })
  for (const connection_id of ids) expect(await push(org, { connection_id })).toBeTypeOf('string')
  for (const connection_id of ids)
    expect(await pushAndWait(org, { connection_id }), connection_id).toMatchObject({ status: 'succeeded' })
}, 240_000)
