import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { inSlices, limitLargeBodies, nextSlice } from '../slices.ts'
import type { Endpoint } from './endpoint.ts'
import { field, refuse } from './fields.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { noIfMatch } from './if-match.ts'
import { bodyInput, isJsonContentType } from './json-body.ts'
import { bodyContainersMax } from './json-limits.ts'
import { parsingJsonBody } from './json-pieces.ts'
import { Refusal } from './refusal.ts'
import { detailAt, type Part, ValidationError, type Values, validator } from './validation.ts'

/** Larger bodies are parsed in slices, because 16 KiB of JSON may take 5 ms. */
const slicedBytes = 16 * 1024

/** Returns whether a body is unparsed and longer than this many bytes. */
export const isLonger = (body: unknown, bytes: number): body is Buffer =>
  body instanceof Buffer && body.length > bytes

/** The valid input of an endpoint. */
export type Input = {
  params: unknown
  query: unknown
  headers: unknown
  body: unknown
  /** The Idempotency-Key. */
  key: string | undefined
}

/** The valid input of a request, and its body before any schema read it. */
export type SentInput = Input & {
  stream: Readable | undefined
  streamBytes: number
  streamCharset: string | undefined
  sentBody: unknown
}

/** Endpoints without a query or body refuse every field: the field would have no effect. */
const emptyObject = z.object({})
const noBodyOfGet = field(() => refuse('a GET request has no body; send query parameters instead'), {})

const changeHeaders = z.object({ 'if-match': noIfMatch })
const postHeaders = z.object({ 'idempotency-key': idempotencyKey.optional() }).extend(changeHeaders.shape)

type Reader = (values: Values, isStreamed: boolean) => Input

// Readers are made at their first use, because a new server needs only a few.
const readers = new WeakMap<Endpoint, Reader>()

/**
 * Checks the parts of a request against the schemas of an endpoint. A streamed body is not checked.
 * @throws ValidationError
 */
export function readInput(endpoint: Endpoint, values: Values, isStreamed = false): Input {
  const made = readers.get(endpoint)
  if (made) return made(values, isStreamed)
  const reader = newReader(endpoint)
  readers.set(endpoint, reader)
  return reader(values, isStreamed)
}

function newReader(endpoint: Endpoint): Reader {
  const { params: path, query, body, method } = endpoint
  const headers =
    method === 'GET'
      ? endpoint.headers
      : (method === 'POST' ? postHeaders : changeHeaders).extend(endpoint.headers?.shape ?? {})
  const parts: Part[] = []
  if (path) parts.push({ in: 'path', schema: path })
  parts.push({ in: 'query', schema: query ?? emptyObject })
  if (headers) parts.push({ in: 'header', schema: headers })
  const validate = validator(parts)
  const noBody = method === 'GET' ? noBodyOfGet.optional() : emptyObject.optional()
  const validateBody = validator([...parts, { in: 'body', schema: body ?? noBody }])
  return (values, isStreamed) => {
    const parsed = isStreamed ? validate(values) : validateBody(values)
    return {
      params: parsed.path,
      query: parsed.query,
      headers: parsed.header,
      body: body && parsed.body,
      key: (parsed.header as z.output<typeof postHeaders> | undefined)?.['idempotency-key'],
    }
  }
}

/**
 * Reads and checks an HTTP request.
 * @throws ValidationError
 */
export async function readRequest(
  endpoint: Endpoint,
  request: FastifyRequest,
  payerId: string,
): Promise<SentInput> {
  refuseCompressed(request)
  const stream = request.body instanceof Readable ? request.body : undefined
  const sentBody = stream ? undefined : await sentBodyOf(request, payerId)
  const values = {
    path: request.params,
    query: request.query as URLSearchParams,
    header: headersOf(request),
    body: sentBody,
  }
  return {
    ...readInput(endpoint, values, stream !== undefined),
    stream,
    streamBytes: stream ? Number(request.headers['content-length'] ?? 0) : 0,
    streamCharset: stream && request.bodyCharset,
    sentBody: endpoint.body && sentBody,
  }
}

const compressed = new Refusal(
  'value_error',
  'compressed bodies are not read here; send the body without a Content-Encoding',
)

/** @throws ValidationError */
function refuseCompressed({ body, headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (body !== undefined && encoding !== undefined && /gzip|compress|deflate|\bbr\b|zstd/i.test(encoding))
    throw new ValidationError([detailAt(['header', 'content-encoding'], compressed)])
}

/** Node joins repeated values of Idempotency-Key into one, which would be another key. */
function headersOf({ headers, raw }: FastifyRequest): FastifyRequest['headers'] {
  if (headers['idempotency-key'] === undefined) return headers
  // Injected requests were never sent over a connection, and have no distinct headers.
  const keys = raw.headersDistinct?.['idempotency-key'] ?? []
  return keys.length > 1 ? { ...headers, 'idempotency-key': keys } : headers
}

async function sentBodyOf({ method, headers, body }: FastifyRequest, payerId: string): Promise<unknown> {
  // Fastify reads no body of a GET or HEAD request.
  if (method === 'GET' || method === 'HEAD')
    return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] ? 'unread' : undefined
  return parsedBody(body, headers['content-type'], payerId)
}

/**
 * Returns the same as `bodyInput`, but reads a large body in slices.
 * @param containersMax the maximum number of objects and arrays in a body
 * @throws as `bodyInput` and `parsingJsonBody`; OrgBusy if the body waits too long for other large bodies of its payer
 */
export async function parsedBody(
  body: unknown,
  contentType: string | undefined,
  payerId: string,
  containersMax = bodyContainersMax,
): Promise<unknown> {
  // An empty container has two bytes, so a small body needs no count.
  if (!isLonger(body, Math.min(slicedBytes, 2 * containersMax)) || !isJsonContentType(contentType))
    return bodyInput(body as Buffer | undefined, contentType)
  await nextSlice(payerId)
  const parsed = await limitLargeBodies(payerId, () =>
    inSlices(payerId, parsingJsonBody(body, { containersMax })),
  )
  // Checking a large body needs a slice of its own.
  await nextSlice(payerId)
  return parsed
}
