import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Org } from '../db/org.ts'
import type { DomainError } from '../domain-error.ts'
import type { Json } from '../json.ts'
import type { Once } from './once.ts'

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

/** A result together with what differs from the endpoint's usual answer. */
export class Answer<Result> {
  readonly result: Result
  readonly status: number | undefined
  readonly headers: Record<string, string>
  /** The ids of the objects whose data it shows; undefined: all ids in the object that it shows. */
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

/** What a handler gets: its org, who calls, and what the schemas made of the request. */
export type Request<Params, Query, Headers, Body> = {
  org: Org
  caller: Caller
  context: Context
  params: Output<Params>
  query: Output<Query>
  headers: Output<Headers>
  body: Output<Body>
  /** The request's body, unread, where the endpoint streams its content type; then `body` is undefined. */
  stream: Readable | undefined
  /** How many bytes of a stream the client announces; 0 if it does not say. */
  streamBytes: number
  /** The `charset` of a stream's content type; undefined if the client does not say. */
  streamCharset: string | undefined
}

/** Of what has a version: that; where another record stands for the one asked for: its address. */
export type AnswerHeader = 'ETag' | 'Content-Location'

/**
 * How a result becomes a body: enveloped with `pagination: null`, as a page, as it is, or not at all (204). `csv`, for a GET
 * alone, sends the pieces of a file as they come.
 */
export type Shape = 'data' | 'page' | 'bare' | 'none' | 'csv'

type Result<S extends Shape, Schema> = S extends 'none'
  ? undefined
  : S extends 'csv'
    ? AsyncGenerator<string, void>
    : S extends 'page'
      ? { rows: Output<Schema> | Json; pagination: Pagination }
      : Output<Schema> | Json

/**
 * What a request takes in before it takes effect, in transactions of its own: a body that streams can neither hold one
 * open nor be read again.
 */
export type Staging<Params, Query, Headers, Body, Staged> = {
  take(request: Request<Params, Query, Headers, Body>): Promise<Staged>
  /** Forgets what was taken in, unless it took effect. */
  drop(org: Org, staged: Staged): Promise<unknown>
}

export type Definition<S extends Shape, Params, Query, Headers, Body, Response, Staged> = {
  method: Method
  /** Without a version prefix; parameters in braces: `/contacts/{contact_id}`. */
  path: string
  /** The operationId: verb and noun, snake_case. */
  name: string
  /** Its method in the SDK: resources in camelCase, and a verb: `crm.leads.push`. Listed in sdk/methods.txt. */
  sdk: `${string}.${string}`
  summary: string
  description?: string
  tag: string
  /** `<resource>:<read|write|manage>` that the caller needs, or several of which one will do; null: every key will. */
  permission: string | readonly string[] | null
  params?: Params
  query?: Query
  headers?: Headers
  body?: Body
  /** Content types that reach the handler as a stream instead of being parsed. */
  streams?: readonly string[]
  /** What to send, for whoever sends a body that is nothing of the kind. */
  expectedBody?: string
  /** Its work may take long, whatever the size of its body: only a few of an org run at once. */
  isLong?: boolean
  /** Largest JSON body in bytes; 1 MiB unless told. */
  bodyLimit?: number
  status?: number
  shape: S
  response?: Response
  /**
   * Where the created object can be read: `/contacts/{contact_id}`. The parameter is a member of the answer; if that is null,
   * nothing was created.
   */
  location?: string
  /** Headers of a success that other endpoints do not have. */
  answerHeaders?: readonly AnswerHeader[]
  /** Other statuses that the handler answers, and when. */
  errors?: Record<number, string>
  /** A body, or the query of an endpoint without one, that a reader of the reference can send as it is. */
  example?: unknown
  staging?: Staging<Params, Query, Headers, Body, Staged>
  /**
   * Why a caller may not get a stored answer; null: it may. For endpoints whose permission depends on the request.
   * `shown` is the object that the answer shows.
   */
  refusesStored?(caller: Caller, shown: Record<string, unknown>): DomainError | null
  /** For how many days the answer of an idempotency key is stored; 1 by default. */
  storedDays?: number
  /**
   * Where what it does happens. `outside`, such as a phone call, no transaction can hold: the handler gets `once`, commits
   * before and after the effect, and itself sees that it is attempted once. Without any effect (`none`), no answer is kept
   * for an Idempotency-Key.
   */
  effect?: 'database' | 'outside' | 'none'
  /** The path at which the method QUERY (RFC 10008) asks the same. */
  alsoQuery?: string
  /** For an answer with a secret: the member with the id of the secret's object. Such an answer is stored sealed. */
  holdsSecret?: string
  /**
   * Does what is asked. It may run again, and what it commits may be part of a transaction that commits later (see
   * platform/idempotency): what has to wait for that goes to `tx.afterCommit`.
   */
  handle(
    request: Omit<Request<Params, Query, Headers, Body>, 'stream' | 'streamBytes' | 'streamCharset'> & {
      staged: Staged
      once: Once
    },
  ): Promise<Result<S, Response> | Answer<Result<S, Response>>>
}

/** An endpoint whose types are no longer known: what routers, documents and tests read. */
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

/** A request whose types are no longer known. */
export type AnyRequest = Request<unknown, unknown, unknown, unknown>

/** Defines an endpoint: the one value that router, parser, serializer, openapi.json and tests read. */
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
