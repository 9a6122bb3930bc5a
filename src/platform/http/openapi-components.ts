import { errorCodes, everyCode } from '../error-codes/catalog.ts'
import type { Method } from './endpoint.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { toJsonSchema } from './json-schema.ts'

type Node = Record<string, unknown>

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })

/** The components that every operation refers to: authentication, common headers, and errors. */
export const sharedComponents = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of an organization: `svc_live_…` or `svc_test_…`.',
    },
  },
  parameters: {
    OrgId: {
      name: 'X-Org-Id',
      in: 'header',
      'x-sdk-client': true,
      schema: { type: 'string', format: 'uuid' },
      description:
        'A guard against a wrong key: if the header names an organization other than the key’s, the answer is 403.',
    },
    TargetOrgId: {
      name: 'X-Target-Org-Id',
      in: 'header',
      'x-sdk-client': true,
      schema: { type: 'string', format: 'uuid' },
      description:
        'For agency keys: the id of the client organization to act on. For other keys the header has no effect.',
    },
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      'x-sdk-client': true,
      schema: { type: 'string', pattern: '^[\\w.:/+=-]{1,128}$' },
      description:
        'An id for this request, which the answer and the logs repeat. By default the server creates an id.',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      'x-sdk-client': true,
      schema: toJsonSchema(idempotencyKey, 'input'),
      description:
        'A text that is new for each request, such as a UUID. If you send the same request again with the same idempotency key, the request takes effect once, and you get the first answer again.',
    },
  },
  headers: {
    'X-Request-Id': {
      schema: { type: 'string' },
      description: 'The id of this request. Name it when you report a problem.',
    },
    'X-RateLimit-Limit-Second': {
      schema: { type: 'integer' },
      description: 'The maximum number of requests in any second.',
    },
    'X-RateLimit-Limit-Minute': {
      schema: { type: 'integer' },
      description: 'The maximum number of requests in any minute.',
    },
    'X-RateLimit-Remaining': {
      schema: { type: 'integer' },
      description: 'How many requests you can still send in the current minute.',
    },
    'X-RateLimit-Reset': {
      schema: { type: 'integer' },
      description: 'The Unix time in seconds at which you can send more requests again.',
    },
    'RateLimit-Policy': {
      schema: { type: 'string', examples: ['"burst";q=50;w=1, "sustained";q=1000;w=60'] },
      description: 'The two rate limits, in the format of the IETF draft.',
    },
    RateLimit: {
      schema: { type: 'string', examples: ['"sustained";r=999;t=60'] },
      description: 'The remaining requests (`r`), and the seconds until more are allowed (`t`).',
    },
    'Retry-After': {
      schema: { type: 'integer', minimum: 1 },
      description: 'Seconds to wait before retrying.',
    },
    ETag: {
      schema: { type: 'string', pattern: '^"[0-9]+"$', examples: ['"3"'] },
      description: 'The version in quotes, for If-Match.',
    },
    Location: {
      schema: { type: 'string' },
      description: 'The address at which the created object can be read.',
    },
    'Content-Location': {
      schema: { type: 'string' },
      description: 'The address of the canonical record, into which the requested record was merged.',
    },
    'Content-Disposition': {
      schema: { type: 'string' },
      description: 'The name of the file: `attachment; filename="contacts-2026-11-22.csv"`.',
    },
    'Idempotent-Replayed': {
      schema: { type: 'string', const: 'true' },
      description: 'True if this is the stored answer to an earlier request with the same Idempotency-Key.',
    },
    'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' }, description: 'How to authenticate.' },
  },
  schemas: {
    Problem: {
      type: 'object',
      required: ['detail', 'code'],
      properties: {
        detail: { type: 'string', description: 'The problem, and how to solve it.' },
        code: { ...ref('schemas', 'ErrorCode'), description: 'The problem, for programs.' },
      },
    },
    ErrorCode: { type: 'string', enum: everyCode },
    ValidationCode: { type: 'string', enum: Object.keys(errorCodes.unprocessable) },
    ValidationError: {
      type: 'object',
      required: ['detail', 'code'],
      properties: {
        detail: {
          type: 'array',
          items: ref('schemas', 'ValidationDetail'),
          description: 'All problems of the request, at most 1,000.',
        },
        code: { ...ref('schemas', 'ValidationCode'), description: 'The kind of problem, for programs.' },
      },
    },
    ValidationDetail: {
      type: 'object',
      required: ['type', 'loc', 'msg'],
      properties: {
        type: {
          type: 'string',
          description: 'The validation rule that the input violates.',
          examples: ['missing'],
        },
        loc: {
          type: 'array',
          items: { type: ['string', 'integer'] },
          description:
            'The place: `path`, `query`, `header` or `body`, and the names and positions within it.',
          examples: [['body', 'name']],
        },
        msg: {
          type: 'string',
          description: 'A sentence that describes the problem.',
          examples: ['Field required'],
        },
        ctx: { type: 'object', description: 'Values that explain the problem, such as the limit.' },
      },
    },
  },
}

