import { chance, pick, pickWeighted, type Random, seededRandom } from '../../src/demo/random.ts'
import { type Operation, operations } from '../support/openapi-document.ts'
import { type Draft, draftOf, kindOf } from './draft.ts'
import { jsonText } from './json-text.ts'
import {
  type Mutation,
  spoilBody,
  spoilHeaders,
  spoilKey,
  spoilMember,
  spoilPath,
  spoilQuery,
  useForeignIds,
} from './mutate.ts'
import { encoded } from './nasty.ts'
import { hostileTexts } from './texts.ts'
import { isPlain, type RawRequest } from './wire.ts'
import type { Caller, World } from './world.ts'

export type Planned = {
  number: number
  sent: RawRequest
  caller: Caller
  hasKey: boolean
  operation: Operation
  done: string[]
}

const ways: Record<
  string,
  { weight: number; mutation?: Mutation; fits?: (operation: Operation) => boolean }
> = {
  body: { weight: 40, mutation: spoilBody, fits: ({ body }) => body !== null },
  member: { weight: 40, mutation: spoilMember, fits: ({ body }) => body !== null },
  query: { weight: 25, mutation: spoilQuery },
  path: { weight: 14, mutation: spoilPath, fits: ({ path }) => path.includes('{') },
  others: { weight: 12, mutation: useForeignIds },
  headers: { weight: 9, mutation: spoilHeaders },
  key: { weight: 2, mutation: spoilKey },
  method: { weight: 2 },
  bytes: { weight: 5, fits: ({ body }) => body !== null },
  lines: { weight: 1 },
  nothing: { weight: 8 },
}

const otherMethods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'TRACE',
]

/** Request `number` of a run. It depends only on the seed and the world. */
export function plan(seed: number, number: number, world: World): Planned {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  const operation = operations[number % operations.length]!
  const caller = callerFor(operation, world, random)
  const draft = draftOf(operation, caller, world, random)
  draft.headers.push(['authorization', `Bearer ${caller.token}`])
  const fitting = Object.entries(ways).filter(([, { fits }]) => fits?.(operation) ?? true)
  const weights = Object.fromEntries(fitting.map(([name, { weight }]) => [name, weight]))
  const chosen = [
    pickWeighted(random, weights),
    ...(chance(random, 0.15) ? [pickWeighted(random, weights)] : []),
  ]
  for (const name of new Set(chosen)) ways[name]?.mutation?.(draft, world, random)
  if (chosen.includes('method')) {
    draft.method = pick(random, otherMethods)
    draft.done.push(draft.method)
  }
  if (random() < 0.04 && operation.method === 'POST')
    draft.headers.push(['idempotency-key', pick(random, ['k1', 'k2', 'k3'])])
  spareTheLast(draft, world)
  const sent = written(draft, random)
  if (chosen.includes('bytes')) spoilBytes(sent, draft, random)
  if (chosen.includes('lines')) spoilLines(sent, draft, random)
  if (!isPlain(sent)) draft.done.push('lines')
  const hasKey = !chosen.includes('key')
  return { number, sent, caller, hasKey, operation, done: draft.done }
}

/** Most callers have the permission: their requests reach the later checks. */
function callerFor({ permission }: Operation, world: World, random: Random): Caller {
  const caller = pick(random, world.callers)
  const resource = permission[0]?.split(':')[0]
  const may = caller.permissions?.some((one) => one.startsWith(`${resource}:`)) ?? true
  if (resource === 'agency') return chance(random, 0.8) ? world.callers[0]! : caller
  return may || chance(random, 0.1) ? caller : pick(random, world.callers.slice(0, 4))
}

/** Keeps the last objects of each kind from deletion, because later requests need them. */
function spareTheLast(draft: Draft, world: World): void {
  const { method, path } = draft.operation
  if (method !== 'DELETE' && !path.endsWith('/erase')) return
  for (const name of Object.keys(draft.path))
    if (world.left(draft.caller.orgId, kindOf(draft.operation, name)) < 4)
      draft.path[name] = name === 'mailbox_id' ? '999999999' : '0190a3c4-0000-7000-8000-00000000dead'
}

