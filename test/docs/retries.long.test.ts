import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp } from '../support/app.ts'
import { pageNamed } from '../support/markdown.ts'
import { Child, cleanUp, fileNamed } from '../support/processes.ts'

const app = await sharedTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

/**
 * The function and the example of docs/guides/errors-and-retries.md, as a program that prints its waits and does not
 * wait.
 */
function guideProgram(): string {
  const blocks = pageNamed('docs/guides/errors-and-retries.md').blocks.filter(
    ({ language }) => language === 'js',
  )
  expect(blocks).toHaveLength(2)
  const program = blocks.map((block) => block.text).join('\n')
  const script = program.replace(
    `import { setTimeout as pause } from 'node:timers/promises'`,
    `const pause = async (ms) => console.log('waits', ms)`,
  )
  expect(script).not.toBe(program)
  const file = fileNamed('retries.mjs')
  writeFileSync(file, script)
  return relative(projectRoot, file)
}

async function run(API: string, KEY: string): Promise<{ waits: number[]; printed: string }> {
  const { stdout, stderr } = await new Child(guideProgram(), [], { API, KEY }).ended
  const waits = [...stdout.matchAll(/^waits (.*)$/gm)].map(([, ms]) => Number(ms) / 1000)
  return { waits, printed: (stdout.replaceAll(/^waits .*\n/gm, '') + stderr).trim() }
}

type Refusal = [status: number, code?: string, retryAfter?: number]
const created: Refusal = [201]
const broken: Refusal = [0]

/** A server that answers with these statuses, one after another; 0 breaks the connection. */
async function startStub(answers: readonly Refusal[]) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) })
    const [status, code, retryAfter] = answers[requests.length - 1] ?? [599]
    if (status === 0) {
      request.socket.destroy()
      return
    }
    response.statusCode = status
    response.setHeader('content-type', 'application/json')
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    response.end(JSON.stringify(code ? { detail: code, code } : { data: { contact_id: 'c1' } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { requests, address: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const passing: Refusal = [503, 'server_busy', 2]

test.each<[string, Refusal[], number[], string]>([
  ['a broken connection is repeated after 1 s', [broken, created], [1], 'created c1'],
  ['a 429 is repeated after Retry-After', [[429, 'rate_limit_exceeded', 7], created], [7], 'created c1'],
  [
    'waits double',
    [[500, 'internal_error'], [502, 'call_refused'], [408, 'request_timeout'], created],
    [1, 2, 4],
    'created c1',
  ],
  ['a request that still runs is repeated', [[409, 'idempotency_key_in_use', 1], created], [1], 'created c1'],
  ['a temporary 409 is repeated', [[409, 'references_moving', 5], created], [5], 'created c1'],
  ['any other 409 is final', [[409, 'record_archived']], [], 'refused: record_archived'],
  ['a 422 is final', [[422, 'validation_failed']], [], 'refused: validation_failed'],
  ['the 8th answer is final', Array(8).fill(passing), [2, 2, 4, 8, 16, 32, 64], 'refused: server_busy'],
])('the client of docs/guides/errors-and-retries.md: %s', async (_title, answers, atLeast, expected) => {
  const stub = await startStub(answers)
  const { waits, printed } = await run(stub.address, 'key')
  stub.close()
  expect(printed).toBe(expected)
  expect(waits).toHaveLength(atLeast.length)
  for (const [index, seconds] of atLeast.entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(seconds)
    expect(waits[index]).toBeLessThanOrEqual(seconds * 1.25)
  }
  expect(stub.requests).toHaveLength(answers.length)
  expect(new Set(stub.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(new Set(stub.requests.map(({ body }) => body)).size).toBe(1)
})

test('the client of docs/guides/errors-and-retries.md creates a contact on a real server', async () => {
  const org = await app.newOrg()
  const { printed } = await run(`${org.address}/api/v1`, org.token ?? '')
  const { data } = (await org.get('/contacts')).body
  expect(data).toHaveLength(1)
  expect(printed).toBe(`created ${data[0].contact_id}`)
})
