import { randomUUID } from 'node:crypto'
import { endpoints } from '../../src/api.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { TestClient, TestOrg } from '../support/app.ts'
import type { Operation } from '../support/openapi-document.ts'
import { parameterNamesOf } from '../support/path-kinds.ts'
import { exampleOf, idFields, makeParams, type Params, unknownIds } from '../support/walk.ts'
import type { RawRequest } from './wire.ts'

export type Changes = {
  token?: string | null
  params?: Params
  headers?: Record<string, string>
  body?: unknown
  raw?: Buffer
  query?: Record<string, string>
}

/** Returns the endpoint of an operation. The endpoint defines the maximum size of the body. */
export const endpointOf = ({ operationId }: Operation): Endpoint =>
  endpoints.find(({ name }) => name === operationId)!

export function exampleRequest(endpoint: Endpoint, { token }: TestClient, changes: Changes = {}): RawRequest {
  const params = changes.params ?? unknownIds(endpoint)
  const example = exampleOf(endpoint, params)
  const asked = new URLSearchParams({
    ...(endpoint.body ? {} : (example as Record<string, string> | undefined)),
    ...changes.query,
  })
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const used = changes.token === undefined ? token : changes.token
  const json = 'body' in changes ? changes.body : example
  const bytes = changes.raw ?? (endpoint.body ? Buffer.from(JSON.stringify(json) ?? '') : null)
  return {
    method: endpoint.method,
    target: asked.size > 0 ? `${path}?${asked}` : path,
    prefix: '/api/v1',
    headers: Object.entries({
      ...(used === null ? {} : { authorization: `Bearer ${used}` }),
      ...(bytes ? { 'content-type': 'application/json' } : {}),
      ...changes.headers,
    }),
    body: bytes,
  }
}

/** The endpoint's example with new objects for all ids, so that it succeeds. */
export async function baselineRequest(endpoint: Endpoint, org: TestOrg): Promise<RawRequest> {
  return exampleRequest(endpoint, org, { params: await makeParams(endpoint, org) })
}

type Direct = (endpoint: Endpoint, org: TestOrg) => Changes | null | Promise<Changes | null>

const broken = { raw: Buffer.from([0x22, 0xe9, 0x22]) }

/** For each status with the same cause in every operation, the request that gets it; null if there is none. */
export const directed: Record<string, Direct> = {
  400: ({ body }) => (body ? broken : { headers: { 'x-target-org': randomUUID() } }),
  401: () => ({ token: null, headers: { 'x-forwarded-for': `10.9.${Math.floor(Math.random() * 255)}.1` } }),
  403: () => ({ headers: { 'x-org-id': randomUUID() } }),
  404: async (endpoint, org) => {
    if (parameterNamesOf(endpoint.path).length > 0) return {}
    const params = await makeParams(endpoint, org)
    if (!endpoint.body) {
      const asked = ['record_id', 'segment_id'].filter((id) => endpoint.query && id in endpoint.query.shape)
      return { params, query: Object.fromEntries(asked.map((id) => [id, randomUUID()])) }
    }
    const [name] = idFields(endpoint.body)
    return name
      ? { params, body: { ...(exampleOf(endpoint, params) as object), [name]: randomUUID() } }
      : null
  },
  409: async (endpoint, org) => {
    if (!endpoint.headers || !('if-match' in endpoint.headers.shape)) return null
    return { params: await makeParams(endpoint, org), headers: { 'if-match': '"77"' } }
  },
  413: ({ bodyLimit }) => ({ raw: Buffer.alloc((bodyLimit ?? 2 ** 20) + 1, ' ') }),
  422(endpoint) {
    const names = parameterNamesOf(endpoint.path)
    if (names.length > 0) return { params: { ...unknownIds(endpoint), [names[0]!]: 'not an id' } }
    if (endpoint.method === 'POST') return { headers: { 'idempotency-key': 'x'.repeat(256) } }
    if (endpoint.body) return { body: [] }
    return { query: { no_such_name: '1' } }
  },
}