function written(draft: Draft, random: Random): RawRequest {
  const { operation, method, path, query, body } = draft
  const spoiled = draft.done.some((what) => /^(path|query)/.test(what))
  const encode = (text: string) => (spoiled ? encoded(random, text) : encodeURIComponent(text.toWellFormed()))
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path[name]!))
  const asked = query.map(([name, value]) => `${encodeURIComponent(name)}=${encode(value)}`).join('&')
  const headers = draft.headers.slice()
  const isTyped = headers.some(([name]) => name === 'content-type')
  if (body !== undefined && !isTyped) headers.unshift(['content-type', 'application/json'])
  return {
    method,
    target: `${target}${asked === '' ? '' : `?${asked}`}`,
    prefix: pick(random, ['/api/v1', '/api/v1', '/v1', '']),
    headers,
    body: body === undefined || method === 'GET' || method === 'HEAD' ? null : Buffer.from(jsonText(body)),
  }
}

/** Invalid UTF-8: overlong forms, surrogates, incomplete characters, forbidden bytes. */
const badBytes = [
  'c0af',
  'c080',
  'e080af',
  'eda080',
  'edbfbf',
  'f4908080',
  'ff',
  'fe',
  'e282',
  '80',
  'f8888080',
  '00',
  'efbbbf',
  'fffe',
].map((hex) => Buffer.from(hex, 'hex'))

function spoilBytes(sent: RawRequest, draft: Draft, random: Random): void {
  const body = sent.body ?? Buffer.alloc(0)
  const at = Math.floor(random() * (body.length + 1))
  const way = pick(random, ['insert', 'insert', 'cut', 'repeat', 'start', 'csv'])
  draft.done.push(`bytes ${way}`)
  if (way === 'insert')
    sent.body = Buffer.concat([body.subarray(0, at), pick(random, badBytes), body.subarray(at)])
  else if (way === 'start') sent.body = Buffer.concat([pick(random, badBytes), body])
  else if (way === 'cut') sent.body = body.subarray(0, at)
  else if (way === 'repeat') sent.body = Buffer.concat([body, body])
  else {
    const type = sent.headers.find(([name]) => name === 'content-type')
    if (type) type[1] = 'text/csv'
    const cell = () => pick(random, hostileTexts)
    sent.body = Buffer.from(`email,first_name,${cell()}\n${cell()},"${cell()}",${cell()}\n${cell()}`)
  }
}

/** Makes the HTTP itself unusual: raw bytes in the address, or a line break in a header. */
function spoilLines(sent: RawRequest, draft: Draft, random: Random): void {
  const ways = ['path bytes', 'header break', 'header name', 'length', 'long']
  // The server would wait for missing chunks. It refuses chunks with a length at once.
  const way = pick(random, sent.body ? [...ways, 'chunks'] : ways)
  draft.done.push(`lines ${way}`)
  if (way === 'path bytes')
    sent.target += pick(random, ['\xe9', '\x00', ' ', '\t', '\x7f', '{}', '"<>', '\\'])
  else if (way === 'header break')
    sent.headers.push(['x-request-id', `a\r\nX-Injected: 1${pick(random, ['', '\r\n\r\nGET / HTTP/1.1'])}`])
  else if (way === 'header name') sent.headers.push([pick(random, ['x y', 'x\x00', '', 'x:', '\xe9']), '1'])
  else if (way === 'length')
    sent.headers.push(['content-length', pick(random, ['-1', 'x', '1e3', '99999999999999999999', '+5'])])
  else if (way === 'chunks')
    sent.headers.push(['transfer-encoding', pick(random, ['chunked', 'gzip', 'chunked, chunked', 'x'])])
  else sent.headers.push(['x-long', 'a'.repeat(20_000)])
}
