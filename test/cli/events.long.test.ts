import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
type Received = { headers: IncomingHttpHeaders; body: string; at: number }
const received: Received[] = []
const receiver = createServer((incoming, outgoing) => {
  let body = ''
  incoming.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  incoming.on('end', () => {
    received.push({ headers: incoming.headers, body, at: Date.now() })
    outgoing.end()
  })
}).listen(0, '127.0.0.1')
const port = () => (receiver.address() as AddressInfo).port
const home = mkdtempSync(join(tmpdir(), 'crosswalk-events-'))
const env = () => ({ ...settingsOf(org), XDG_CONFIG_HOME: home })

beforeAll(async () => {
  app = await startTestApp()
  org = await app.newOrg()
})
afterAll(async () => {
  receiver.close()
  receiver.closeAllConnections()
  await app.close()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const create = (first_name: string) => org.post('/contacts', { first_name })
const namesReceived = () => received.map(({ body }) => JSON.parse(body).data.object.first_name)
const typesReceived = () => received.map(({ body }) => JSON.parse(body).type)

test('listen posts each event within 500 ms, signed so that a webhook library accepts it', async () => {
  received.length = 0
  const stop = new AbortController()
  const args = ['listen', '--forward-to', `127.0.0.1:${port()}/hook`, '--types', 'contact.*']
  const listening = runCrosswalk(args, { env: env(), signal: stop.signal })
  // The feed begins with the first request of the command.
  await vi.waitFor(async () => {
    await create('Ada')
    expect(received.length).toBeGreaterThan(0)
  }, patience)
  const waits: number[] = []
  for (const name of ['Grace', 'Linus', 'Margaret']) {
    const startedAt = Date.now()
    await create(name)
    await vi.waitFor(() => expect(namesReceived()).toContain(name), { ...patience, interval: 5 })
    waits.push(received[namesReceived().indexOf(name)]!.at - startedAt)
  }
  expect(Math.min(...waits)).toBeLessThan(500)
  stop.abort()
  const { code, stdout, stderr } = await listening
  expect(code).toBe(130)
  expect(stderr).toMatch(/To continue with the next event: --from \S+\n$/)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toContainEqual(expect.objectContaining({ type: 'contact.created', status: 200, error: null }))
  const secret = (await runCrosswalk(['listen', '--print-secret'], { env: env() })).stdout.trim()
  const { headers, body } = received[namesReceived().indexOf('Margaret')]!
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    data: { object: { first_name: 'Margaret' } },
  })
  expect(headers['crosswalk-attempt']).toMatch(/^[1-9]\d*$/)
  expect(stdout + stderr).not.toContain(secret)
})

test('listen begins at a given time, and misses no event during a restart of the server', async () => {
  await app.close({ leavesJobs: true })
  app = await startTestApp()
  org = await app.newOrg()
  const { address } = app
  const shared = { databaseUrl: app.databaseUrl }
  const first = await startTestApp({}, shared)
  const port2 = Number(new URL(first.address).port)
  received.length = 0
  const stop = new AbortController()
  const there = { ...settingsOf({ address: first.address, token: org.token }), XDG_CONFIG_HOME: home }
  const args = ['listen', '--forward-to', `127.0.0.1:${port()}`, '--types', 'contact.created', '--from', '1h']
  await create('Before')
  const listening = runCrosswalk(args, { env: there, signal: stop.signal })
  await vi.waitFor(() => expect(typesReceived()).toEqual(['contact.created']), patience)
  await first.close()
  for (let number = 0; number < 20; number++) await create(`During ${number}`)
  const second = await startTestApp({ port: port2 }, shared)
  await create('After')
  await vi.waitFor(() => expect(received).toHaveLength(22), patience)
  stop.abort()
  expect((await listening).code).toBe(130)
  await second.close()
  expect(namesReceived()).toEqual(['Before', ...Array.from({ length: 20 }, (_, n) => `During ${n}`), 'After'])
  expect(address).toBe(app.address)
})

test('listen on a terminal shows an event at once, even if nothing listens at the address', async () => {
  await create('Unheard')
  const nobody = await freePort()
  const args = ['listen', '--forward-to', String(nobody), '--types', 'contact.created', '--from', '1h']
  const stopped = { env: env(), stopsAt: /--> contact\.created \S+\n/, terminal: ['stdout' as const] }
  const { stdout, stderr } = await runCrosswalk(args, stopped)
  expect(stderr).toContain(`for http://localhost:${nobody}.`)
  const [, ms] = stdout.match(/<-- \S+ (\d+) ms\n/) ?? []
  expect(Number(ms)).toBeLessThan(5000)
})

