import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Org } from '../db/org.ts'
import type { DomainError } from '../domain-error.ts'
import type { Json } from '../json.ts'
import type { Once } from './once.ts'
import type { FileAnswer, FileFormat } from './send-file.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The `pagination` of a list (developer-api.md, "Pagination object"). */
export type Pagination = {
  has_next: boolean
  limit: number
  next_cursor: string | null
  /** 1-indexed. */
  page: number
  total: number
}

/** The result of a handler, and the parts of its answer that differ from the endpoint's usual answer. */
export class Answer<Result> {
  readonly result: Result
  readonly status: number | undefined
  readonly headers: Record<string, string>
  /** The ids of the objects whose data the answer shows; undefined: all ids in the object that the answer shows. */
  readonly about: readonly string[] | undefined
  constructor(result: Result, { status, headers = {}, about }: AnswerOptions) {
    this.result = result
    this.status = status
    this.headers = headers
    this.about = about
  }
}

type AnswerOptions = { status?: number; headers?: Record<string, string>; about?: readonly string[] }

type Output<Schema> = unknown extends Schema
  ? unknown
  : Schema extends z.ZodType
    ? z.output<Schema>
    : undefined

/** The request that a handler gets: the org, the caller, and the values that the schemas parsed. */
export type Request<Params, Query, Headers, Body> = {
  org: Org
  caller: Caller
  context: Context
  params: Output<Params>
  query: Output<Query>
  headers: Output<Headers>
  body: Output<Body>
  /** The unread body, if the endpoint streams its content type. Then `body` is undefined. */
  stream: Readable | undefined
  /** The number of bytes that the client announces for a stream; 0 if it announces none. */
  streamBytes: number
  /** The `charset` of a stream's content type; undefined if the client sends none. */
  streamCharset: string | undefined
}

/** ETag has the version of the object. Content-Location has the address of the canonical record, if another id was requested. */
export type AnswerHeader = 'ETag' | 'Content-Location'

/**
 * The form of the body: an envelope with `pagination: null`, a page, the result without an envelope, or no body (204).
 * `file` is for GET only, and sends the pieces of a file as they are produced.
 */
export type Shape = 'data' | 'page' | 'bare' | 'none' | 'file'

type Result<S extends Shape, Schema> = S extends 'none'
  ? undefined
  : S extends 'file'
    ? FileAnswer
    : S extends 'page'
      ? { rows: Output<Schema> | Json; pagination: Pagination }
      : Output<Schema> | Json

/**
 * Input that is stored before the request takes effect, in separate transactions. A streamed body needs this: it is too
 * slow for one transaction, and cannot be read again.
 */
export type Staging<Params, Query, Headers, Body, Staged> = {
  take(request: Request<Params, Query, Headers, Body>): Promise<Staged>
  /** Deletes the stored input, unless it took effect. */
  drop(org: Org, staged: Staged): Promise<unknown>
}

export type Definition<S extends Shape, Params, Query, Headers, Body, Response, Staged> = {
  method: Method
  /** Without a version prefix. Parameters are in braces: `/contacts/{contact_id}`. */
  path: string
  /** The operationId: a verb and a noun in snake_case. */
  name: string
  /**
   * The method of the SDK that calls the endpoint: resources in camelCase, then a verb (`crm.leads.push`). Listed in
   * sdk/methods.txt.
   */
  sdk: `${string}.${string}`
  summary: string
  description?: string
  tag: string
  /**
   * The permission `<resource>:<read|write|manage>` that the caller needs. If this is a list, the caller needs only
   * one of them. null: every key may call the endpoint.
   */
  permission: string | readonly string[] | null
  params?: Params
  query?: Query
  headers?: Headers
  body?: Body
  /** Content types that reach the handler as a stream instead of being parsed. */
  streams?: readonly string[]
  /** Tells a client that sent an invalid body what to send. */
  expectedBody?: string
  /** For members that the body does not have: where each of them belongs. */
  misplaced?: Readonly<Record<string, string>>
  /** True if the work may take long, whatever the size of the body. Only a few such requests of an org run at once. */
  isLong?: boolean
  /** The maximum size of a JSON body in bytes; 1 MiB by default. */
  bodyLimit?: number
  status?: number
  shape: S
  /** The formats in which a file can be requested; CSV by default. */
  formats?: readonly FileFormat[]
  response?: Response
  /**
   * The address of the created object: `/contacts/{contact_id}`. The parameter is a member of the answer. If this
   * member is null, nothing was created.
   */
  location?: string
  /** Headers of a successful answer that most endpoints do not have. */
  answerHeaders?: readonly AnswerHeader[]
  /** Other statuses that the handler may answer, each with its cause. */
  errors?: Record<number, string>
  /** A valid body, or a valid query if the endpoint has no body. Readers of the reference can send it unchanged. */
  example?: unknown
  /** Examples of a file that it answers or reads, by format. JSON answers have examples in their schemas. */
  fileExamples?: Readonly<Partial<Record<FileFormat, string>>>
  staging?: Staging<Params, Query, Headers, Body, Staged>
  /**
   * The reason why a caller may not get a stored answer; null if the caller may get it. Endpoints whose permission
   * depends on the request need this. `shown` is the object that the answer shows.
   */
  refusesStored?(caller: Caller, shown: Record<string, unknown>): DomainError | null
  /** The number of days for which the answer of an idempotency key is stored; 1 by default. */
  storedDays?: number
  /**
   * The place of the endpoint's effect. A phone call, for example, is `outside`, because no transaction can undo it.
   * Then the handler gets `once`, commits before and after the effect, and ensures that the effect is attempted once.
   * With `none`, no answer is stored for an Idempotency-Key.
   */
  effect?: 'database' | 'outside' | 'none'
  /** A path at which the method QUERY (RFC 10008) calls this endpoint too. */
  alsoQuery?: string
  /**
   * For an answer with a secret: the member with the id of the object that the secret belongs to. Such an answer is
   * stored sealed.
   */
  holdsSecret?: string
  /**
   * Handles a request. It may run again, and its commit may be a part of a transaction that commits later (see
   * platform/idempotency). Pass work that must wait for that later commit to `tx.afterCommit`.
   */
  handle(
    request: Omit<Request<Params, Query, Headers, Body>, 'stream' | 'streamBytes' | 'streamCharset'> & {
      staged: Staged
      once: Once
    },
  ): Promise<Result<S, Response> | Answer<Result<S, Response>>>
}

/** An endpoint without its specific types. Routers, documents and tests read it. */
export type Endpoint = Omit<
  Definition<Shape, unknown, unknown, unknown, unknown, unknown, unknown>,
  'handle'
> & {
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  response?: z.ZodType
  handle(request: AnyRequest & { staged: unknown; once: Once }): Promise<unknown>
}

/** A request without its specific types. */
export type AnyRequest = Request<unknown, unknown, unknown, unknown>

/** Defines an endpoint. Router, parser, serializer, openapi.json and tests read this one value. */
export function endpoint<
  S extends Shape,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Headers extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  Staged = undefined,
>(definition: Definition<S, Params, Query, Headers, Body, Response, Staged>): Endpoint {
  return definition as unknown as Endpoint
}
