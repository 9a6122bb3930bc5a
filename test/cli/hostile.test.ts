import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type CommandOptions, runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'

const token = `svc_live_${'k'.repeat(40)}`
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const runAt = (address: string, args: string[], options: CommandOptions = {}) =>
  runCrosswalk(args, { ...options, env: settingsOf({ address, token }) })

describe('a server that is not Crosswalk, or lies', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirect with %i to another server is refused, and the API key is sent nowhere else',
    async (status) => {
      const asked: unknown[] = []
      const other = await serve((incoming, outgoing) => {
        asked.push(incoming.headers)
        outgoing.end('{}')
      })
      const address = await serve((_, outgoing) => {
        outgoing.writeHead(status, { location: `${other}/api/v1/organization` }).end()
      })
      for (const args of [
        ['whoami'],
        ['api', 'GET', '/organization'],
        ['contacts', 'list'],
        ['contacts', 'create', '--email', 'a@example.com'],
        ['voice', 'suppressions', 'export'],
        ['mcp'],
      ]) {
        const { stdout, stderr } = await runAt(address, args, {
          stdin: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        })
        expect(stdout + stderr, args.join(' ')).toMatch(new RegExp(`redirect|${status}`))
      }
      expect(asked).toEqual([])
    },
  )

  test.each<[name: string, args: string[]]>([
    ['a list', ['contacts', 'list']],
    ['an object', ['whoami']],
    ['a raw request', ['api', 'GET', '/contacts']],
    ['a file', ['voice', 'suppressions', 'export']],
  ])('%s with an HTML page as the answer ends with an error that has no stack', async (_, args) => {
    const address = await serve((_, outgoing) => {
      outgoing
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Sign in to the Wi-Fi\u001b[2J</html>')
    })
    const { code, stderr, stdout } = await runAt(address, args, { terminal: ['stdout', 'stderr'] })
    expect(stdout + stderr).not.toContain('\u001b[2J')
    expect(stderr).not.toMatch(/^\s+at /m)
    if (args[0] !== 'api') expect([code, stderr]).toEqual([1, expect.stringContaining('check the')])
  })

  test('crosswalk api prints an answer unchanged that claims to be JSON, but is not', async () => {
    const address = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"data": \u001b[31m')
    })
    const { code, stdout, stderr } = await runAt(address, ['api', 'GET', '/contacts'])
    expect([code, stdout, stderr]).toEqual([0, '{"data": \\u001b[31m', ''])
  })

  test.each<[name: string, args: string[]]>([
    ['a file', ['voice', 'suppressions', 'export']],
    ['a raw request', ['api', 'GET', '/contacts']],
  ])('%s whose connection breaks ends with 75', async (_, args) => {
    const type = args[0] === 'api' ? 'application/json' : 'text/csv'
    const address = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': type, 'content-length': '100' }).write('number')
      setTimeout(() => outgoing.destroy(), 20)
    })
    const { code, stderr } = await runAt(address, args)
    expect([code, stderr]).toEqual([75, expect.stringMatching(/^crosswalk: .*[Tt]he answer is cut off/)])
  })

  test('every text of the server is shown without its control characters', async () => {
    const evil = '\u001b]0;title\u0007\u009b2J\r\u202e'
    const seen = async (answer: object, status: number, args: string[]) => {
      const address = await serve((_, outgoing) => {
        outgoing.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r' })
        outgoing.end(JSON.stringify(answer))
      })
      const ended = await runAt(address, args, { terminal: ['stdout', 'stderr'], columns: 80 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
      expect(ended.stdout + ended.stderr, args.join(' ')).not.toMatch(/\u001b\]|\u0007|\u009b|\r|\u202e/)
      expect(ended.stdout + ended.stderr).toContain('\\u001b]0')
    }
    const org = { org_id: evil, name: evil }
    const answered = { org, mode: evil, acting_on: org, key: { name: evil }, permissions: [evil] }
    await seen({ data: answered }, 200, ['whoami'])
    await seen({ data: answered }, 200, ['whoami', '-o', 'csv'])
    await seen({ data: answered }, 200, ['organization', 'get', '-o', 'json'])
    await seen({ detail: evil, code: evil }, 400, ['whoami'])
    await seen({ detail: [{ loc: ['body', evil], msg: evil }] }, 422, ['contacts', 'create'])
    await seen({ data: [{ [evil]: evil }], pagination: { has_next: false, total: 1 } }, 200, [
      'contacts',
      'list',
    ])
    await seen({ data: [{ [evil]: evil, contact_id: evil }], pagination: {} }, 200, [
      'contacts',
      'list',
      '-o',
      'id',
    ])
    await seen({ data: { fields: [{ name: evil }], [evil]: evil } }, 200, ['fields', 'list'])
    const call = { to_number: evil, from_number: evil, provider: evil, mode: evil }
    await seen(call, 200, ['calls', 'place', '+12025550100'])
    const connection = { connection_id: evil, name: evil, provider: evil }
    await seen({ data: [connection, connection], pagination: { has_next: false } }, 200, ['push', 'leads'])
    await seen({ data: [{ type: evil, sample: { text: evil } }] }, 200, ['trigger', evil])
  })
})
