import { readFileSync } from 'node:fs'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  examples?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
}

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
export type Response = {
  headers?: Record<string, { schema: Schema }>
  content?: Record<string, { schema: Schema }>
}
export type Operation = {
  operationId: string
  method: string
  path: string
  permission: string[]
  parameters: Parameter[]
  body: { schema: Schema; example: unknown; types: string[] } | null
  responses: Record<string, Response>
}

type Reference = { $ref?: string }
type RawOperation = {
  operationId: string
  'x-permission'?: string | string[]
  parameters: (Parameter & Reference)[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Response & Reference>
}

// The committed document, as clients see it.
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, RawOperation>>
}

/** @throws Error for a broken reference */
export function resolve<T extends object>(node: T): T {
  const { $ref } = node as Reference
  if ($ref === undefined) return node
  let found: unknown = document
  for (const step of $ref.replace('#/', '').split('/')) found = (found as Record<string, unknown>)?.[step]
  if (typeof found !== 'object' || found === null) throw new Error(`${$ref} leads nowhere`)
  return resolve(found as T)
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Operation => {
    const content = operation.requestBody?.content
    return {
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      permission: [operation['x-permission'] ?? []].flat(),
      parameters: operation.parameters.map((parameter) => resolve(parameter)),
      body: content
        ? {
            schema: content['application/json']!.schema,
            example: content['application/json']!.example,
            types: Object.keys(content),
          }
        : null,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          withHeaders(resolve(response)),
        ]),
      ),
    }
  }),
)

function withHeaders(response: Response): Response {
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => [name, resolve(header)])
  return { ...response, headers: Object.fromEntries(headers) }
}

export type Destination =
  | { kind: 'operation'; operation: Operation }
  | { kind: 'options'; allow: string }
  | { kind: 'other method'; allow: string }
  | { kind: 'nowhere' }

const paths = Object.keys(document.paths).map((path) => ({
  path,
  steps: path.split('/'),
  of: operations.filter((operation) => operation.path === path),
}))

/**
 * The operation that answers a request. `target` has a query and no version prefix. Literal segments win over
 * parameters.
 */
export function destinationOf(method: string, target: string): Destination {
  const [path = ''] = target.split(/[?#;]/, 1)
  try {
    decodeURIComponent(path)
  } catch {
    return { kind: 'nowhere' }
  }
  const steps = path.replace(/\/$/, '').split('/').map(decodeURIComponent)
  const fitting = paths
    .filter((each) => each.steps.length === steps.length)
    .filter((each) => each.steps.every((step, at) => step.startsWith('{') || step === steps[at]))
    .sort((one, other) => literals(other.steps) - literals(one.steps))[0]
  if (!fitting) return { kind: 'nowhere' }
  const operation = fitting.of.find((each) => each.method === (method === 'HEAD' ? 'GET' : method))
  if (operation) return { kind: 'operation', operation }
  // OpenAPI 3.1 has no method QUERY. A list treats it like POST …/search.
  const search = operations.find((each) => each.path === `${fitting.path}/search`)
  if (search && method === 'QUERY') return { kind: 'operation', operation: search }
  const methods = fitting.of.map((each) => each.method)
  const more = [...(methods.includes('GET') ? ['HEAD'] : []), ...(search ? ['QUERY'] : [])]
  const allow = [...methods, ...more, 'OPTIONS'].sort().join(', ')
  return { kind: method === 'OPTIONS' ? 'options' : 'other method', allow }
}

const literals = (steps: string[]) =>
  Number(
    steps
      .map((step) => (step.startsWith('{') ? '0' : '1'))
      .join('')
      .padEnd(12, '0'),
  )
