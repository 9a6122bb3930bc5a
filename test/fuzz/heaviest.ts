import { endpoints } from '../../src/api.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { TestOrg } from '../support/app.ts'
import { operations, resolve, type Schema } from '../support/openapi-document.ts'
import { exampleOf, makeParams, type Params } from '../support/walk.ts'
import type { Variant } from './flood.ts'
import { distinctPhone, heavyFiles } from './heavy-files.ts'

/** A request that may be expensive. */
export type HeavyRequest = {
  name: string
  method: string
  path: string
  body: Buffer | null
  contentType?: string
  /** 50 by default, the limit of an organization. */
  perSecond?: number
  /** Creates what `count` requests need, such as a record for each erasure. */
  prepare?: (count: number) => Promise<Variant[]>
}

/**
 * Text that is expensive to read: digits of other scripts, combining marks, or text that makes patterns backtrack.
 */
const alphabets = ['x', '\u{1d7d8}', '\ufdfa', 'a\u0323\u0301', '1-', '{{ a | append: a }}', '<b><i>', '@ü.']
const exactNumber = '12345678901234567890123456'
const usualLimit = 2 ** 20
/** The length of texts without a documented maximum. */
const usualLength = 2_000

type Making = { alphabet: string; items: number; overlong: boolean; bytesLeft: number }

/** The largest body and the largest queries that each endpoint allows. */
export async function* heavyRequests(org: TestOrg): AsyncGenerator<HeavyRequest> {
  // Endpoints with long jobs come last: the others need the worker too.
  const [early, late] = [false, true].map((isLate) => endpoints.filter((each) => enqueues(each) === isLate))
  for (const endpoint of [...early!, ...late!]) {
    const params = await makeParams(endpoint, org)
    const path = pathOf(endpoint, params)
    const name = `${endpoint.method} ${endpoint.path}`
    if (!endpoint.body) {
      const prepare = isOnce(endpoint)
        ? { prepare: (count: number) => onePathEach(endpoint, org, count) }
        : {}
      for (const query of queriesOf(endpoint))
        yield {
          name: `${name} ${query}`,
          method: endpoint.method,
          path: path + query,
          body: null,
          ...prepare,
        }
      continue
    }
    for (const contentType of endpoint.streams ?? [])
      for (const [kind, file] of heavyFiles())
        yield {
          ...{ name: `${name} ${kind}`, method: endpoint.method, path },
          ...{ body: Buffer.from(file), contentType },
        }
    const bodies = new Map(
      [...bodiesOf(endpoint, exampleOf(endpoint, params))].map(([kind, text]) => [text, kind]),
    )
    for (const [text, kind] of bodies)
      yield { name: `${name} ${kind}`, method: endpoint.method, path, body: Buffer.from(text) }
  }
}

/** Whether the request enqueues a job that may take long. */
const enqueues = ({ method, path }: Endpoint) => method === 'POST' && /\/(imports|scans)$/.test(path)

const pathOf = ({ path }: Endpoint, params: Params) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))

/** Whether the request works only once for each object. A second one would get 404. */
const isOnce = ({ method, path }: Endpoint) => method === 'DELETE' || path.endsWith('/erase')

const madeAtOnce = 8

/** Paths that each name a new object, as many as an organization may have. */
async function onePathEach(endpoint: Endpoint, org: TestOrg, count: number): Promise<Variant[]> {
  const paths: Variant[] = []
  while (paths.length < count) {
    const making = Array.from({ length: Math.min(madeAtOnce, count - paths.length) }, () =>
      makeParams(endpoint, org),
    )
    const made = (await Promise.allSettled(making)).flatMap((each) =>
      each.status === 'fulfilled' ? [{ path: pathOf(endpoint, each.value) }] : [],
    )
    paths.push(...made)
    if (made.length < making.length) break
  }
  return paths
}

/** Queries that read as much as they may, or must examine many records. */
function queriesOf({ method, query }: Endpoint): string[] {
  if (method !== 'GET' || !query) return ['']
  const limit = 'limit' in query.shape ? '?limit=100' : '?'
  return 'q' in query.shape
    ? [limit, `${limit}&q=a`, `${limit}&q=${'a%20'.repeat(40)}`, `${limit}&q=%25_%25`]
    : [limit]
}

