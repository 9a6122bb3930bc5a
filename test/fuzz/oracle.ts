import { allows } from '../../src/auth/permissions.ts'
import { destinationOf, type Operation, type Response } from '../support/openapi-document.ts'
import { faultOf } from '../support/schema-check.ts'
import { findLeak } from './leaks.ts'
import type { Planned } from './plan.ts'
import type { Answer } from './wire.ts'
import type { World } from './world.ts'

const everywhere = new Set([
  ...[
    'date',
    'connection',
    'keep-alive',
    'content-length',
    'transfer-encoding',
    'content-type',
    'cache-control',
  ],
  ...['referrer-policy', 'x-content-type-options', 'cross-origin-opener-policy'],
])

/** Documented headers that only some answers have. */
const seldom = new Set(['content-location', 'idempotent-replayed', 'location', 'retry-after'])

/**
 * The statuses of requests that match no operation. Without a valid key for the org, the answers have the rate limit
 * headers of the client's address.
 */
const nowhere = [401, 403, 404, 429]

/** How an answer differs from its documentation; empty if it does not. */
export function faultsOf(
  { sent, caller, hasKey, operation, done }: Planned,
  answer: Answer,
  world: World,
): string[] {
  const { status, text, headers } = answer
  const leak = findLeak(`${text}\n${JSON.stringify(headers)}`, world)
  const faults = leak ? [`it shows ${leak}`] : []
  if (headers['x-injected'] !== undefined || headers['set-cookie'] !== undefined)
    faults.push('a header was smuggled in')
  if (status === 500 || status > 502) faults.push('a failure of the server')
  // Malformed HTTP matches no operation. test/http/malformed-http.test.ts checks the answers.
  if (done.some((what) => what.startsWith('lines'))) return status < 500 ? faults : [...faults, 'a failure']
  const destination = destinationOf(sent.method, sent.target)
  if (!hasKey && ![401, 429, 431].includes(status)) faults.push('an answer without a valid key')
  if (status === 431) return isLong(sent) ? faults : [...faults, '431 though the headers are short']
  faults.push(...commonFaults(answer))
  if (destination.kind !== 'operation' && status === 400 && namesNoTarget(sent)) return faults
  if (destination.kind === 'nowhere') {
    if (!nowhere.includes(status)) faults.push('an answer to an address that nothing has')
    return faults
  }
  if (destination.kind === 'options') {
    if (status === 204 ? headers.allow !== destination.allow : !nowhere.includes(status) || status === 404)
      faults.push(`not a 204 that allows ${destination.allow}`)
    return faults
  }
  if (destination.kind === 'other method') {
    if (status === 405 ? headers.allow !== destination.allow : !nowhere.includes(status) || status === 404)
      faults.push(`not a 405 that allows ${destination.allow}`)
    return faults
  }
  if (destination.operation === operation && hasKey && lacks(caller.permissions, operation) && status !== 403)
    faults.push('an answer to a key without the permission')
  if (sent.method === 'HEAD' && text !== '') faults.push('a body in the answer to HEAD')
  return [...faults, ...documentedFaults(destination.operation, answer, sent.method === 'HEAD')]
}

/** An empty target is refused before the method and the path are looked at. */
const namesNoTarget = ({ headers }: Planned['sent']) =>
  headers.some(([name, value]) => name === 'x-target-org-id' && value.trim() === '')

export function documentedFaults(operation: Operation, answer: Answer, isHead = false): string[] {
  const { status } = answer
  const response = operation.responses[String(status)]
  if (!response) return [`status ${status} is not documented`]
  return [...headerFaults(response, answer), ...(isHead ? [] : bodyFaults(response, answer))]
}

function bodyFaults({ content }: Response, { text, headers, status }: Answer): string[] {
  if (content?.['text/csv'])
    return Object.keys(content).includes(headers['content-type']?.replace('; charset=utf-8', '') ?? '')
      ? []
      : [`content-type ${headers['content-type']}`]
  const schema = content?.['application/json']?.schema
  if (!schema) return text === '' ? [] : ['a body where there should be none']
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return [`content-type ${headers['content-type']}`]
  const body = parsed(text)
  if (body === undefined) return ['a body that is not JSON']
  const fault = faultOf(body, schema)
  return [...(fault ? [fault] : []), ...(status === 422 ? detailFaults(body) : [])]
}

/** Checks that a 422 repeats no sent value, and that each detail has a place. */
function detailFaults(body: unknown): string[] {
  const { detail } = body as { detail: { loc: unknown[] }[] }
  if (!Array.isArray(detail) || detail.length === 0) return ['a 422 without details']
  const odd = detail.find(
    (each) =>
      Object.keys(each).some((key) => !['type', 'loc', 'msg', 'ctx'].includes(key)) ||
      !['path', 'query', 'header', 'body'].includes(String(each.loc[0])),
  )
  return odd ? [`a detail that is none: ${JSON.stringify(odd).slice(0, 200)}`] : []
}

function headerFaults({ headers: documented = {} }: Response, { headers, status }: Answer): string[] {
  const faults: string[] = []
  const known = new Map(
    Object.entries(documented).map(([name, header]) => [name.toLowerCase(), header.schema]),
  )
  faults.push(
    ...[...known.keys()]
      .filter((name) => !seldom.has(name) && headers[name] === undefined)
      // Without a database, the server cannot identify the key, so the answer lacks the org's rate limit headers.
      .filter((name) => status !== 503 || !name.includes('ratelimit'))
      .map((name) => `${name} is not there`),
  )
  for (const [name, value] of Object.entries(headers)) {
    const schema = known.get(name)
    if (!schema) {
      if (!everywhere.has(name)) faults.push(`the header ${name} is not documented`)
      continue
    }
    const fault = faultOf(schema.type === 'integer' ? Number(value) : value, schema, name)
    if (fault) faults.push(fault)
  }
  return faults
}

/** Headers of every answer that Fastify makes. */
function commonFaults({ headers, text, status }: Answer): string[] {
  const faults: string[] = []
  if (!/^[\w.:/+=-]{1,128}$/.test(String(headers['x-request-id']))) faults.push('no X-Request-Id that is one')
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('without nosniff')
  if (headers['cache-control'] !== 'no-store') faults.push('without no-store')
  if (status >= 400 && text !== '' && parsed(text) === undefined) faults.push('an error that is not JSON')
  return faults
}

const lacks = (granted: readonly string[] | null, { permission }: Operation) =>
  permission.length > 0 && !permission.some((one) => allows(granted, one))

const isLong = ({ target, headers }: Planned['sent']) =>
  target.length + headers.flat().join('').length > 12_000

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
