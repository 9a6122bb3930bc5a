import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Org } from '../db/org.ts'
import { idempotencyKey } from '../idempotency/header.ts'
import { answerKeyed } from '../idempotency/keyed-request.ts'
import { unkeyed } from '../idempotency/once.ts'
import type { Endpoint } from './endpoint.ts'
import { field, refuse } from './fields.ts'
import { bodyInput } from './json-body.ts'
import { send, wireAnswer } from './response.ts'
import { withStaged } from './staging.ts'
import { type Part, validator } from './validation.ts'

/** The path of an endpoint as Fastify writes it: `/contacts/:contact_id`. */
export const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Adds the route of one endpoint: parse, hand over to the endpoint, serialise. */
export function register(server: FastifyInstance, endpoint: Endpoint, context: Context): void {
  const parse = requestParser(endpoint)
  server.route({
    method: endpoint.method,
    url: urlOf(endpoint.path),
    config: { endpoint },
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    handler: async (request, reply) => {
      const caller = request.caller!
      const { key, sentBody, ...parsed } = parse(request)
      const input = { ...parsed, caller, context, org: context.database.org(caller.orgId) }
      const serialise = (answered: unknown) => wireAnswer(endpoint, reply, answered)
      const answer = async (org: Org, staged: unknown, once = unkeyed(org)) =>
        serialise(await endpoint.handle({ ...input, org, staged, once }))
      return send(
        reply,
        key === undefined
          ? await withStaged(endpoint, input, (staged) => answer(input.org, staged))
          : await answerKeyed({ endpoint, key, request: input, sentBody, raw: request, serialise }, answer),
      )
    },
  })
}

type Parsed = {
  params: unknown
  query: unknown
  headers: unknown
  body: unknown
  stream: Readable | undefined
  streamBytes: number
  /** The Idempotency-Key. */
  key: string | undefined
  /** The body before its schema read it. */
  sentBody: unknown
}

/** Node joins a header that comes twice to one, which would be another key. */
function headersOf({ headers, raw }: FastifyRequest): FastifyRequest['headers'] {
  // Requests that were injected, and never on a wire, have none.
  const keys = raw.headersDistinct?.['idempotency-key'] ?? []
  return keys.length > 1 ? { ...headers, 'idempotency-key': keys } : headers
}

/** The query or the body of an endpoint that has none: anything in it would be ignored, so it is refused. */
const nothing = z.object({})
const noBodyOfGet = field(() => refuse('a GET request has no body; send query parameters instead'), {})

const keyHeader = z.object({ 'idempotency-key': idempotencyKey.optional() })

function sentBodyOf({ method, headers, body }: FastifyRequest): unknown {
  // Fastify reads no body of a GET request.
  if (method === 'GET')
    return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] ? 'unread' : undefined
  return bodyInput(body as Buffer | undefined, headers['content-type'])
}

function requestParser(endpoint: Endpoint): (request: FastifyRequest) => Parsed {
  const { params: path, query, body, method } = endpoint
  const headers = method === 'POST' ? keyHeader.extend(endpoint.headers?.shape ?? {}) : endpoint.headers
  const parts: Part[] = []
  if (path) parts.push({ in: 'path', schema: path })
  parts.push({ in: 'query', schema: query ?? nothing })
  if (headers) parts.push({ in: 'header', schema: headers })
  const validate = validator(parts)
  const noBody = method === 'GET' ? noBodyOfGet.optional() : nothing.optional()
  const validateBody = validator([...parts, { in: 'body', schema: body ?? noBody }])
  return (request) => {
    const stream = request.body instanceof Readable ? request.body : undefined
    const values = {
      path: request.params,
      query: request.query as URLSearchParams,
      header: headersOf(request),
    }
    const sentBody = stream ? undefined : sentBodyOf(request)
    const parsed = stream ? validate(values) : validateBody({ ...values, body: sentBody })
    return {
      params: parsed.path,
      query: parsed.query,
      headers: parsed.header,
      body: body && parsed.body,
      stream,
      streamBytes: stream ? Number(request.headers['content-length'] ?? 0) : 0,
      key: (parsed.header as z.output<typeof keyHeader> | undefined)?.['idempotency-key'],
      sentBody: body && sentBody,
    }
  }
}
