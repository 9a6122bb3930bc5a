import type { JsonSchema } from './json-schema.ts'

type Media = Record<string, { schema: JsonSchema; example?: unknown }>

export type DocumentParameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

/** The parts of an operation that determine the signature of its SDK method. */
export type DocumentOperation = {
  operationId: string
  summary: string
  description: string
  'x-sdk-method': string
  'x-sdk-shape': 'page' | 'data' | 'bare' | 'none' | 'stream'
  parameters: (DocumentParameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, { content?: Media }>
}

/** An argument of a method of the SDK. `isFile`: the body may also be sent as a file. */
export type SdkArgument =
  | { kind: 'id'; parameter: DocumentParameter }
  | { kind: 'body'; required: boolean; schema: JsonSchema; isFile: boolean }
  | { kind: 'query'; required: boolean; parameters: DocumentParameter[] }

/**
 * The arguments of the SDK's method: ids of the path, body, query. The SDK and the reference's samples use this
 * order.
 */
export function sdkArguments(path: string, operation: DocumentOperation): SdkArgument[] {
  const { parameters, requestBody } = operation
  const placed = (place: string) =>
    parameters.filter((one): one is DocumentParameter => 'in' in one && one.in === place)
  const ids = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
    placed('path').filter((parameter) => parameter.name === name),
  )
  const query = placed('query')
  const required = query.some((parameter) => parameter.required)
  return [
    ...ids.map((parameter) => ({ kind: 'id' as const, parameter })),
    ...(requestBody ? [bodyArgument(requestBody)] : []),
    ...(query.length > 0 ? [{ kind: 'query' as const, required, parameters: query }] : []),
  ]
}

function bodyArgument({ required = false, content }: NonNullable<DocumentOperation['requestBody']>) {
  const schema = content['application/json']?.schema ?? {}
  return { kind: 'body' as const, required, schema, isFile: Object.keys(content).length > 1 }
}

/** Returns the schema of the result of the SDK's method. */
export function sdkAnswer({ responses, 'x-sdk-shape': shape }: DocumentOperation): JsonSchema {
  const [, success] = Object.entries(responses).find(([status]) => status < '300') ?? []
  const schema = success?.content?.['application/json']?.schema ?? {}
  return shape === 'bare' ? schema : ((schema.properties?.data ?? {}) as JsonSchema)
}