test('events tail prints a line of JSON for each event', async () => {
  const args = ['events', 'tail', '--types', 'contact.created', '--from', '1h', '--objects']
  const { code, stdout } = await runCrosswalk(args, { env: env(), stopsAt: /"After".*\n/ })
  expect(code).toBe(130)
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({ type: 'contact.created', cursor: expect.any(String) })
  expect(events.at(-1).data.object.first_name).toBe('After')
})

test('with a start time, events tail gives each event a cursor after which a reader misses no later event', async () => {
  const args = ['events', 'tail', '--types', 'contact.created', '-o', 'jsonl']
  const from = (begin: string, end: RegExp) =>
    runCrosswalk([...args, '--objects', '--from', begin], { env: env(), stopsAt: end })
  const eventsOf = ({ stdout }: { stdout: string }) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const all = eventsOf(await from('1h', /"After".*\n/))
  const second = all.findIndex(({ data }) => data.object.first_name === 'During 0')
  await create('End')
  const later = eventsOf(await from(all[second].cursor, /"End".*\n/))
  expect(later.map(({ event_id }) => event_id)).toEqual(
    expect.arrayContaining(all.slice(second + 1).map(({ event_id }) => event_id)),
  )
})

test('events tail on a terminal prints the chosen fields of each event whole', async () => {
  const args = ['events', 'tail', '--from', '1h', '--columns', 'data.object_type,type']
  const tailing = runCrosswalk(args, { env: env(), stopsAt: /contact\.created\n/, terminal: ['stdout'] })
  expect((await tailing).stdout).toMatch(/^contact {2}contact\.created\n/m)
})

test('listen whose API key is deleted says where to continue', async () => {
  received.length = 0
  const { body } = await org.post('/api-keys', {
    name: 'Listener',
    permissions: ['contacts:read', 'events:read'],
  })
  const there = { ...settingsOf({ address: app.address, token: body.api_key_token }), XDG_CONFIG_HOME: home }
  const args = ['listen', '--forward-to', `127.0.0.1:${port()}`, '--types', 'contact.created', '--from', '1h']
  const listening = runCrosswalk(args, { env: there })
  await vi.waitFor(() => expect(namesReceived()).toContain('After'), patience)
  await org.delete(`/api-keys/${body.api_key_id}`)
  const { code, stderr } = await listening
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/--from \S+\ncrosswalk: This API key is not valid/),
  ])
})

test('the error for a cursor that is wrong names --from', async () => {
  const { code, stderr } = await runCrosswalk(['events', 'tail', '--from', 'yesterday'], { env: env() })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/--from: this cursor/)])
})

test('trigger sends the sample of a type, and webhooks verify checks its signature', async () => {
  received.length = 0
  const sent = await runCrosswalk(['trigger', 'deal.closed', '--forward-to', `127.0.0.1:${port()}`], {
    env: env(),
  })
  expect([sent.code, sent.stdout]).toEqual([0, ''])
  expect(sent.stderr).toMatch(/^--> deal\.closed \S+ to http:\/\/\S+\n<-- 200 \d+ ms\n$/)
  const { headers, body } = received[0]!
  const file = join(home, 'headers.txt')
  writeFileSync(
    file,
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  )
  const verify = (stdin: string) =>
    runCrosswalk(['webhooks', 'verify', '--headers', file], { env: env(), stdin })
  const valid = await verify(body)
  expect([valid.code, JSON.parse(valid.stdout).type]).toEqual([0, 'deal.closed'])
  const changed = await verify(body.replace('deal.closed', 'deal.opened'))
  expect([changed.code, changed.stdout]).toEqual([1, ''])
  const ageless = ['webhooks', 'verify', '--headers', file, '--max-age=']
  expect((await runCrosswalk(ageless, { env: env(), stdin: body })).code).toBe(2)
  const bare = await runCrosswalk(['webhooks', 'verify'], { env: env(), stdin: body })
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringMatching(/--headers headers\.txt/)])
  const elsewhere = { ...settingsOf(org), XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'crosswalk-none-')) }
  const secretless = await runCrosswalk(['webhooks', 'verify', '--headers', file], {
    env: elsewhere,
    stdin: body,
  })
  expect([secretless.code, secretless.stderr]).toEqual([2, expect.stringMatching(/CROSSWALK_WEBHOOK_SECRET/)])
  const unknown = await runCrosswalk(['trigger', 'deal.close'], { env: env() })
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/Did you mean deal\.closed\?/)])
  const printed = await runCrosswalk(['trigger', 'deal.closed'], { env: env() })
  expect(JSON.parse(printed.stdout)).toMatchObject({ type: 'deal.closed' })
})

test('the error of trigger says that no program listens at the address', async () => {
  const args = ['trigger', 'deal.closed', '--forward-to', `127.0.0.1:${await freePort()}`]
  const refused = await runCrosswalk(args, { env: env() })
  expect(refused.stderr).toMatch(/<-- ECONNREFUSED/)
})