function* bodiesOf(endpoint: Endpoint, example: unknown): Generator<[kind: string, body: string]> {
  const limit = endpoint.bodyLimit ?? usualLimit
  const schema = schemaOf(endpoint)
  for (const [at, alphabet] of alphabets.entries())
    for (const overlong of [false, true]) {
      for (const items of [50, 500, 10_000]) {
        const making = { alphabet, items, overlong, bytesLeft: limit * 0.8 }
        const body = JSON.stringify(largest(schema, making))
        if (Buffer.byteLength(body) <= limit)
          yield [`text ${at}${overlong ? ' overlong' : ''} ${items}`, body]
      }
    }
  const numbers = Array(Math.floor(Math.min(limit / 30, 45_000)))
    .fill(exactNumber)
    .join()
  const wrapped = (text: string) => JSON.stringify(example ?? {}).replace(/\}$/, `,"custom":${text}}`)
  yield ['numbers', wrapped(`[${numbers}]`)]
  const names = Array.from({ length: Math.floor(limit / 16) }, (_, at) => `"k${at}":0`)
  yield ['names', `{${names.slice(0, 60_000).join()}}`]
  yield [
    'nesting',
    wrapped(
      `[${Array(Math.floor(limit / 200))
        .fill('['.repeat(90) + ']'.repeat(90))
        .join()}]`,
    ),
  ]
  yield ['one string', wrapped(`"${'x'.repeat(limit * 0.9)}"`)]
  if (endpoint.path === '/contacts/batch') {
    const items = Array.from({ length: 500 }, (_, item) => ({
      last_name: `n${item}`,
      phones: Array.from({ length: 50 }, (_, at) => distinctPhone(item * 50 + at)),
    }))
    yield ['distinct phone numbers', JSON.stringify({ items })]
  }
  yield ['escapes', wrapped(`"${'\\u0041'.repeat(limit / 8)}"`)]
  yield ['fault', `${wrapped(`[${'1,'.repeat(limit / 4)}`)}x`]
}

/** The schema of a body; for a batch, its items are records. */
function schemaOf({ name, path }: Endpoint): Schema {
  const bodyOf = (operationId: string) =>
    resolve(operations.find((each) => each.operationId === operationId)!.body!.schema)
  const single = operations.find((each) => each.method === 'POST' && `${each.path}/batch` === path)
  if (!single) return bodyOf(name)
  return { type: 'object', properties: { items: { type: 'array', items: bodyOf(single.operationId) } } }
}

/** Deeper objects get no lists and no objects, because a schema may contain itself. */
const depthMax = 4

/** A value of a schema with all members, the most items and the longest texts. */
function largest(schema: Schema, making: Making, depth = 0): unknown {
  const own = resolve(schema)
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  const [part] = own.anyOf ?? own.oneOf?.slice(-1) ?? []
  if (part) return largest(part, making, depth)
  const type = [own.type ?? 'string'].flat()[0]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return own.maximum ?? 1
  if (type === 'array') {
    const count = Math.min(own.maxItems ?? making.items, making.items)
    const items: unknown[] = []
    while (items.length < count && making.bytesLeft > 0) items.push(largest(own.items ?? {}, making, depth))
    return items
  }
  if (type === 'object') {
    const isPlain = (property: Schema) => !/array|object/.test(String(resolve(property).type))
    const members = Object.entries(own.properties ?? {})
      .filter(([, property]) => depth < depthMax || isPlain(property))
      .map(([key, property]) => [key, largest(property, making, depth + 1)])
    const rest = own.additionalProperties
    const count = typeof rest === 'object' || (rest && members.length === 0) ? (own.maxProperties ?? 50) : 0
    for (let at = 0; at < Math.min(count, making.items) && making.bytesLeft > 0; at++)
      members.push([`k${at}`, typeof rest === 'object' ? largest(rest, making, depth + 1) : at])
    return Object.fromEntries(members)
  }
  making.bytesLeft -= 40
  if (own.format === 'uuid') return '0190a3c4-0000-7000-8000-00000000dead'
  const length = own.maxLength ?? usualLength
  const text = making.alphabet.repeat(length).slice(0, making.overlong ? length * 4 : length)
  making.bytesLeft -= Buffer.byteLength(text)
  return text
}
