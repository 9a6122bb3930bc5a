// Writes sdk/src/generated/: the types of all schemas, and a method for each operation, from the document of the API.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pendingStates } from '../sdk/src/wait.ts'
import { apiDocument } from '../src/api-document.ts'
import { projectRoot } from '../src/platform/config.ts'
import { version } from '../src/platform/version.ts'
import { comment, type Schema, typeOf } from './generate-sdk-types.ts'

type Media = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Operation = {
  operationId: string
  summary: string
  description: string
  'x-sdk-method': string
  'x-sdk-shape': 'page' | 'data' | 'bare' | 'none' | 'stream'
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, { content?: Media }>
}
type Method = { name: string; http: string; path: string; operation: Operation; query: Parameter[] }

const banner = '// Written by `npm run generate`. Do not edit.\n'
const { paths, components } = apiDocument(null)
const methods: Method[] = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([http, node]) => {
    const operation = node as Operation
    const query = (operation.parameters ?? []).filter(
      (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
    )
    return { name: operation['x-sdk-method'], http: http.toUpperCase(), path, operation, query }
  }),
)
methods.sort((one, other) => (one.name < other.name ? -1 : 1))

/** The files of sdk/src/generated/ by name. */
export function sdkSources(): Record<string, string> {
  return { 'types.ts': typesSource(), 'resources.ts': resourcesSource(), 'operations.ts': operationsSource() }
}

/** Writes the files of sdk/src/generated/. */
export function writeSdk(): void {
  const folder = join(projectRoot, 'sdk/src/generated')
  mkdirSync(folder, { recursive: true })
  for (const [name, source] of Object.entries(sdkSources())) writeFileSync(join(folder, name), source)
}

const pascal = (text: string) =>
  text.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
const camel = (text: string) => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const queryName = ({ operation }: Method) => `${pascal(operation.operationId)}Query`

function typesSource(): string {
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) => `${comment((schema as Schema).description)}export type ${name} = ${typeOf(schema)}\n`,
  )
  const queries = methods
    .filter(({ query }) => query.length > 0)
    .map((method) => `export type ${queryName(method)} = ${queryType(method)}\n`)
  return [banner, ...schemas, filters, ...queries].join('\n')
}

// Written by hand, because the document does not list a parameter for each operator of each field.
const filters = `/** Filters of lists: \`'version[gt]': 1\`, \`'custom.plan': 'gold'\`. */
export type FieldFilters = {
  [filter: \`\${string}[\${string}]\` | \`custom.\${string}\`]: string | number | boolean | readonly (string | number)[] | null | undefined
}
`

function queryType({ query }: Method): string {
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
  )
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
  const type = typeOf({ type: 'object', properties, required })
  const hasFilters = 'sort' in properties && 'fields' in properties
  return hasFilters ? `${type} & FieldFilters` : type
}

/** A line for each operation: method, HTTP method, path, shape of the answer, and the arguments after the ids. */
function operationsSource(): string {
  const lines = methods.map(({ name, http, path, operation, query }) =>
    [
      ...[name, http, path, operation['x-sdk-shape']],
      ...(operation.requestBody ? ['body'] : []),
      ...(query.length > 0 ? ['query'] : []),
    ].join(' '),
  )
  return [
    banner,
    `export const version = '${version}'\n`,
    `/** What each method sends. A line ends with the names of the arguments that follow the ids of the path. */`,
    `export const operations = \`\n${lines.join('\n')}\n\`\n`,
  ].join('\n')
}

function resourcesSource(): string {
  const names = new Set(methods.flatMap(({ name }) => prefixes(name)))
  const interfaces = [...names].sort().map((name) => interfaceOf(name, [...names]))
  const roots = [...names].filter((name) => !name.includes('.')).sort()
  const members = roots.map((name) => `  declare readonly ${name}: ${interfaceName(name)}\n`)
  return [
    banner,
    `import type { FileBody } from '../body.ts'
import type { AnswerPromise } from '../answer.ts'
import type { CallOptions } from '../options.ts'
import type { PagePromise } from '../page.ts'
import type { WaitOptions } from '../wait.ts'
import type * as types from './types.ts'
`,
    ...interfaces,
    `/** The members of a client. Its constructor makes them. */\nexport class Resources {\n${members.join('')}}\n`,
  ].join('\n')
}

/** The names of the resources that contain a method: `a` and `a.b` for `a.b.verb`. */
function prefixes(name: string): string[] {
  const parts = name.split('.').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

const parentOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf('.')))
const interfaceName = (resource: string) => `${pascal(resource)}Resource`

function interfaceOf(resource: string, all: string[]): string {
  const own = methods.filter(({ name }) => parentOf(name) === resource)
  const inner = all.filter((name) => parentOf(name) === resource).sort()
  const get = own.find(({ name }) => name === `${resource}.get`)
  const lines = [
    ...own.map((method) => comment(describe(method), '  ') + signatureOf(method)),
    ...(get && resource in pendingStates ? [waitSignature(get)] : []),
    ...inner.map((name) => `  readonly ${name.slice(resource.length + 1)}: ${interfaceName(name)}\n`),
  ]
  return `export interface ${interfaceName(resource)} {\n${lines.join('')}}\n`
}

const describe = ({ operation }: Method) => `${operation.summary}.\n\n${operation.description}`

function signatureOf(method: Method): string {
  const { name, operation, query } = method
  const takes = [
    ...idsOf(method),
    ...bodyOf(operation),
    ...(query.length > 0
      ? [`query${query.some(({ required }) => required) ? '' : '?'}: types.${queryName(method)}`]
      : []),
    'options?: CallOptions',
  ]
  return `  ${name.slice(parentOf(name).length + 1)}(${takes.join(', ')}): ${answerOf(operation)}\n`
}

function idsOf({ path, operation }: Method): string[] {
  const parameters = operation.parameters ?? []
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => {
    const found = parameters.find(
      (one): one is Parameter => 'in' in one && one.in === 'path' && one.name === id,
    )
    return `${camel(id)}: ${typeOf(found?.schema ?? {}, 'types.')}`
  })
}

function bodyOf({ requestBody }: Operation): string[] {
  if (!requestBody) return []
  const json = requestBody.content['application/json']
  const isFile = Object.keys(requestBody.content).length > 1
  const type = typeOf(json?.schema ?? {}, 'types.') + (isFile ? ' | FileBody' : '')
  return [`body${requestBody.required ? '' : '?'}: ${type}`]
}

function answerOf(operation: Operation): string {
  const [, success] = Object.entries(operation.responses).find(([status]) => status < '300') ?? []
  const schema = success?.content?.['application/json']?.schema ?? {}
  const data = schema.properties?.data ?? {}
  const shape = operation['x-sdk-shape']
  if (shape === 'none') return 'AnswerPromise<void>'
  if (shape === 'stream') return 'AnswerPromise<ReadableStream<Uint8Array>>'
  if (shape === 'page') return `PagePromise<${typeOf(data.items ?? {}, 'types.')}>`
  return `AnswerPromise<${typeOf(shape === 'bare' ? schema : data, 'types.')}>`
}

function waitSignature({ operation }: Method): string {
  const type = answerOf(operation).slice('AnswerPromise<'.length, -1)
  return `  /** Polls the object until its work has succeeded or failed. Read the \`status\` of the result. */
  wait(id: string, options?: WaitOptions<${type}>): Promise<${type}>\n`
}
