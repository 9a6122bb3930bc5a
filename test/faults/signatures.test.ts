import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { GmailStandIn } from '../support/stand-ins/gmail.ts'
import { rounds } from './clients.ts'
import { startWorker } from './new-worker.ts'

const mailboxes = 40

const standIn = await GmailStandIn.start()
const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close()
  await standIn.server.close()
})

const startGmailWorker = () =>
  startWorker(app, {
    DUPLICATE_CHECKS: undefined,
    GMAIL_API_URL: standIn.server.url,
    GOOGLE_TOKEN_URL: standIn.tokenUrl,
  })

test('killing a worker during installs loses no push, and an older signature never replaces a newer one', async () => {
  const org = await app.newOrg()
  await org.patch('/signatures/settings', { gmail: { service_account: standIn.account } })
  const template = await org.post('/signatures/templates', { name: 'Plain', html: '<b>Revision 1</b>' })
  const { template_id } = template.body.data
  const emails = Array.from({ length: mailboxes }, (_, index) => `kill${index}@example.com`)
  for (const email of emails) {
    standIn.addUser(email)
    expect((await org.post('/signatures/mailboxes', { email, provider: 'gmail', template_id })).status).toBe(
      201,
    )
  }
  for (let version = 1; version <= rounds; version++) {
    if (version > 1) {
      const html = `<b>Revision ${version}</b>`
      expect((await org.patch(`/signatures/templates/${template_id}`, { html })).status).toBe(200)
    }
    const { body } = await org.post(`/signatures/templates/${template_id}/push`, { version })
    const killed = await startGmailWorker()
    // Kill the worker during the installs.
    const soon = Math.floor(Math.random() * mailboxes * 0.8) + 1
    const before = standIn.server.requests.length
    await vi.waitFor(() => expect(standIn.server.requests.length - before).toBeGreaterThan(soon), {
      ...patience,
      interval: 1,
    })
    killed.kill('SIGKILL')
    await killed.ended
    const heirs = await Promise.all([startGmailWorker(), startGmailWorker()])
    await vi.waitFor(
      async () => {
        const rollout = await org.get(`/signatures/rollouts/${body.data.rollout_id}`)
        expect(rollout.body.data).toMatchObject({ status: 'finished', counts: { installed: mailboxes } })
      },
      { timeout: 180_000, interval: 100 },
    )
    for (const email of emails) expect(standIn.signatureOf(email)).toContain(`Revision ${version}`)
    for (const heir of heirs) heir.kill('SIGTERM')
    for (const heir of heirs) expect((await heir.ended).code).toBe(0)
  }
  const changes = emails.map((email) => standIn.changes.get(email)!)
  expect(Math.max(...changes)).toBeLessThanOrEqual(rounds + 1)
}, 600_000)
