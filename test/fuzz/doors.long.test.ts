import { afterAll, beforeAll, expect, test } from 'vitest'
import { chance, integer, pick, type Random, seededRandom } from '../../src/demo/random.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { newAddress } from '../support/new-address.ts'
import { type Door, doorsOf, newSessions } from './doors.ts'
import type { Draft } from './draft.ts'
import { jsonText } from './json-text.ts'
import { findLeak } from './leaks.ts'
import { spoilBody, spoilHeaders, spoilQuery } from './mutate.ts'
import { nastyText } from './nasty.ts'
import { asText, isPlain, type RawRequest, Unanswered, Wire } from './wire.ts'
import { World } from './world.ts'

// The requests of fuzz.test.ts go to the Developer API. These go to every other way in.
const seed = Number(process.env.FUZZ_SEED ?? 1)
const count = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 1_500) / 5)
const atOnce = 8

let app: TestApp
let world: World
let wire: Wire
let doors: Door[]
let sessions: Door['headers'][]
beforeAll(async () => {
  app = await startTestApp({ trustProxy: true })
  world = await World.create(app, app.address, 1)
  wire = new Wire(app.address)
  doors = await doorsOf(app, world.home)
  sessions = await newSessions(app, 12 + Math.ceil(count / 100))
}, 120_000)
afterAll(async () => {
  wire.close()
  await app.close({ leavesJobs: true })
})

function draftOf({ name, method, path, query, headers, body }: Door): Draft {
  const operation = { operationId: name, method, path, permission: [], parameters: [], responses: {} }
  return {
    operation: { ...operation, body: null },
    caller: world.callers[0]!,
    ...{ method, path: {}, query: [...query], headers: [...headers], done: [] },
    body: structuredClone(body),
  }
}

const isOfConsole = ({ path }: Door) => path.startsWith('/console/api')

/** @param number changes nothing if it is null */
function requestTo(one: Door, number: number | null): RawRequest {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul((number ?? 0) + 1, 0x85ebca6b))
  const draft = draftOf(one)
  if (isOfConsole(one)) draft.headers.push(...pick(random, sessions))
  if (number !== null) spoil(draft, random)
  const path = number !== null && chance(random, 0.1) ? withStrangeStep(one.path, random) : one.path
  const asked = new URLSearchParams(draft.query).toString()
  const isTyped = draft.headers.some(([name]) => name === 'content-type')
  const type = one.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const hasBody = draft.body !== undefined && draft.method !== 'GET'
  let body = hasBody ? Buffer.from(one.isForm ? formText(draft.body) : jsonText(draft.body)) : null
  if (number !== null && body && chance(random, 0.1)) body = body.subarray(0, integer(random, 0, body.length))
  return {
    method: draft.method,
    target: `${path}${asked === '' ? '' : `?${asked}`}`,
    prefix: '',
    headers: [
      // Each request has an address of its own, so that the limits of strangers do not apply.
      ['x-forwarded-for', newAddress()],
      ...(hasBody && !isTyped ? ([['content-type', type]] as [string, string][]) : []),
      ...draft.headers,
    ],
    body,
  }
}

function spoil(draft: Draft, random: Random): void {
  if (draft.body !== undefined && chance(random, 0.75)) spoilBody(draft, world, random)
  if (chance(random, 0.25)) spoilQuery(draft, world, random)
  if (chance(random, 0.15)) spoilHeaders(draft, world, random)
  if (chance(random, 0.05)) draft.method = pick(random, ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
}

function withStrangeStep(path: string, random: Random): string {
  const steps = path.split('/')
  steps[integer(random, 1, steps.length - 1)] = encodeURIComponent(
    nastyText(random).toWellFormed().slice(0, 500),
  )
  return steps.join('/')
}

const formText = (body: unknown): string =>
  new URLSearchParams(
    Object.entries((body ?? {}) as object).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : jsonText(value),
    ]),
  ).toString()

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function faultOf(sent: RawRequest): Promise<{ status: number; fault: string | null }> {
  const answer = await wire.send(sent).catch((error: unknown) => {
    if (error instanceof Unanswered) return error
    throw error
  })
  if (answer instanceof Unanswered) return { status: 0, fault: answer.message }
  const { status, text, headers } = answer
  const leak = findLeak(`${text}\n${JSON.stringify(headers)}`, world)
  if (leak) return { status, fault: `it shows ${leak}` }
  // The tested server has no console.
  const isPage = status === 503 && sent.target.startsWith('/console')
  if (status >= 500 && !isPage) return { status, fault: `${status} ${text.slice(0, 300)}` }
  if (/json/.test(headers['content-type'] ?? '') && text !== '' && !isJson(text))
    return { status, fault: `this is not JSON: ${text.slice(0, 300)}` }
  return { status, fault: headers['x-injected'] === undefined ? null : 'a header was smuggled in' }
}

test(`none of ${count} invalid requests to addresses outside the Developer API gets an answer that is wrong, with seed ${seed}`, {
  timeout: 4 * 3_600_000,
}, async () => {
  const faults: string[] = []
  const statuses: Record<number, number> = {}
  for (let from = 0; from < count && faults.length < 30; from += atOnce) {
    const lot = Array.from({ length: atOnce }, (_, at) => from + at)
    await Promise.all(
      lot.map(async (number) => {
        const sent = requestTo(doors[number % doors.length]!, number)
        // test/http/malformed-http.test.ts has requests that are no HTTP.
        if (!isPlain(sent)) return
        const { status, fault } = await faultOf(sent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (fault) faults.push(`request ${number}: ${fault}\n${asText(sent)}`)
      }),
    )
  }
  expect(faults.join('\n\n')).toBe('')
  // Limits must not hide the rest.
  expect(statuses[429] ?? 0).toBeLessThan(count / 10)
})

test('the unchanged requests still get their answers', async () => {
  const wrong: string[] = []
  for (const one of doors.filter((each) => !isOfConsole(each))) {
    const { status, fault } = await faultOf(requestTo(one, null))
    // A made-up refresh token, and callbacks without a signature.
    const isRefused = one.path === '/oauth/token' || one.path.startsWith('/hooks/')
    if (fault || status < 400 === isRefused) wrong.push(`${one.name}: ${status} ${fault ?? ''}`)
  }
  expect(wrong).toEqual([])
})
