import type { FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import type { FindByValue } from './find-by-value.ts'
import { isJsonContentType } from './json-body.ts'
import { schemaMembers } from './unknown-names.ts'
import { type Detail, withExpected, withMisplaced } from './validation.ts'

/** Larger bodies are not searched for a comma: it would block the thread. */
const searchedBytes = 16 * 1024

const inHeader = 'the key in the header Authorization: Bearer <api_key>, never in an address'
const keyInQuery = Object.fromEntries(
  ['api_key', 'apikey', 'apiKey', 'api_token', 'access_token', 'token'].map((name) => [name, inHeader]),
)

export type PathHints = {
  /** Suggests a path for an address. */
  nearest: (url: string) => string | undefined
  findByValue: FindByValue
}

/** Returns the details of a 422 with texts that say what to send instead. */
export function explained(
  details: readonly Detail[],
  request: FastifyRequest,
  hints: PathHints,
): readonly Detail[] {
  const { endpoint } = request.routeOptions.config
  const { misplaced = {}, misplacedQuery = {} } = endpoint ?? {}
  const isJson = details.every(({ type }) => type !== 'json_invalid')
  const expected = expectedBody(endpoint, request, isJson)
  let known = expected === undefined ? details : withExpected(details, expected)
  known = withMisplaced(known, 'query', { ...keyInQuery, ...misplacedQuery })
  known = withMisplaced(known, 'body', misplaced)
  return known.map((detail) => withComma(withPath(detail, request, hints), request.body))
}

function expectedBody(
  endpoint: Endpoint | undefined,
  { raw, body }: FastifyRequest,
  isJson: boolean,
): string | undefined {
  if (endpoint?.expectedBody !== undefined) return endpoint.expectedBody
  const contentType = raw.headersDistinct?.['content-type']?.[0]
  // curl sends the content type of a form.
  if (!isJsonContentType(contentType))
    return `JSON with the header Content-Type: application/json; the Content-Type of this request is ${contentType?.slice(0, 100)}`
  if (!(body instanceof Buffer) || body.length === 0)
    return endpoint?.body && 'a JSON object with Content-Type: application/json; this request has no body'
  if (!endpoint?.body || !isJson || !/^\s*\[/.test(body.toString('latin1', 0, 100))) return undefined
  if (schemaMembers(endpoint.body).includes('items'))
    return 'an object with the list as a member: {"items": […]}'
  return endpoint.takesMany === undefined
    ? 'one object, not a list'
    : `one object; POST ${endpoint.takesMany} takes {"items": […]}`
}

/** A path such as /contacts/exports is read as a contact with the id "exports". */
function withPath(detail: Detail, request: FastifyRequest, { nearest, findByValue }: PathHints): Detail {
  const [place, parameter] = detail.loc
  if (detail.type !== 'uuid_parsing' || place !== 'path') return detail
  const path = nearest(request.url)
  if (path !== undefined) return { ...detail, ctx: { ...detail.ctx, nearest: path } }
  const expected = findByValue(request.routeOptions.config.endpoint, parameter, request.url)
  return expected === undefined ? detail : { ...detail, ctx: { ...detail.ctx, expected } }
}

/** JavaScript allows a comma after the last member, and JSON does not. */
function withComma(detail: Detail, body: unknown): Detail {
  const at = detail.loc[1]
  if (detail.type !== 'json_invalid' || typeof at !== 'number') return detail
  if (!(body instanceof Buffer) || body.length > searchedBytes) return detail
  const characters = [...body.toString()]
  const isComma = /[}\]]/.test(characters[at] ?? '') && /,\s*$/.test(characters.slice(0, at).join(''))
  return isComma ? { ...detail, ctx: { ...detail.ctx, expected: 'no comma after the last member' } } : detail
}
