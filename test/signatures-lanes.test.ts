import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from './app.ts'
import { patience } from './patience.ts'
import { GmailStandIn } from './stand-ins/gmail.ts'

let standIn: GmailStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await GmailStandIn.start()
  app = await startTestApp({ gmailApiUrl: standIn.server.url, googleTokenUrl: standIn.tokenUrl })
})
afterAll(async () => {
  await app.close()
  await standIn.server.close()
})

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

/** An org whose rollout is under way at a Gmail that does not answer. */
async function newOrgInRollout(mailboxes: number) {
  const org = await app.newOrg()
  await org.patch('/signatures/settings', { gmail: { service_account: standIn.account } })
  const template_id = await newTemplate(org)
  for (let index = 0; index < mailboxes; index++)
    await newMailbox(org, 'gmail', `lane${index}@example.com`, template_id)
  const { body } = await org.post(`/signatures/templates/${template_id}/push`, { version: 1 })
  const counts = async () => (await org.get(`/signatures/rollouts/${body.data.rollout_id}`)).body.data.counts
  await vi.waitFor(async () => expect((await counts()).installing).toBeGreaterThan(0), patience)
  return { org, template_id, counts }
}

async function installed(org: TestOrg, mailboxId: number): Promise<void> {
  const answer = await org.post(`/signatures/mailboxes/${mailboxId}/push`, { version: 1 })
  expect(answer.status, answer.text).toBe(200)
  await vi.waitFor(async () => {
    const { body } = await org.get(`/signatures/pushes/${answer.body.data.push_id}`)
    expect(body.data.status).toBe('installed')
  }, patience)
}

test('what somebody pushes waits neither for a rollout at a Gmail that does not answer, nor for another org’s', async () => {
  const gate = Promise.withResolvers<void>()
  standIn.until = gate.promise
  const { org, counts } = await newOrgInRollout(40)
  try {
    await installed(org, await newMailbox(org, 'sandbox', 'single@example.com', await newTemplate(org)))
    const other = await app.newOrg()
    await installed(other, await newMailbox(other, 'sandbox', 'single@example.com', await newTemplate(other)))
    // Nothing is taken that has to wait for another mailbox's turn.
    const { compiling, installing, queued } = await counts()
    expect(compiling + installing).toBeLessThanOrEqual(8)
    expect(queued).toBeGreaterThanOrEqual(32)
  } finally {
    gate.resolve()
  }
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ installed: 40 }), patience)
})

test('what comes of six orgs whose Gmail does not answer keeps a seventh waiting for nothing', async () => {
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
