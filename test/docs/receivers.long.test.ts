import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signWebhook } from '../../sdk/src/webhooks.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp, startTestApp } from '../support/app.ts'
import { pageNamed } from '../support/markdown.ts'
import { freePort } from '../support/own-postgres.ts'
import { Child, cleanUp, fileNamed } from '../support/processes.ts'
import { withOwnSdk } from './programs.ts'

const page = 'docs/guides/receive-webhooks.md'
const [creation = '', ...receivers] = pageNamed(page)
  .blocks.filter(({ language }) => language === 'ts')
  .map(({ text }) => text)

afterAll(cleanUp)

/** Starts a program of the page. Its file must be in the project, to find its packages. */
function start(name: string, program: string, env: Record<string, string>): Child {
  const file = fileNamed(`${name}.ts`)
  const found = withOwnSdk(program).replaceAll(
    /from '(express|fastify|hono|@hono\/node-server|standardwebhooks)'/gi,
    (_, packageName: string) => `from '${import.meta.resolve(packageName.toLowerCase())}'`,
  )
  writeFileSync(file, found)
  return new Child(relative(projectRoot, file), [], env)
}

test(`${page} creates an endpoint and prints its secret`, async () => {
  const app = await sharedTestApp()
  const org = await app.newOrg()
  const env = { CROSSWALK_URL: app.address, CROSSWALK_API_KEY: org.token! }
  const { stdout } = await start('creation', creation, env).ended
  expect(stdout).toMatch(/^[\da-f-]{36} whsec_\S{44}\n$/)
  expect((await org.get('/webhooks/endpoints')).body.pagination.total).toBe(1)
  await app.close()
})

test('the message in docs/reference/webhooks.md has the fields of a real message', async () => {
  const app = await sharedTestApp()
  const org = await app.newOrg()
  const { cursor } = (await org.get('/events/feed')).body.data
  const { contact_id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  await org.patch(`/contacts/${contact_id}`, { city: 'London' })
  const { body } = await org.get(`/events/feed?cursor=${cursor}&types=contact.updated&include=object`)
  const [sent] = body.data.events
  const shown = JSON.parse(pageNamed('docs/reference/webhooks.md').blocks[0]!.text)
  expect(Object.keys(shown)).toEqual(Object.keys(sent))
  expect(Object.keys(shown.data)).toEqual(Object.keys(sent.data))
  expect(sent).toMatchObject({ type: shown.type, mode: shown.mode, changed: shown.changed })
  expect(sent.data.object).toMatchObject({ contact_id, version: expect.any(Number) })
  await app.close()
})

test(`a receiver of ${page} accepts Crosswalk’s requests, even during a rotation, and refuses requests with another secret`, async () => {
  const app = await startTestApp({ outboundAllowPrivate: true })
  const org = await app.newOrg()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/`
  const { endpoint_id, secret } = (await org.post('/webhooks/endpoints', { url, types: ['*'] })).body.data
  const receiver = start('real', receivers[0]!, { PORT: port, CROSSWALK_WEBHOOK_SECRET: secret })
  const path = `/webhooks/endpoints/${endpoint_id}`
  const send = async () => (await org.post(`${path}/test`, { type: 'deal.closed' })).body.data.status
  await expect.poll(send, { timeout: 20_000, interval: 50 }).toBe(204)
  expect((await org.post(`${path}/rotate-secret`)).status).toBe(200)
  expect(await send()).toBe(204)
  const other = (await org.post('/webhooks/endpoints', { url, types: ['*'] })).body.data.endpoint_id
  const forged = await org.post(`/webhooks/endpoints/${other}/test`, { type: 'deal.closed' })
  expect(forged.body.data.status).toBe(400)
  receiver.kill('SIGKILL')
  expect((await receiver.ended).stdout).toContain('deal.closed')
  await app.close()
})

test.each(
  receivers.map((program) => [
    (/from '(standardwebhooks)'/.exec(program) ??
      /from '(node:http|express|fastify|hono)'/.exec(program))![1]!,
    program,
  ]),
)(
  `the receiver with %s of ${page} accepts a signed event, and refuses a forged one`,
  async (name, program) => {
    const port = String(await freePort())
    const secret = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`
    const receiver = start(name.replaceAll(/\W/g, '-'), program, {
      PORT: port,
      CROSSWALK_WEBHOOK_SECRET: secret,
    })
    const body = JSON.stringify({ type: 'deal.closed', event_id: 'x', data: { object: null } })
    const send = async (signed: string) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...(await signWebhook(signed, secret, { id: 'x' })) },
      }).then(
        ({ status }) => status,
        () => null,
      )
    await expect.poll(() => send(body), { timeout: 20_000, interval: 50 }).toBe(204)
    expect(await send(`${body} `)).toBe(400)
    receiver.kill('SIGKILL')
    expect((await receiver.ended).stdout).toContain('deal.closed')
  },
)
