import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { Json } from '../json.ts'
import { Answer, type Endpoint, type Pagination } from './endpoint.ts'
import { bodyInput } from './json-body.ts'
import { toJsonSchema } from './json-schema.ts'
import { type Part, validator } from './validation.ts'

const pagination = z
  .object({
    has_next: z.boolean(),
    limit: z.int(),
    next_cursor: z.string().nullable(),
    page: z.int(),
    total: z.int(),
  })
  .meta({ title: 'Pagination' })

/** The whole body that an endpoint answers with: its response schema in the envelope of its shape. */
export function responseSchema(endpoint: Endpoint): z.ZodType | null {
  const data = endpoint.response
  if (endpoint.shape === 'none' || !data) return null
  if (endpoint.shape === 'bare') return data
  return endpoint.shape === 'page' ? z.object({ data, pagination }) : z.object({ data, pagination: z.null() })
}

/** The status of an answer that the handler gives none to. */
export function usualStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.shape === 'none' ? 204 : 200)
}

/** Adds the route of one endpoint: parse, hand over to the endpoint, serialise. */
export function register(server: FastifyInstance, endpoint: Endpoint, context: Context): void {
  const schema = responseSchema(endpoint)
  const status = usualStatus(endpoint)
  const parse = requestParser(endpoint)
  server.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    ...(schema ? { schema: { response: { '2xx': toJsonSchema(schema, 'output') } } } : {}),
    handler: async (request, reply) => {
      const caller = request.caller!
      const input = parse(request)
      const answered = await endpoint.handle({
        ...input,
        caller,
        context,
        org: context.database.org(caller.orgId),
      })
      const answer = answered instanceof Answer ? answered : null
      if (answer) reply.headers(answer.headers)
      reply.code(answer?.status ?? status)
      return send(reply, endpoint, answer ? answer.result : answered)
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
}

function requestParser(endpoint: Endpoint): (request: FastifyRequest) => Parsed {
  const parts: Part[] = []
  if (endpoint.params) parts.push({ in: 'path', schema: endpoint.params })
  if (endpoint.query) parts.push({ in: 'query', schema: endpoint.query })
  if (endpoint.headers) parts.push({ in: 'header', schema: endpoint.headers })
  const validate = validator(parts)
  const validateBody = endpoint.body ? validator([...parts, { in: 'body', schema: endpoint.body }]) : null
  return (request) => {
    const stream = request.body instanceof Readable ? request.body : undefined
    const values = { path: request.params, query: request.query as URLSearchParams, header: request.headers }
    const parsed =
      validateBody && !stream
        ? validateBody({
            ...values,
            body: bodyInput(request.body as Buffer | undefined, request.headers['content-type']),
          })
        : validate(values)
    const streamBytes = stream ? Number(request.headers['content-length'] ?? 0) : 0
    const { path: params, header: headers, query, body } = parsed
    return { params, query, headers, body, stream, streamBytes }
  }
}

function send(reply: FastifyReply, endpoint: Endpoint, result: unknown): FastifyReply {
  switch (endpoint.shape) {
    case 'none':
      return reply.send()
    case 'bare':
      return result instanceof Json ? sendText(reply, result.text) : reply.send(result)
    case 'data':
      return result instanceof Json
        ? sendText(reply, `{"data":${result.text},"pagination":null}`)
        : reply.send({ data: result, pagination: null })
    case 'page': {
      const { rows, pagination } = result as { rows: unknown; pagination: Pagination }
      return rows instanceof Json
        ? sendText(reply, `{"data":${rows.text},"pagination":${JSON.stringify(pagination)}}`)
        : reply.send({ data: rows, pagination })
    }
  }
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}
