import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { codeSamples } from './code-samples.ts'
import type { Endpoint } from './endpoint.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import {
  answerHeaders,
  commonParameters,
  errorResponse,
  errorResponses,
  headersNamed,
  idempotencyConflictDescription,
  keyedAnswerHeaders,
  sharedComponents,
} from './openapi-components.ts'
import { exampleOf } from './openapi-example.ts'
import { defaultStatus, responseSchema } from './response.ts'
import type { DocumentOperation } from './sdk-arguments.ts'
import { fileTypes } from './send-file.ts'

type Node = Record<string, unknown>

/** A webhook: a request that the server sends. */
export type DescribedWebhook = {
  /** The type of the event, such as `contact.updated`. */
  name: string
  summary: string
  /** The creator of a webhook endpoint needs one of these permissions. */
  permission: readonly string[]
  example: unknown
  schema: z.ZodType
}

export type OpenApiDocument = Node & {
  paths: Record<string, Record<string, Node>>
  components: Record<string, Record<string, Node>>
}

export type DocumentParts = {
  endpoints: readonly Endpoint[]
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  /** The reference shows the tags in this order. */
  tags: readonly { name: string; description: string }[]
  webhooks: Iterable<DescribedWebhook>
  /** The union of all bodies of webhooks; null without webhooks. */
  webhookEvent: z.ZodType | null
  /** The addresses before the paths. An address can be a path on the server that serves the document. */
  servers: readonly string[]
  /** The address of the server in the samples: `https://crosswalk.example.com`. */
  sampleAddress: string
}

/**
 * Describes `endpoints` in OpenAPI 3.1, in steps of some milliseconds. A titled schema becomes a component.
 * @throws Error if two different schemas have the same title
 */
export function* openApiDocument({
  endpoints,
  info,
  tags,
  webhooks,
  webhookEvent,
  servers,
  sampleAddress,
}: DocumentParts): Generator<undefined, OpenApiDocument> {
  const schemas: Record<string, Node> = { ...sharedComponents.schemas }
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {}
    const described = operation(endpoint, schemas)
    described['x-codeSamples'] = codeSamples(endpoint, described as DocumentOperation, sampleAddress)
    operations[endpoint.method.toLowerCase()] = described
    paths[endpoint.path] = operations
    yield
  }
  if (webhookEvent) named(toJsonSchema(webhookEvent, 'output'), schemas)
  const posts: Record<string, Node> = {}
  for (const one of webhooks) {
    posts[one.name] = { post: webhook(one, schemas) }
    yield
  }
  return {
    openapi: '3.1.0',
    info,
    servers: servers.map((url) => ({ url })),
    security: [{ bearer: [] }],
    tags,
    paths,
    webhooks: posts,
    components: { ...sharedComponents, responses: errorResponses, schemas },
  }
}

function webhook(
  { name, summary, permission, example, schema }: DescribedWebhook,
  schemas: Record<string, Node>,
): Node {
  const needs = permission.map((one) => `\`${one}\``).join(' or ')
  return {
    operationId: `on_${name.replaceAll('.', '_')}`,
    summary,
    description: `Sent to webhook endpoints that want this type, if their owner has the permission ${needs}.`,
    tags: ['Webhooks'],
    requestBody: {
      content: { 'application/json': { schema: named(toJsonSchema(schema, 'output'), schemas), example } },
    },
    responses: { '2XX': { description: 'The event was received. Any other answer counts as a failure.' } },
  }
}

