import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Org } from '../db/org.ts'
import type { DomainError } from '../domain-error.ts'
import type { Json } from '../json.ts'
import type { EffectTransactions } from './effect-transactions.ts'
import type { RequestingBrowser } from './requesting-browser.ts'
import type { FileAnswer, FileFormat } from './send-file.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Pagination = {
  has_next: boolean
  limit: number
  next_cursor: string | null
  /** The number of the page. The first page is 1. */
  page: number
  total: number
}

/** A result of a handler with headers, a status or other parts that differ from the endpoint's usual answer. */
export class Answer<Result> {
  readonly result: Result
  readonly status: number | undefined
  readonly headers: Record<string, string>
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

export type Request<Params, Query, Headers, Body> = {
  org: Org
  caller: Caller
  context: Context
  /** Facts about the console request; null for an API key. */
  browser: RequestingBrowser | null
  params: Output<Params>
  query: Output<Query>
  headers: Output<Headers>
  body: Output<Body>
  /**
   * Returns a signal that aborts when the client is gone or the server closes. A handler that waits must watch it.
   */
  ended: () => AbortSignal
  /** The unread body, if the endpoint streams its content type. `body` is then undefined. */
  stream: Readable | undefined
  /** The announced size of a stream in bytes; 0 if the client announces none. */
  streamBytes: number
  /** The `charset` of a stream's content type; undefined if the client sends none. */
  streamCharset: string | undefined
}

/**
 * ETag: the version of the object. Content-Location: the address of the canonical record, if the client asked for
 * another id.
 */
export type AnswerHeader = 'ETag' | 'Content-Location'

/**
 * An envelope with `pagination: null`, a page, the result without an envelope, or no body (204). `file` is for GET
 * only, and sends pieces while they are made.
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
 * Input that is stored in separate transactions before the request takes effect: a streamed body is too slow for one
 * transaction, and cannot be read twice.
 */
export type Staging<Params, Query, Headers, Body, Staged> = {
  take(request: Request<Params, Query, Headers, Body>): Promise<Staged>
  /** Deletes the stored input if it did not take effect. */
  drop(org: Org, staged: Staged): Promise<unknown>
}

export type Definition<S extends Shape, Params, Query, Headers, Body, Response, Staged> = {
  method: Method
  /** The path without a version prefix. Parameters are in braces: `/contacts/{contact_id}`. */
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
   * The permission `<resource>:<read|write|manage>`; if it is a list, one of them is enough. null: every key may call
   * the endpoint.
   */
  permission: string | readonly string[] | null
  /** true: the endpoint shows or changes records of everybody, so members whose access to records is limited get 403. */
  needsAllRecords?: true
  /** `console`: only signed-in people reach the endpoint, and openapi.json leaves it out. */
  audience?: 'both' | 'console'
  /**
   * The people who may send a console request: `anyone`, a person without a second factor (`partial`), a person, or by default a
   * person who acts on an org.
   */
  access?: 'anyone' | 'partial' | 'person' | 'org'
  /** True if the person must have confirmed their identity within 10 minutes. */
  confirm?: true
  /**
   * Whether the request changes how a person signs in to all organizations. A session of single sign-on may not send
   * it, because it is valid for one organization only.
   */
  changesAccount?: true
  params?: Params
  query?: Query
  headers?: Headers
  body?: Body
  /** Content types that reach the handler as a stream instead of being parsed. */
  streams?: readonly string[]
  /** An error text for an invalid body that says what to send. */
  expectedBody?: string
  /** Members that do not belong in the body, each with its right place. */
  misplaced?: Readonly<Record<string, string>>
  /** Parameters that the query does not have, each with what to send instead. */
  misplacedQuery?: Readonly<Record<string, string>>
  /** The path of the endpoint that takes a list of such bodies. */
  takesMany?: string
  /** Whether the work can take long, even for a small body. Only a few such requests of an org run at once. */
  isLong?: boolean
  /** The maximum size of a JSON body in bytes; 1 MiB by default. */
  bodyLimit?: number
  status?: number
  shape: S
  /** The formats in which a file can be requested; CSV by default. */
  formats?: readonly FileFormat[]
  response?: Response
  /**
   * The address of the created object: `/contacts/{contact_id}`. If this member of the answer is
   * null, nothing was created.
   */
  location?: string
  /** Headers of a successful answer that most endpoints do not have. */
  answerHeaders?: readonly AnswerHeader[]
  /** Other statuses of the answer, each with its cause. */
  errors?: Record<number, string>
  example?: unknown
  /** Examples of a file that it answers or reads, by format. JSON answers have examples in their schemas. */
  fileExamples?: Readonly<Partial<Record<FileFormat, string>>>
  staging?: Staging<Params, Query, Headers, Body, Staged>
  /**
   * Why a caller may not get a stored answer; null if the caller may. Needed if the permission depends on the
   * request.
   */
  refusesStored?(caller: Caller, shown: Record<string, unknown>): DomainError | null
  /** The number of days for which the answer of an idempotency key is stored; 1 by default. */
  storedDays?: number
  /**
   * `outside`: the effect, such as a phone call, cannot be rolled back. The handler gets `once`, which commits before
   * and after one attempt. `none`: no answer is stored for an Idempotency-Key.
   */
  effect?: 'database' | 'outside' | 'none'
  /** A path at which the method QUERY (RFC 10008) calls this endpoint too. */
  alsoQuery?: string
  /**
   * The member with the id of the object whose secret the answer shows. An answer with a secret is stored
   * sealed.
   */
  holdsSecret?: string
  /**
   * May run again, and may commit within a transaction that commits later (see platform/idempotency). Work that must
   * wait for that commit belongs in `tx.afterCommit`.
   */
  handle(
    request: Omit<Request<Params, Query, Headers, Body>, 'stream' | 'streamBytes' | 'streamCharset'> & {
      staged: Staged
      once: EffectTransactions
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
  handle(request: AnyRequest & { staged: unknown; once: EffectTransactions }): Promise<unknown>
}

export type AnyRequest = Request<unknown, unknown, unknown, unknown>

/** Router, parser, serializer, openapi.json and tests read this one value. */
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