/** The headers of every answer to a valid key. */
export const answerHeaders: Node = headersNamed(
  'X-Request-Id',
  'X-RateLimit-Limit-Second',
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
)

/** The headers of an answer that may be a stored answer. */
export const keyedAnswerHeaders: Node = { ...answerHeaders, ...headersNamed('Idempotent-Replayed') }

/** Returns the headers that a request with this method may have. */
export function commonParameters(method: Method): Node[] {
  const names = ['OrgId', 'TargetOrgId', 'RequestId', ...(method === 'POST' ? ['IdempotencyKey'] : [])]
  return names.map((name) => ref('parameters', name))
}

/** The text about Idempotency-Keys that follows an endpoint's own description of 409. */
export const idempotencyConflictDescription =
  'A request with this Idempotency-Key is running right now (Retry-After), or its answer is no longer available'

const errors: Record<number, { name: string; description: string; headers?: string[] }> = {
  400: {
    name: 'BadRequest',
    description:
      'The body is not UTF-8. Or a header is misspelled: it begins with X-Target-, X-TargetOrg, Target-Org, X-Org, Idempot or X-Idempot, and is not X-Target-Org-Id, X-Org-Id or Idempotency-Key.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing or not valid.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The key lacks the permission, or X-Org-Id or X-Target-Org-Id names an organization that the key may not act on.',
  },
  404: {
    name: 'NotFound',
    description: 'The organization has no such object.',
    headers: ['Idempotent-Replayed'],
  },
  409: {
    name: 'Conflict',
    description: 'The state of the object does not allow the change.',
    headers: ['Retry-After', 'Idempotent-Replayed'],
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  422: {
    name: 'Invalid',
    description: 'The request does not fit the schema. The answer lists all problems.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The organization sent more requests than it may in a second or a minute: wait for Retry-After seconds.',
    headers: ['Retry-After'],
  },
  503: {
    name: 'Unavailable',
    description:
      'The server cannot answer now, for example because the database does not answer. Nothing was changed. Try again.',
    headers: ['Retry-After'],
  },
}

/** The errors that mean the same for every endpoint, by component name. */
export const errorResponses: Record<string, Node> = Object.fromEntries(
  Object.entries(errors).map(([status, { name, description }]) => [
    name,
    describeError(Number(status), description),
  ]),
)

/** Returns the answer with an error status. An endpoint may have its own description. */
export function errorResponse(status: number, description?: string): Node {
  const usual = errors[status]
  return usual && description === undefined
    ? ref('responses', usual.name)
    : describeError(status, description ?? '')
}

function describeError(status: number, description: string): Node {
  const schema = ref('schemas', status === 422 ? 'ValidationError' : 'Problem')
  return {
    description,
    headers: { ...answerHeaders, ...headersNamed(...(errors[status]?.headers ?? [])) },
    content: { 'application/json': { schema } },
  }
}

/** Returns references to shared headers. */
export function headersNamed(...names: string[]): Node {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}