function operation(endpoint: Endpoint, schemas: Record<string, Node>): Node {
  const { name, sdk, summary, tag, permission } = endpoint
  const needs = permission
    ? `Needs the permission ${[permission]
        .flat()
        .map((one) => `\`${one}\``)
        .join(' or ')}.`
    : endpoint.audience === 'console'
      ? 'No API key can do this.'
      : 'Every key may do this, whatever its permissions.'
  const body = requestBody(endpoint, schemas)
  return {
    operationId: name,
    summary,
    description: [endpoint.description, needs].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...(permission ? { 'x-permission': permission } : {}),
    'x-sdk-method': sdk,
    'x-sdk-shape': endpoint.shape === 'file' ? 'stream' : endpoint.shape,
    parameters: [
      ...parameters('path', endpoint.params, schemas),
      ...parameters('query', endpoint.query, schemas, endpoint.body ? {} : (endpoint.example as Node)),
      ...parameters('header', endpoint.headers, schemas),
      ...commonParameters(endpoint.method),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: responses(endpoint, schemas),
  }
}

function parameters(
  place: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  schemas: Record<string, Node>,
  examples: Node = {},
): Node[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = named(property as JsonSchema, schemas)
    // The reference fills every example into the request that a person tries: an optional id would match nothing.
    const isId = place === 'path' || (rest.format === 'uuid' && required.includes(name))
    const example = examples[name] ?? (isId ? exampleOf(rest, name) : undefined)
    return {
      name: place === 'header' ? canonical(name) : name,
      in: place,
      // The SDK passes a header as an option of the call.
      ...(place === 'header' ? { 'x-sdk-client': true } : {}),
      ...(required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: rest,
      ...(example === undefined ? {} : { example }),
    }
  })
}

const canonical = (header: string) => header.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

function requestBody(
  { body, streams = [], example, fileExamples }: Endpoint,
  schemas: Record<string, Node>,
): Node | undefined {
  if (!body) return undefined
  const schema = named(toJsonSchema(body, 'input'), schemas)
  return {
    ...(body.safeParse(undefined).success ? {} : { required: true }),
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      ...Object.fromEntries(streams.map((type) => [type, streamContent(type, fileExamples?.csv)])),
    },
  }
}

const streamContent = (type: string, example: string | undefined) =>
  type.startsWith('text/')
    ? { schema: { type: 'string' }, example }
    : { schema: { type: 'string', format: 'binary' } }

function responses(endpoint: Endpoint, schemas: Record<string, Node>): Node {
  const keyed = endpoint.method === 'POST' && endpoint.effect !== 'none'
  const errors = keyed ? withKeyConflict(endpoint.errors) : (endpoint.errors ?? {})
  const status = defaultStatus(endpoint)
  const content = answerContent(endpoint, schemas)
  const failures = new Set([400, 401, 403, 422, 429, 503, ...Object.keys(errors).map(Number)])
  if (endpoint.method !== 'GET') failures.add(413)
  return {
    [status]: {
      description: STATUS_CODES[status],
      headers: {
        ...(keyed ? keyedAnswerHeaders : answerHeaders),
        ...headersNamed(...(endpoint.location ? ['Location'] : []), ...(endpoint.answerHeaders ?? [])),
        ...headersNamed(...(endpoint.shape === 'file' ? ['Content-Disposition'] : [])),
      },
      ...(content ? { content } : {}),
    },
    ...Object.fromEntries(
      [...failures]
        .sort((a, b) => a - b)
        .map((failure) => [failure, errorResponse(failure, errors[failure])]),
    ),
  }
}

function answerContent(endpoint: Endpoint, schemas: Record<string, Node>): Node | null {
  if (endpoint.shape === 'file') return fileContent(endpoint)
  const answer = responseSchema(endpoint)
  if (!answer) return null
  const schema = toJsonSchema(answer, 'output')
  return { 'application/json': { schema: named(schema, schemas), example: exampleOf(schema) } }
}

const fileContent = ({ formats = ['csv'], fileExamples = {} }: Endpoint): Node =>
  Object.fromEntries(
    formats.map((format) => [
      fileTypes[format].replace(/;.*$/, ''),
      { schema: { type: 'string' }, example: fileExamples[format] },
    ]),
  )

function withKeyConflict(errors: Endpoint['errors'] = {}): Record<number, string> {
  return {
    ...errors,
    409: errors[409]
      ? `${errors[409]}. Or: ${idempotencyConflictDescription}`
      : idempotencyConflictDescription,
  }
}

/** Replaces every schema that has a title by a reference, and moves the schema to `components`. */
function named(schema: JsonSchema, components: Record<string, Node>): JsonSchema {
  const deep = (inner: unknown) => named(inner as JsonSchema, components)
  const each = (inner: object) =>
    Object.fromEntries(Object.entries(inner).map(([name, item]) => [name, deep(item)]))
  const copy: JsonSchema = { ...schema }
  if (copy.properties) copy.properties = each(copy.properties)
  for (const key of ['items', 'additionalProperties'] as const)
    if (typeof copy[key] === 'object') copy[key] = deep(copy[key])
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) if (copy[key]) copy[key] = copy[key].map(deep)
  if (schema.discriminator) {
    const discriminator = withMapping(schema, copy.oneOf ?? [])
    if (discriminator) copy.discriminator = discriminator
    else delete copy.discriminator
    // Drop these properties: the members of the union have them.
    for (const key of ['type', 'properties', 'required', 'additionalProperties'] as const) delete copy[key]
  }
  const { title, description, default: usual, examples, ...kept } = copy
  if (!title) return copy
  // Leave out the example of an object: it is large, and the component has it.
  const rest: JsonSchema = kept.type === 'object' && examples ? { ...kept, examples } : kept
  const known = components[title]
  if (known && JSON.stringify(known) !== JSON.stringify(rest))
    throw new Error(`Two different schemas have the title ${title}`)
  components[title] = rest
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description ? { description } : {}),
    ...(usual === undefined ? {} : { default: usual }),
    ...(examples && !rest.examples ? { examples } : {}),
  }
}

/**
 * Returns the discriminator of a schema, with the component for each of its values. Returns null if the values are not
 * texts: OpenAPI maps only texts, and code generators would turn `true` into "true".
 */
function withMapping({ discriminator, oneOf = [] }: JsonSchema, references: JsonSchema[]): Node | null {
  const { propertyName } = discriminator as { propertyName: string }
  const mapping = oneOf.flatMap((member, at) => {
    const property = member.properties?.[propertyName]
    const { const: only, enum: words = [only] } = typeof property === 'object' ? property : {}
    return words.map((word) => [word, references[at]?.$ref])
  })
  if (mapping.some(([word]) => typeof word !== 'string')) return null
  return { propertyName, mapping: Object.fromEntries(mapping) }
}
