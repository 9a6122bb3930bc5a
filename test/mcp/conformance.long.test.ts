import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveTools } from '../../src/mcp/route.ts'
import type { Caller } from '../../src/platform/caller.ts'
import { createServer } from '../../src/platform/http/server.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connectInBrowser } from '../support/connect-app.ts'
import { type Check, runConformance, startCredentialProxy } from '../support/mcp/conformance.ts'
import { createFixtureServer } from '../support/mcp/fixture-server.ts'
import { newMember } from '../support/members.ts'
import { freePort } from '../support/own-postgres.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
})
afterAll(() => app.close())

/** Scenarios that the suite itself does not score: extensions, and scenarios that are not final. */
const unscored = /^tasks-|^json-schema-2020-12|^http-custom-header|^server-sse-polling|^server-session/

/** The scenarios that fail without sessions, by version. Each needs a connection that outlives a request. */
const impossible: Readonly<Record<string, readonly string[]>> = {
  // subscriptions/listen keeps a stream open and sends changes of lists.
  '2026-07-28': ['sep-2575-server-sends-subscription-ack', 'sep-2575-server-tags-subscription-id'],
  // In the older version, the server sends requests to the client, and remembers log levels and subscriptions.
  '2025-11-25': [
    'elicitation-sep1034-general',
    'elicitation-sep1330-general',
    'logging-set-level',
    'resources-subscribe',
    'resources-unsubscribe',
    'tools-call-elicitation',
    'tools-call-sampling',
    'tools-call-with-logging',
  ],
}

const failedIn = (checks: readonly Check[]) =>
  checks
    .filter(({ scenario, status }) => status === 'FAILURE' && !unscored.test(scenario))
    .map(({ id }) => id)
    .toSorted()

/** Serves the fixtures through the route of the tool server. */
async function startFixtures() {
  const { orgId, apiKeyId } = org
  const caller: Caller = {
    ...{ apiKeyId, memberId: null, sessionId: null, name: 'Fixtures', mode: 'live', permissions: null },
    ...{ orgId, homeOrgId: orgId, payerId: orgId, reachesClients: false },
  }
  const answerKeyed = () => Promise.reject(new Error('no fixture calls an endpoint'))
  const server = createServer({
    ...{ endpoints: [], context: app.app.context, gate: () => caller, requirePermission: () => {} },
    ...{ onAnswer: () => {}, answerKeyed },
    requireRights: async () => {},
    publicRoutes: (fastify) =>
      serveTools(fastify, {
        ...{ context: app.app.context, endpoints: [], createServer: createFixtureServer },
        admit: async () => ({
          caller,
          spend: () => Promise.reject(new Error('no fixture calls an endpoint')),
        }),
        invoker: () => answerKeyed,
      }),
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => server.close() }
}

const scenarioNames = (checks: readonly Check[]) => new Set(checks.map(({ scenario }) => scenario))

describe.each(['2026-07-28', '2025-11-25'])('the conformance suite of %s', (version) => {
  test('the conformance suite passes on the route with its fixtures, except scenarios that need sessions', async () => {
    const fixtures = await startFixtures()
    const checks = await runConformance(['server', '--url', fixtures.url, '--requirements', version])
    await fixtures.close()
    expect(failedIn(checks)).toEqual(impossible[version])
    expect(scenarioNames(checks)).toContain('tools-call-mixed-content')
  })

  test('the conformance suite passes on the tool server, in all scenarios without fixtures', async () => {
    const proxy = await startCredentialProxy(app.address, org.token ?? '')
    const checks = await runConformance(['server', '--url', proxy.url, '--requirements', version])
    await proxy.close()
    const own = checks.filter(({ scenario }) => withoutFixtures.includes(scenario))
    expect(failedIn(own)).toEqual([])
    for (const scenario of ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'])
      expect(scenarioNames(own)).toContain(scenario)
  })
})

const withoutFixtures = [
  ...['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'caching'],
  ...['sep-2164-resource-not-found', 'dns-rebinding-protection', 'http-header-validation'],
  'input-required-result-unsupported-methods',
]

test('the conformance suite of authorization servers passes, with a person who gives consent', async () => {
  const browser = await newMember(app, org.orgId, 'member')
  const port = await freePort()
  const registered = await fetch(`${app.address}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  const { client_id } = await registered.json()
  const allowed: Promise<unknown>[] = []
  const checks = await runConformance(
    [
      ...['authorization', '--url', app.address, '--client-id', client_id, '--port', String(port)],
      ...['--resource', `${app.address}/mcp`],
    ],
    (line) => {
      if (!line.includes('/oauth/authorize?')) return
      allowed.push(connectInBrowser(browser, line.trim()).then((back) => fetch(back)))
    },
  )
  await Promise.all(allowed)
  expect(allowed).toHaveLength(1)
  expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([])
  expect(checks.map(({ status }) => status)).not.toContain('SKIPPED')
  expect(scenarioNames(checks).size).toBe(2)
})
