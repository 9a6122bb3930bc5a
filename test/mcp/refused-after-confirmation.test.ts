import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../src/mcp/catalog.ts'
import { runTool, type ToolOutcome } from '../../src/mcp/run-tool.ts'
import type { CallEndpoint } from '../../src/mcp/tool.ts'
import type { Caller } from '../../src/platform/caller.ts'
import { tooMany } from '../../src/platform/domain-error.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
})
afterAll(() => app.close())

const callerOf = ({ orgId, apiKeyId }: TestOrg): Caller => ({
  ...{ apiKeyId, memberId: null, sessionId: null, name: 'Key', mode: 'test', reachesClients: false },
  ...{ homeOrgId: orgId, payerId: orgId, orgId, permissions: null },
})

/** A host that asks for a push to a CRM. The population, and whether the rate limit refuses the push, can change. */
function newHost() {
  const host = { population: 2, isLimited: false, pushed: 0 }
  const call = (async (name: string) => {
    if (name !== 'push_crm_leads')
      return { data: { name: 'Hub', count: host.population, would_create: 0, would_update: 0 } }
    if (host.isLimited) throw tooMany('rate_limit_exceeded', 'Too many requests.', { retryAfterSeconds: 1 })
    host.pushed += host.population
    return { data: { pushed: host.population } }
  }) as CallEndpoint
  const { database, orgTokens } = app.app.context
  const caller = callerOf(org)
  const parts = { ...{ caller, orgTokens, call }, consoleUrl: '', asking: { answered: null } }
  const push = tools.find(({ name }) => name === 'push_to_crm')!
  const args = { kind: 'leads', connection_id: 'any', filter: { tag: crypto.randomUUID() } }
  const send = (confirm_token?: string): Promise<ToolOutcome> =>
    runTool(push, { ...args, confirm_token }, { ...parts, org: database.org(org.orgId, caller) })
  return { host, send }
}

async function confirmTokenOf(asked: Promise<ToolOutcome>): Promise<string> {
  const outcome = await asked
  return 'confirmationRequest' in outcome ? outcome.confirmationRequest.confirmToken : ''
}

test('a confirmed call that was refused needs the same question when it is sent again', async () => {
  const { host, send } = newHost()
  const token = await confirmTokenOf(send())
  host.isLimited = true
  await expect(send(token)).rejects.toThrow('Too many requests')
  Object.assign(host, { isLimited: false, population: 5_000 })
  await expect(send(token)).rejects.toThrow('the effect has changed since the confirmation')
  expect(host.pushed).toBe(0)
  host.population = 2
  expect(await send(token)).toEqual({ result: { pushed: 2 } })
})

test('a confirmed call that ran is only repeated, even if its question has changed', async () => {
  const { host, send } = newHost()
  const token = await confirmTokenOf(send())
  await send(token)
  host.population = 3
  expect(await send(token)).toEqual({ result: { pushed: 3 } })
})
