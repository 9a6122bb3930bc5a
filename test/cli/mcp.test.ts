import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'
import { compiled } from '../support/run/compiled.ts'

const app = await sharedTestApp()
let org: TestOrg
beforeAll(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const info = { name: 'test', version: '1.0.0' }
const program = () => ({
  command: process.execPath,
  args: [join(projectRoot, 'cli/src/main.ts'), 'mcp'],
  env: { ...settingsOf(org), PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled },
})

async function modern() {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport(program()))
  return client
}
async function legacy() {
  const client = new OldClient(info)
  await client.connect(new OldTransport(program()) as never)
  return client
}

describe.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
])('a host of %s that starts crosswalk mcp', (version, connect) => {
  test('a host that starts crosswalk mcp lists the tools, saves a contact, and finds it', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('save_contacts')
    const email = `ada-${version}@example.com`
    const items = [{ email, first_name: 'Zoë' }]
    const saved = await client.callTool({ name: 'save_contacts', arguments: { items } })
    expect(saved.structuredContent).toMatchObject({ items: [{ outcome: 'created' }] })
    const search = { name: 'list_records', arguments: { entity_type: 'contact', email } }
    const found = await Promise.all([client.callTool(search), client.callTool(search)])
    for (const { structuredContent } of found)
      expect(structuredContent).toMatchObject({ total: 1, records: [{ first_name: 'Zoë' }] })
    await client.close()
  })
})

test('crosswalk mcp answers an invalid line, and a refused key, with an error', async () => {
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}'
  const noise = await runCrosswalk(['mcp'], { env: settingsOf(org), stdin: `hello\n\n${ping}\n` })
  const [fault, pong] = noise.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([noise.code, fault.error.code, pong]).toEqual([0, -32700, { jsonrpc: '2.0', id: 7, result: {} }])
  const env = { ...settingsOf(org), CROSSWALK_API_KEY: `svc_live_${'k'.repeat(40)}` }
  const refused = await runCrosswalk(['mcp'], { env, stdin: `${ping}\n` })
  expect(JSON.parse(refused.stdout)).toMatchObject({ id: 7, error: { code: -32001 } })
  expect((await runCrosswalk(['mcp'], { stdin: ping })).code).toBe(4)
})
