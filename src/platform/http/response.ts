import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { DomainError } from '../domain-error.ts'
import { Json } from '../json.ts'
import { Answer, type Endpoint, type Pagination } from './endpoint.ts'
import { toSerializerSchema } from './json-schema.ts'
import { problemOf } from './problem.ts'
import { sendPieces } from './send-pieces.ts'
import * as shown from './shown.ts'

const pagination = z
  .object({
    has_next: shown.flag('Whether more items follow this page.'),
    limit: shown.count('The largest number of items on a page.', 25),
    next_cursor: z
      .string()
      .nullable()
      .meta({
        description: 'The `cursor` of the next page; null: this page is the last one.',
        examples: [null],
      }),
    page: shown.count('The position of this page, from 1.', 1),
    total: shown.count('How many items the whole list has.', 1),
  })
  .meta({ title: 'Pagination' })

/** The schema of the body of a successful answer; null: the body is empty or a file. */
export function responseSchema(endpoint: Endpoint): z.ZodType | null {
  const data = endpoint.response
  if (endpoint.shape === 'none' || !data) return null
  if (endpoint.shape === 'bare') return data
  return endpoint.shape === 'page' ? z.object({ data, pagination }) : z.object({ data, pagination: z.null() })
}

/** The status of a successful answer, unless the handler chooses another one. */
export function defaultStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.shape === 'none' ? 204 : 200)
}

/** An answer in the form in which it is sent. `body` is null if it is empty. */
export type SerializedAnswer = {
  status: number
  headers: Record<string, string>
  body: Json | null
  /** The ids of the objects whose data `body` shows; undefined: every id in `body`. */
  about?: readonly string[] | undefined
}

type Serializer = (value: unknown) => string

// Make a serializer at its first use: a new server needs only a few.
const serializers = new WeakMap<Endpoint, Serializer>()

function serializerOf(endpoint: Endpoint, reply: FastifyReply): Serializer {
  const made = serializers.get(endpoint)
  if (made) return made
  const schema = responseSchema(endpoint)
  const serializer: Serializer = schema
    ? reply.compileSerializationSchema({ ...toSerializerSchema(schema) })
    : JSON.stringify
  serializers.set(endpoint, serializer)
  return serializer
}

/** The result of a handler, without the other parts of its answer. */
export const resultOf = (answered: unknown): unknown =>
  answered instanceof Answer ? answered.result : answered

/** Turns the result of a handler into an answer. A successful answer is serialized by the endpoint's response schema. */
export function wireAnswer(endpoint: Endpoint, reply: FastifyReply, answered: unknown): SerializedAnswer {
  const answer = answered instanceof Answer ? answered : new Answer(answered, {})
  const status = answer.status ?? defaultStatus(endpoint)
  const serialize = status < 300 ? serializerOf(endpoint, reply) : JSON.stringify
  const headers = status === defaultStatus(endpoint) ? withLocation(endpoint, answer) : answer.headers
  return { status, headers, body: bodyOf(endpoint, answer.result, serialize), about: answer.about }
}

/** Returns the headers of an answer. A created object adds its address. */
function withLocation(
  { location }: Endpoint,
  { headers, result }: Answer<unknown>,
): Answer<unknown>['headers'] {
  if (location === undefined) return headers
  const [place = '', name = ''] = /\{(\w+)\}/.exec(location) ?? []
  const id = memberOf(result, name)
  return id === null ? headers : { ...headers, location: `/api/v1${location.replace(place, String(id))}` }
}

/**
 * Reads a member of an answer. In JSON text, it must be the first member (as ids are): parsing a large record would
 * take too long.
 */
function memberOf(result: unknown, name: string): unknown {
  if (!(result instanceof Json)) return (result as Record<string, unknown>)[name]
  const [, id] = new RegExp(`^\\{"${name}":"([^"]+)"`).exec(result.text) ?? []
  if (id === undefined) throw new Error(`The answer does not begin with ${name}`)
  return id
}

/** Turns a refusal into an answer. */
export function wireRefusal(refusal: DomainError): SerializedAnswer {
  const { status, headers, body } = problemOf(refusal)
  return { status, headers, body: new Json(JSON.stringify(body)) }
}

/** Sends an answer. @param owner the owner of the slices in which a long answer is sent */
export function send(
  reply: FastifyReply,
  owner: string,
  { status, headers, body }: SerializedAnswer,
): FastifyReply | Promise<FastifyReply> {
  reply.code(status).headers(headers)
  if (body === null) return reply.send()
  reply.header('content-type', 'application/json; charset=utf-8')
  return body.pieces.length > 1 ? sendPieces(reply, owner, body.pieces) : reply.send(body.text)
}

function bodyOf({ shape }: Endpoint, result: unknown, serialize: Serializer): SerializedAnswer['body'] {
  switch (shape) {
    case 'none':
    // `sendFile` sends the file as a stream.
    case 'file':
      return null
    case 'bare':
      return result instanceof Json ? result : new Json(serialize(result))
    case 'data':
      return result instanceof Json
        ? result.between('{"data":', ',"pagination":null}')
        : new Json(serialize({ data: result, pagination: null }))
    case 'page': {
      const { rows, pagination } = result as { rows: unknown; pagination: Pagination }
      return rows instanceof Json
        ? rows.between('{"data":', `,"pagination":${JSON.stringify(pagination)}}`)
        : new Json(serialize({ data: rows, pagination }))
    }
  }
}
