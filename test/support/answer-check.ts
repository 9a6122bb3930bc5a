import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  kindOf,
  type RefusalCode,
  type RefusalKind,
  refusalCodes,
} from '../../src/platform/error-codes/catalog.ts'
import { Answer, type Endpoint, type Shape } from '../../src/platform/http/endpoint.ts'
import { statuses } from '../../src/platform/http/problem.ts'
import { responseSchema } from '../../src/platform/http/response.ts'
import { Json } from '../../src/platform/json.ts'

const checked = new WeakSet<Endpoint>()

/**
 * Answers 500, and prints a line, if an answer differs from its schema, even by an additional member. The check
 * runs before the serializer, because the serializer silently drops and converts values.
 */
export function checkAnswers(endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) {
    if (checked.has(endpoint)) continue
    checked.add(endpoint)
    const handle = endpoint.handle.bind(endpoint)
    endpoint.handle = async (request) => {
      const answered = await handle(request)
      const { query, body } = request as { query?: object; body?: object }
      const isPartial = [query, body].some((sent) => sent && 'fields' in sent && sent.fields !== undefined)
      const asked = isPartial ? partialOf(endpoint) : endpoint
      const fault = faultOf(asked, answered instanceof Answer ? answered.result : answered)
      if (!fault) return answered
      console.error(`${endpoint.method} ${endpoint.path} does not answer what its schema says: ${fault}`)
      throw new Error(fault)
    }
  }
}

// Schemas are made once: to make and compile one takes longer than to check an answer.
const partialEndpoints = new WeakMap<Endpoint, Endpoint>()
const schemas = new WeakMap<Endpoint, z.ZodType | null>()

function schemaOf(endpoint: Endpoint): z.ZodType | null {
  const known = schemas.get(endpoint)
  if (known !== undefined) return known
  const made = responseSchema(endpoint)
  schemas.set(endpoint, made)
  return made
}

function partialOf(endpoint: Endpoint): Endpoint {
  const made = partialEndpoints.get(endpoint) ?? withoutMembers(endpoint)
  partialEndpoints.set(endpoint, made)
  return made
}

function withoutMembers(endpoint: Endpoint): Endpoint {
  const { response } = endpoint
  const partial = (schema: unknown): z.ZodType => {
    if (schema instanceof z.ZodDiscriminatedUnion) return z.union(schema.options.map(partial))
    if (schema instanceof z.ZodNullable) return partial(schema.unwrap()).nullable()
    if (!(schema instanceof z.ZodObject)) return schema as z.ZodType
    const { record } = schema.shape
    return record ? schema.extend({ record: partial(record) }) : schema.partial()
  }
  if (!response) return endpoint
  const made = response instanceof z.ZodArray ? z.array(partial(response.element)) : partial(response)
  return { ...endpoint, response: made }
}

function faultOf(endpoint: Endpoint, result: unknown): string | null {
  if (endpoint.shape === 'file') return null
  if (!schemaOf(endpoint)) return result === undefined ? null : 'an answer where there should be none'
  return bodyFault(endpoint, bodyOf(endpoint.shape, result))
}

/** Describes the difference; null if there is none. */
export function bodyFault(endpoint: Endpoint, body: unknown): string | null {
  const schema = schemaOf(endpoint)
  if (!schema) return body === null ? null : 'an answer where there should be none'
  const parsed = schema.safeParse(body)
  if (!parsed.success) return parsed.error.message
  return isDeepStrictEqual(parsed.data, body) ? null : `fields that it does not name: ${JSON.stringify(body)}`
}

function bodyOf(shape: Shape, result: unknown): unknown {
  if (shape === 'bare') return plain(result)
  if (shape === 'data') return { data: plain(result), pagination: null }
  const { rows, pagination } = result as { rows: unknown; pagination: unknown }
  return { data: plain(rows), pagination: plain(pagination) }
}

/** Removes `__proto__`, which a schema cannot describe. */
function plain(value: unknown): unknown {
  const text = value instanceof Json ? value.text : JSON.stringify(value)
  // Most answers do not need the reviver, which takes long.
  if (!String(text).includes('__proto__')) return JSON.parse(text)
  return JSON.parse(text, function (key, item) {
    if (key !== '__proto__') return item
    delete (this as Record<string, unknown>)[key]
    return undefined
  })
}

const known: ReadonlySet<unknown> = new Set(refusalCodes)

/** @throws Error for an error code that is not in the catalog, or has another status there */
export function requireCode({ status, body }: { status: number; body: unknown }): void {
  // /readyz has no error code, even above 400.
  if (status < 400 || typeof body !== 'object' || body === null || !('detail' in body)) return
  const code = 'code' in body ? body.code : undefined
  if (
    known.has(code) &&
    (statuses[kindOf<RefusalKind>(code as RefusalCode)] === status || code === 'malformed_request')
  )
    return
  throw new Error(`An answer with the status ${status} has no code of that status: ${JSON.stringify(body)}`)
}
