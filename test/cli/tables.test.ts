import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectLines } from '../../cli/src/output/object.ts'
import type { Style } from '../../cli/src/output/style.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { type CommandOptions, runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
let org: TestOrg
beforeAll(async () => {
  org = await app.newOrg()
})
const onTerminal = { terminal: ['stdout', 'stderr'] } as const
const run = (args: string[], options: CommandOptions = onTerminal) =>
  runCrosswalk(args, { ...options, env: { ...settingsOf(org), NO_COLOR: '1', ...options.env } })

describe('an answer that is a list without pages', () => {
  test('a list without pages is a table of its items on a terminal', async () => {
    const { stdout, stderr } = await run(['deals', 'close-reasons', 'list'])
    expect(stdout).toMatch(/^close_reason_id {23}label .*\n[0-9a-f-]{36} {2}Good fit/)
    expect(stderr).toMatch(/^can_manage: true$/m)
    expect(stdout).not.toContain('{')
  })

  test('a list without pages and without items says that there are none', async () => {
    const { stdout, stderr } = await run(['fields', 'list'])
    expect([stdout, stderr]).toEqual(['', 'There are none.\ncan_manage: true\n'])
  })

  test('a list without pages has a line for each item in CSV, JSON lines and ids', async () => {
    const printed = async (format: string) =>
      (await run(['api-keys', 'list', '-o', format, '--columns', 'name'], {})).stdout.trimEnd().split('\n')
    const [id, ...others] = await printed('id')
    expect([others, id]).toEqual([[], expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(JSON.parse((await printed('jsonl'))[0] ?? '')).toMatchObject({ api_key_id: id })
    expect((await printed('csv'))[0]).toBe('name')
  })
})

test('a column can be a field of an object', async () => {
  await org.post('/contacts', { first_name: 'Ada', custom: { plan: 'pro' } })
  const args = ['contacts', 'list', '--columns', 'first_name,custom.plan']
  expect((await run([...args, '-o', 'csv'])).stdout).toBe('first_name,custom.plan\nAda,pro\n')
  expect((await run(args)).stdout).toBe('first_name  custom.plan\nAda         pro\n')
})

test('CSV on a terminal shows control characters as text', async () => {
  const own = await app.newOrg()
  await own.post('/contacts', { first_name: '\u001b[31mred' })
  const args = ['contacts', 'list', '-o', 'csv', '--columns', 'first_name']
  const { stdout } = await run(args, { ...onTerminal, env: settingsOf(own) })
  expect(stdout).toBe('first_name\n\\u001b[31mred\n')
})

test('a message on a terminal breaks between words', async () => {
  const { stderr } = await run(['contacts', 'create', '--email', 'nonsense'], { ...onTerminal, columns: 60 })
  expect(stderr.split('\n').length).toBeGreaterThan(3)
  for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
})

test('the error for an address of another program names the flag for the address', async () => {
  const { code, stderr } = await run(['whoami', '--base-url', `${app.address}/docs`])
  expect([code, stderr]).toEqual([5, expect.stringMatching(/check the base URL/)])
})

describe('an object on a terminal', () => {
  const plain = (text: string) => text
  const style: Style = {
    ...{ bold: plain, dim: plain, red: plain, green: plain },
    ...{ isPlain: false, isTerminal: true, width: 40 },
  }

  test('an object has a line for each field, also for the fields of its deep objects', () => {
    const value = {
      type: 'deal.closed',
      data: { object: { name: 'Acme', custom: { plan: 'pro' } }, details: {} },
    }
    expect(objectLines(value, style, null)).toEqual([
      'type                deal.closed',
      'data.object.name    Acme',
      'data.object.custom  plan: pro',
      'data.details        –',
    ])
  })

  test('an object shows a long value in lines that begin at the same column', () => {
    expect(objectLines({ text: 'one two three four five six seven eight' }, style, null)).toEqual([
      'text  one two three four five six seven',
      '      eight',
    ])
  })

  test('a list of objects in an object is a table below the fields of the object', () => {
    expect(objectLines({ rows: [{ name: 'a', more: [{ n: 1 }, { n: 2 }] }], count: 1 }, style, null)).toEqual(
      ['count  1', '', 'rows:', 'name  more', 'a     n: 1; n: 2'],
    )
  })

  test('a plain terminal has a line of text for each field', () => {
    expect(objectLines({ a: { b: { c: 1 } }, d: null }, { ...style, isPlain: true }, null)).toEqual([
      'a.b: c: 1',
      'd: none',
    ])
  })
})

test.each([
  [['contacts', 'batch', '--data', '{"items":[{"first_name":"Ada"},{"email":"no address"}]}'], 'failed'],
  [['voice', 'suppressions', 'import', '--data', '{"suppressions":[{"number":"no number"}]}'], 'refusals'],
])(
  'crosswalk %j prints the result, and ends with the exit code 1 for an item that failed',
  async (args, printed) => {
    const { code, stdout } = await run(args, {})
    expect([code, stdout]).toEqual([1, expect.stringContaining(printed)])
  },
)

test.each([
  [['webhooks', 'endpoints', 'test', 'any', '--type', 'deal.closed'], { outcome: 'failed' }, 1],
  [['webhooks', 'endpoints', 'test', 'any', '--type', 'deal.closed'], { outcome: 'delivered' }, 0],
  [['crm', 'connections', 'test', 'any'], { works: false }, 1],
  [['crm', 'connections', 'test', 'any'], { works: true }, 0],
])('if the answer to crosswalk %j is %j, the exit code is %i', async (args, data, expected) => {
  const server = createServer((_request, answer) =>
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ data, pagination: null })),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const CROSSWALK_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code } = await run(args, { env: { CROSSWALK_URL } })
  server.close()
  expect(code).toBe(expected)
})
