import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClient } from '../support/app.ts'
import { type Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { expectWithin } from '../support/within.ts'

type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
}

const texts: string[] = []
const spans: Sent[] = []
/** A receiver of OTLP over HTTP, as JSON. */
const collector = createServer(async (request, response) => {
  const text = Buffer.concat(await Array.fromAsync(request)).toString()
  texts.push(text)
  const { resourceSpans = [] } = request.url === '/v1/traces' ? JSON.parse(text) : {}
  for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans)
  response.setHeader('content-type', 'application/json').end('{}')
})

let server: Child
let client: TestClient
let token: string

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const installation = { DATA_DIR: newDataDir() }
  server = startServer({
    ...{ ...installation, DEMO: '0', OUTBOUND_ALLOW_PRIVATE: '1', LOG_LEVEL: 'warn' },
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    ...{ OTEL_TRACES_SAMPLER_ARG: '0', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' },
  })
  const [, address] = await server.says(/is ready at (http\S+)/)
  token = JSON.parse((await command('orgs create Acme --json', installation)).stdout).api_key_token
  client = new TestClient(address!, token)
})
afterAll(async () => {
  await cleanUp()
  collector.close()
})

test('one trace has a request, its job, the webhook of its event, and their transactions, without personal data', async () => {
  const receiver = await startReceiver()
  const endpoint = { url: receiver.url, types: ['import.finished'] }
  const { body } = await client.post('/webhooks/endpoints', endpoint)
  receiver.secrets.push(body.data.secret)

  const [traceId, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  const headers = { traceparent: `00-${traceId}-${caller}-01`, 'content-type': 'text/csv' }
  const file = 'email,first name\nada@example.com,Ada\n'
  const imported = await client.send('POST', '/contacts/imports', { headers, raw: file })
  expect(imported.status).toBe(202)
  await expectWithin(60_000, () => receiver.requests.length, 1)
  receiver.close()
  expect(receiver.badSignatures).toBe(0)
  // The sampler records none of these, because their callers record nothing.
  for (const path of ['/contacts', '/readyz']) await client.get(path)
  server.kill('SIGTERM')
  await server.ended

  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const named = (name: string) => spans.find((span) => span.name === name)!
  const request = named('POST /contacts/imports')
  const job = named('job import_records')
  const webhook = named('POST webhook')
  expect(request).toMatchObject({ kind: 2, parentSpanId: caller })
  const attributes = Object.fromEntries(
    request.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  )
  expect(attributes).toEqual({
    ...{ 'http.request.method': 'POST', 'http.route': '/contacts/imports' },
    ...{ 'http.response.status_code': 202, 'crosswalk.request_id': expect.stringMatching(/^[\w-]{36}$/) },
    'crosswalk.org_id': expect.stringMatching(/^[\w-]{36}$/),
  })
  const parentOf = ({ parentSpanId }: Sent) => spans.find(({ spanId }) => spanId === parentSpanId)
  const ancestorsOf = (span: Sent): string[] => {
    const parent = parentOf(span)
    return parent ? [parent.name, ...ancestorsOf(parent)] : []
  }
  expect(ancestorsOf(job)).toEqual(['postgresql transaction', 'POST /contacts/imports'])
  expect(ancestorsOf(webhook)).toEqual([
    ...['postgresql transaction', 'job import_records'],
    ...['postgresql transaction', 'POST /contacts/imports'],
  ])
  expect(receiver.requests[0]!.headers.traceparent).toBe(`00-${traceId}-${webhook.spanId}-01`)
  expect(texts.join()).toContain('deployment.environment.name')
  for (const secret of [token, 'ada@example.com', 'Ada', receiver.url, '/hook', body.data.secret])
    expect(texts.join()).not.toContain(secret)
})

test('a receiver that does not answer does not keep the server from stopping in time', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const installation = { DATA_DIR: newDataDir(), DEMO: '0' }
  const traced = startServer({
    ...{ ...installation, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  })
  const [, address] = await traced.says(/is ready at (http\S+)/)
  await new TestClient(address!, 'none').get('/contacts')
  const sent = once(silent, 'request')
  traced.kill('SIGTERM')
  await sent
  const { code, stderr } = await traced.ended
  silent.close()
  silent.closeAllConnections()
  expect([code, stderr]).toEqual([0, expect.stringMatching(/"msg":"stopped"\}\n$/)])
  // A protocol that is not used is named.
  expect(stderr).toContain(
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not used: traces are sent as http/json over HTTP.',
  )
})
