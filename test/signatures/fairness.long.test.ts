import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { installSignaturesJob } from '../../src/signatures/deploy/job.ts'
import { requeueStranded } from '../../src/signatures/deploy/requeue-stranded.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { patience } from '../support/patience.ts'
import { GmailStandIn } from '../support/stand-ins/gmail.ts'

let standIn: GmailStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await GmailStandIn.start()
  app = await startTestApp(gmail())
})
afterAll(async () => {
  await app.close()
  await standIn.server.close()
})

const gmail = () => ({ gmailApiUrl: standIn.server.url, googleTokenUrl: standIn.tokenUrl })

async function newTemplate(org: TestOrg): Promise<string> {
  const { body } = await org.post('/signatures/templates', { name: 'Plain', html: '<b>{{ email }}</b>' })
  return body.data.template_id
}

async function newMailbox(
  org: TestOrg,
  provider: string,
  email: string,
  template_id: string,
): Promise<number> {
  standIn.addUser(email)
  const answer = await org.post('/signatures/mailboxes', { email, provider, template_id })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.mailbox_id
}

async function newRollout(server: TestApp, mailboxes: number) {
  const org = await server.newOrg()
  await org.patch('/signatures/settings', { gmail: { service_account: standIn.account } })
  const template_id = await newTemplate(org)
  for (let index = 0; index < mailboxes; index++)
    await newMailbox(org, 'gmail', `fair${index}@example.com`, template_id)
  const { body } = await org.post(`/signatures/templates/${template_id}/push`, { version: 1 })
  const counts = async () => (await org.get(`/signatures/rollouts/${body.data.rollout_id}`)).body.data.counts
  return { org, counts }
}

/** An org whose rollout waits for a Gmail that does not answer. */
async function newOrgInRollout(mailboxes: number) {
  const rollout = await newRollout(app, mailboxes)
  await vi.waitFor(async () => expect((await rollout.counts()).installing).toBeGreaterThan(0), patience)
  return rollout
}

async function installed(org: TestOrg, mailboxId: number): Promise<void> {
  const answer = await org.post(`/signatures/mailboxes/${mailboxId}/push`, { version: 1 })
  expect(answer.status, answer.text).toBe(200)
  await vi.waitFor(async () => {
    const { body } = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
    expect(body.data.status).toBe('installed')
  }, patience)
}

test('a single push does not wait for a rollout whose Gmail does not answer, nor for another org’s push', async () => {
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const { org, counts } = await newOrgInRollout(40)
  try {
    await installed(org, await newMailbox(org, 'sandbox', 'single@example.com', await newTemplate(org)))
    const other = await app.newOrg()
    await installed(other, await newMailbox(other, 'sandbox', 'single@example.com', await newTemplate(other)))
    const { compiling, installing, queued } = await counts()
    expect(compiling + installing).toBeLessThanOrEqual(8)
    expect(queued).toBeGreaterThanOrEqual(32)
  } finally {
    gate.resolve()
  }
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ installed: 40 }), patience)
})

test('six orgs whose Gmail does not answer do not delay the push of a seventh', async () => {
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const rollouts = await Promise.all(Array.from({ length: 6 }, () => newOrgInRollout(2)))
  try {
    const other = await app.newOrg()
    await installed(other, await newMailbox(other, 'sandbox', 'single@example.com', await newTemplate(other)))
  } finally {
    gate.resolve()
  }
  for (const { counts } of rollouts)
    await vi.waitFor(async () => expect(await counts()).toMatchObject({ installed: 2 }), patience)
})

test('a rollout continues if all of its installs end while the job looks for single pushes', async () => {
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const { counts } = await newOrgInRollout(12)
  await vi.waitFor(async () => expect((await counts()).installing).toBe(8), patience)
  await withClient(app, async (client) => {
    await client.query('begin; lock table signature_mailbox in access exclusive mode')
    await untilBlocked(client)
    gate.resolve()
    await vi.waitFor(async () => expect((await counts()).installed).toBe(8), patience)
    await client.query('commit')
  })
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ installed: 12 }), patience)
})

test('if a worker claims a mailbox after it lost its own job, another job installs the signature', async () => {
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const api = await startTestApp({ ...gmail(), role: 'api' })
  const { org, counts } = await newRollout(api, 12)
  const overtaken = new AbortController()
  const run = runDirectly(installSignaturesJob, {
    payload: { org_id: org.orgId, mode: 'live' },
    context: api.app.context,
    signal: overtaken.signal,
  })
  await vi.waitFor(async () => expect((await counts()).installing).toBe(8), patience)
  await withClient(api, (client) => client.query('delete from pgboss.job_common'))
  overtaken.abort(new Error('another process has taken it over'))
  gate.resolve()
  await expect(run).rejects.toThrow('another process')
  await withClient(api, (client) =>
    client.query("update signature_deployment set try_at = now() - interval '2 minutes' where asked > done"),
  )
  const jobs = async () =>
    (await withClient(api, (client) => client.query('select data from pgboss.job_common'))).rows
  const { context } = api.app
  for (let time = 0; time < 2; time++) await requeueStranded(system(context.database), context)
  expect(await jobs()).toEqual([{ data: { org_id: org.orgId, mode: 'live' } }])

  const worker = await startTestApp({ ...gmail(), role: 'worker' }, api)
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ installed: 12 }), patience)
  await worker.close()
  await api.close()
})
