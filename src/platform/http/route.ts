import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Endpoint } from './endpoint.ts'
import { bodyInput } from './json-body.ts'
import { toJsonSchema } from './json-schema.ts'
import { responseSchema, send, wireAnswer } from './response.ts'
import { withStaged } from './staging.ts'
import { type Part, validator } from './validation.ts'

/** Adds the route of one endpoint: parse, hand over to the endpoint, serialise. */
export function register(server: FastifyInstance, endpoint: Endpoint, context: Context): void {
  const schema = responseSchema(endpoint)
  const parse = requestParser(endpoint)
  server.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    ...(schema ? { schema: { response: { '2xx': toJsonSchema(schema, 'output') } } } : {}),
    handler: async (request, reply) => {
      const caller = request.caller!
      const input = { ...parse(request), caller, context, org: context.database.org(caller.orgId) }
      const answered = await withStaged(endpoint, input, (staged) => endpoint.handle({ ...input, staged }))
      return send(reply, wireAnswer(endpoint, reply, answered))
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
