import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Org } from '../db/org.ts'
import { inFileTurn, inSlices, inTurn, nextSlice } from '../slices.ts'
import { methodsOf } from './allowed-methods.ts'
import type { AnyRequest, Endpoint } from './endpoint.ts'
import { field, refuse } from './fields.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { bodyInput, isJsonContentType } from './json-body.ts'
import { parsingJsonBody } from './json-pieces.ts'
import { type Once, unkeyed } from './once.ts'
import { send, type WireAnswer, wireAnswer } from './response.ts'
import { type FileAnswer, sendFile } from './send-file.ts'
import { withStaged } from './staging.ts'
import { type Part, validator } from './validation.ts'

/** The path of an endpoint in Fastify's syntax: `/contacts/:contact_id`. */
export const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A valid request with an Idempotency-Key. */
export type KeyedRequest = {
  endpoint: Endpoint
  key: string
  request: AnyRequest
  /** The JSON of the body, before a schema read it. */
  sentBody: unknown
  raw: FastifyRequest
  serialize: (answered: unknown) => WireAnswer
}

/**
 * Answers a request with the result of `answer`, at most once for each Idempotency-Key. An endpoint with an outside
 * effect gets the caller's own org, and `once` for its two transactions.
 */
export type AnswerKeyed = (
  request: KeyedRequest,
  answer: (org: Org, staged: unknown, once?: Once) => Promise<WireAnswer>,
) => Promise<WireAnswer>

export type RouteOptions = {
  answerKeyed: AnswerKeyed
  /** Aborts when the server begins to close. */
  closing: AbortSignal
}

export function register(
  server: FastifyInstance,
  endpoint: Endpoint,
  context: Context,
  { answerKeyed, closing }: RouteOptions,
): void {
  const read = requestReader(endpoint)
  const routed = {
    config: { endpoint, consoleOnly: endpoint.door === 'console' },
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = request.caller!
      if (endpoint.shape === 'file')
        return inFileTurn(caller.payerId, async () => sendFile(reply, await file(request, reply, caller)))
      const work = () => answer(request, reply, caller)
      // A request with an outside effect never counts as long: while it waits, the thread is free.
      const isLong = (endpoint.isLong || isLonger(request.body, largeBytes)) && endpoint.effect !== 'outside'
      return send(reply, isLong ? await inTurn(caller.payerId, work) : await work())
    },
  }
  server.route({ ...routed, method: methodsOf(endpoint), url: urlOf(endpoint.path) })
  if (endpoint.alsoQuery) server.route({ ...routed, method: 'QUERY', url: urlOf(endpoint.alsoQuery) })

  async function inputOf(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const parsed = await read(request, caller.payerId)
    const org = context.database.org(caller.orgId, caller)
    const { visit } = request
    return { ...parsed, caller, context, visit, org, ended: () => endOf(reply, closing) }
  }

  async function file(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<FileAnswer> {
    const input = await inputOf(request, reply, caller)
    const answered = await endpoint.handle({ ...input, staged: undefined, once: unkeyed(input.org) })
    return answered as FileAnswer
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<WireAnswer> {
    const { key, sentBody, ...input } = await inputOf(request, reply, caller)
    const serialize = (answered: unknown) => wireAnswer(endpoint, reply, answered)
    const handle = async (org: Org, staged: unknown, once = unkeyed(org)) =>
      serialize(await endpoint.handle({ ...input, org, staged, once }))
    return key === undefined || endpoint.effect === 'none'
      ? withStaged(endpoint, input, (staged) => handle(input.org, staged))
      : answerKeyed({ endpoint, key, request: input, sentBody, raw: request, serialize }, handle)
  }
}

/** Make it once: an exception with its stack takes 10 µs. */
const clientGone = new DOMException('The client has disconnected', 'AbortError')

/** Aborts when the client is gone, or the server begins to close. */
function endOf(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(clientGone))
  return AbortSignal.any([gone.signal, closing])
}

/** Larger bodies are parsed in slices, because 16 KiB of JSON may take 5 ms. */
const slicedBytes = 16 * 1024
/** A request with a larger body counts as long. */
const largeBytes = 64 * 1024

const isLonger = (body: unknown, bytes: number): body is Buffer =>
  body instanceof Buffer && body.length > bytes

type Parsed = {
  params: unknown
  query: unknown
  headers: unknown
  body: unknown
  stream: Readable | undefined
  streamBytes: number
  streamCharset: string | undefined
  /** The Idempotency-Key. */
  key: string | undefined
  /** The body, before a schema read it. */
  sentBody: unknown
}

/** Keeps repeated values of Idempotency-Key apart. Node would join them into one other key. */
function headersOf({ headers, raw }: FastifyRequest): FastifyRequest['headers'] {
  if (headers['idempotency-key'] === undefined) return headers
  // An injected request, which used no connection, has no distinct headers.
  const keys = raw.headersDistinct?.['idempotency-key'] ?? []
  return keys.length > 1 ? { ...headers, 'idempotency-key': keys } : headers
}

/** For endpoints without a query or a body: refuses every member. */
const emptyObject = z.object({})
const noBodyOfGet = field(() => refuse('a GET request has no body; send query parameters instead'), {})

const keyHeader = z.object({ 'idempotency-key': idempotencyKey.optional() })

async function sentBodyOf({ method, headers, body }: FastifyRequest, payerId: string): Promise<unknown> {
  // Fastify does not read the body of GET and HEAD.
  if (method === 'GET' || method === 'HEAD')
    return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] ? 'unread' : undefined
  const contentType = headers['content-type']
  if (!isLonger(body, slicedBytes) || !isJsonContentType(contentType))
    return bodyInput(body as Buffer | undefined, contentType)
  await nextSlice(payerId)
  const parsed = await inSlices(payerId, parsingJsonBody(body))
  // The check of a large body gets its own slice.
  await nextSlice(payerId)
  return parsed
}

function requestReader(endpoint: Endpoint): (request: FastifyRequest, payerId: string) => Promise<Parsed> {
  const { params: path, query, body, method } = endpoint
  const headers = method === 'POST' ? keyHeader.extend(endpoint.headers?.shape ?? {}) : endpoint.headers
  const parts: Part[] = []
  if (path) parts.push({ in: 'path', schema: path })
  parts.push({ in: 'query', schema: query ?? emptyObject })
  if (headers) parts.push({ in: 'header', schema: headers })
  const validate = validator(parts)
  const noBody = method === 'GET' ? noBodyOfGet.optional() : emptyObject.optional()
  const validateBody = validator([...parts, { in: 'body', schema: body ?? noBody }])
  return async (request, payerId) => {
    const stream = request.body instanceof Readable ? request.body : undefined
    const values = {
      path: request.params,
      query: request.query as URLSearchParams,
      header: headersOf(request),
    }
    const sentBody = stream ? undefined : await sentBodyOf(request, payerId)
    const parsed = stream ? validate(values) : validateBody({ ...values, body: sentBody })
    return {
      params: parsed.path,
      query: parsed.query,
      headers: parsed.header,
      body: body && parsed.body,
      stream,
      streamBytes: stream ? Number(request.headers['content-length'] ?? 0) : 0,
      streamCharset: stream && request.bodyCharset,
      key: (parsed.header as z.output<typeof keyHeader> | undefined)?.['idempotency-key'],
      sentBody: body && sentBody,
    }
  }
}
