import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { claimDue, markInstalling } from '../../src/signatures/deploy/claims.ts'
import { Installer } from '../../src/signatures/deploy/installer.ts'
import { installSignaturesJob } from '../../src/signatures/deploy/job.ts'
import { queuePushes } from '../../src/signatures/deploy/pushes.ts'
import type { InstallOrder } from '../../src/signatures/order.ts'
import { SignatureProviders } from '../../src/signatures/providers/providers.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { patience } from '../support/patience.ts'
import { GmailStandIn } from '../support/stand-ins/gmail.ts'

let standIn: GmailStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await GmailStandIn.start()
  app = await startTestApp({ role: 'api', gmailApiUrl: standIn.server.url, googleTokenUrl: standIn.tokenUrl })
})
afterAll(async () => {
  await app.close()
  await standIn.server.close()
})

const databaseOf = ({ orgId, apiKeyId }: TestOrg) => app.app.context.database.org(orgId, { apiKeyId })

async function newMailbox(provider: string, email = 'one@example.com') {
  const org = await app.newOrg()
  standIn.addUser(email)
  await org.patch('/signatures/settings', { gmail: { service_account: standIn.account } })
  const template = await org.post('/signatures/templates', { name: 'Plain', html: '<b>{{ email }}</b>' })
  const { template_id } = template.body.data
  const mailbox = await org.post('/signatures/mailboxes', { email, provider, template_id })
  return { org, template_id, mailboxId: mailbox.body.data.mailbox_id as number }
}

/** Queues a push without a job, because the test runs the job. Returns the push's id. */
async function ask(org: TestOrg, mailboxId: number): Promise<string> {
  const pushId = v7()
  await databaseOf(org).transact((tx) => queuePushes(tx, [{ mailboxId, pushId, version: 1 }], null))
  return pushId
}

const run = ({ orgId }: TestOrg) =>
  runDirectly(installSignaturesJob, {
    payload: { org_id: orgId, mode: 'live' },
    context: app.app.context,
    signal: new AbortController().signal,
  })

const statusOf = async (org: TestOrg, pushId: string) =>
  (await org.get(`/signatures/pushes/${pushId}`)).body.data.status

test('a deployment that another transaction has locked is installed once the lock is released', async () => {
  const { org, mailboxId } = await newMailbox('sandbox')
  const pushId = await ask(org, mailboxId)
  await withClient(app, async (client) => {
    await client.query(`
      begin; select from signature_deployment where org_id = '${org.orgId}' for update;
      savepoint held; lock table signature_mailbox in access exclusive mode`)
    const over = run(org)
    await untilBlocked(client)
    // The lock is released to the test after the query of the job has skipped the locked deployment.
    await client.query('rollback to held; lock table signature_mailbox in access exclusive mode')
    await client.query('rollback')
    await over
  })
  expect(await statusOf(org, pushId)).toBe('installed')
})

test('a worker that lost its claim does not change the status of an installed mailbox to installing', async () => {
  const { org, mailboxId } = await newMailbox('sandbox')
  await ask(org, mailboxId)
  await databaseOf(org).transact((tx) => claimDue(tx, 1, false))
  await run(org)
  // A frozen worker sets this status when it continues.
  await databaseOf(org).transact((tx) => markInstalling(tx, [mailboxId]))
  const { deployment } = (await org.get(`/signatures/mailboxes/${mailboxId}`)).body.data
  expect(deployment).toMatchObject({ status: 'installed', revision: 1 })
})

test.each(['manual', 'sandbox'] as const)(
  'an older revision does not replace a newer one: %s',
  async (provider) => {
    const { org, mailboxId } = await newMailbox(provider)
    const order = (revision: number): InstallOrder => {
      const html = `<b>${revision}</b>`
      return { ...{ mailboxId, email: 'one@example.com', text: '', sha256: '' }, html, revision, tries: 1 }
    }
    const providers = new SignatureProviders({ context: app.app.context, org: databaseOf(org) })
    const opened = await providers.of(provider)
    for (const revision of [1, 2, 1]) await opened.install(order(revision), AbortSignal.timeout(9_000))
    const table = provider === 'manual' ? 'signature_offer' : 'sandbox_signature'
    const { rows } = await withClient(app, (client) =>
      client.query(`select html, revision from ${table} where org_id = '${org.orgId}'`),
    )
    expect(rows).toEqual([{ html: '<b>2</b>', revision: 2 }])
  },
)

test('the job that installs signatures ends its turn even if single pushes keep arriving', async () => {
  const { org, template_id, mailboxId } = await newMailbox('gmail', 'turn@example.com')
  const { body } = await org.post('/signatures/mailboxes', { email: 'late@example.com', template_id })
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const slow = await ask(org, mailboxId)
  let now = 0
  const { signal } = new AbortController()
  const looks = vi.spyOn(signal, 'throwIfAborted')
  const installer = new Installer(app.app.context, databaseOf(org), async () => {})
  const hasMore = installer.installAll(signal, () => now)
  await vi.waitFor(async () => expect(await statusOf(org, slow)).toBe('installing'), patience)
  now = 15_000
  const soon = await ask(org, body.data.mailbox_id)
  await vi.waitFor(async () => expect(await statusOf(org, soon)).toBe('installed'), patience)
  const looksAgain = (before = looks.mock.calls.length) =>
    vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(before + 1), patience)
  now = 100_000
  // A query that began before the end of the turn can still claim a push that is queued now.
  await looksAgain()
  const late = await ask(org, body.data.mailbox_id)
  await looksAgain()
  gate.resolve()
  expect(await hasMore).toBe(true)
  expect(await statusOf(org, slow)).toBe('installed')
  expect(await statusOf(org, late)).toBe('queued')
})
