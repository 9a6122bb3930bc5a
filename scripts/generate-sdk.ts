// Writes the typed client of a document: sdk/src/generated/ for the API, and console/src/api/generated/ for the
// endpoints that only the console reaches.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idAfter, pathOf } from '../sdk/src/methods.ts'
import { pendingStates } from '../sdk/src/wait.ts'
import { apiDocument } from '../src/api-document.ts'
import { consoleDocument } from '../src/console-document.ts'
import { projectRoot } from '../src/platform/config.ts'
import type { OpenApiDocument } from '../src/platform/http/openapi.ts'
import {
  type DocumentOperation,
  type DocumentParameter,
  type SdkArgument,
  sdkAnswer,
  sdkArguments,
} from '../src/platform/http/sdk-arguments.ts'
import { version } from '../src/platform/version.ts'
import { comment, type Schema, typeOf } from './generate-sdk-types.ts'

type Method = {
  name: string
  http: string
  path: string
  operation: DocumentOperation
  takes: SdkArgument[]
}

const banner = '// Written by `npm run generate`. Do not edit.\n'

/** The sources of both clients, by their path in the project. */
export function sdkSources(): Record<string, string> {
  return {
    ...clientSources(apiDocument(null), 'sdk/src/generated', '..'),
    ...clientSources(consoleDocument(), 'console/src/api/generated', '../../../../sdk/src'),
  }
}

export function writeSdk(): void {
  for (const [path, source] of Object.entries(sdkSources())) {
    mkdirSync(join(projectRoot, path, '..'), { recursive: true })
    writeFileSync(join(projectRoot, path), source)
  }
}

/** @param sdk the path from `folder` to the SDK's sources */
function clientSources(document: OpenApiDocument, folder: string, sdk: string): Record<string, string> {
  const methods = methodsIn(document)
  const schemas = (document.components.schemas ?? {}) as Schemas
  return {
    [`${folder}/types.ts`]: typesSource(methods, schemas),
    [`${folder}/resources.ts`]: resourcesSource(methods, schemas, sdk),
    [`${folder}/operations.ts`]: operationsSource(methods),
  }
}

type Schemas = Record<string, Schema>

function methodsIn({ paths }: OpenApiDocument): Method[] {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([http, node]) => {
      const operation = node as DocumentOperation
      const takes = sdkArguments(path, operation)
      return { name: operation['x-sdk-method'], http: http.toUpperCase(), path, operation, takes }
    }),
  )
  return methods.sort((one, other) => (one.name < other.name ? -1 : 1))
}

const pascal = (text: string) =>
  text.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
const camel = (text: string) => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const queryName = ({ operation }: Method) => `${pascal(operation.operationId)}Query`

function typesSource(methods: Method[], schemas: Schemas): string {
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`,
  )
  const queries = methods.flatMap((method) =>
    method.takes.flatMap((argument) =>
      argument.kind === 'query'
        ? [`export type ${queryName(method)} = ${queryType(argument.parameters)}\n`]
        : [],
    ),
  )
  return [banner, ...types, filters, ...queries].join('\n')
}

// The document does not list each operator of each field.
const filters = `/** Filters of lists: \`'version[gt]': 1\`, \`'custom.plan': 'gold'\`. */
export type FieldFilters = {
  [filter: \`\${string}[\${string}]\` | \`custom.\${string}\`]: string | number | boolean | readonly (string | number)[] | null | undefined
}
`

function queryType(query: DocumentParameter[]): string {
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [
      name,
      (description ? { ...schema, description } : schema) as Schema,
    ]),
  )
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
  const type = typeOf({ type: 'object', properties, required })
  const hasFilters = 'sort' in properties && 'fields' in properties
  return hasFilters ? `${type} & FieldFilters` : type
}

/** A path without the names of ids that the SDK derives. */
const shortPath = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (all, id: string, at: number) =>
    id === idAfter(path.slice(0, at)) ? '{}' : all,
  )

/** The beginning that all paths share. */
function commonPath(paths: readonly string[]): string {
  let common = paths[0] ?? ''
  while (!paths.every((path) => `${path}/`.startsWith(`${common}/`)))
    common = common.slice(0, common.lastIndexOf('/'))
  return common
}

/**
 * A line for each resource has its name, and the beginning of its paths if the name does not imply it. Then a line for
 * each method has its verb, the HTTP method, the rest of the path, the shape of the answer, and the arguments after the
 * ids. Ids have a name only if the path does not imply it. This form has half the compressed size of a table with
 * complete paths.
 */
function operationsSource(methods: Method[]): string {
  const resources = Map.groupBy(methods, ({ name }) => name.slice(0, name.lastIndexOf('.')))
  const lines = [...resources].flatMap(([resource, own]) => {
    const base = shortPath(commonPath(own.map(({ path }) => path)))
    return [
      base === pathOf(resource) ? resource : `${resource} ${base}`,
      ...own.map(({ name, http, path, operation, takes }) =>
        [
          ...[
            '',
            name.slice(resource.length + 1),
            http,
            shortPath(path).slice(base.length),
            operation['x-sdk-shape'],
          ],
          ...takes.flatMap(({ kind }) => (kind === 'id' ? [] : [kind])),
        ].join(' '),
      ),
    ]
  })
  return [
    banner,
    `export const version = '${version}'\n`,
    `/** What each method sends: src/methods.ts reads it. */`,
    `export const operations = \`\n${lines.join('\n')}\n\`\n`,
  ].join('\n')
}

const importedTypes = {
  FileBody: 'body.ts',
  AnswerPromise: 'answer.ts',
  CallOptions: 'options.ts',
  FollowedEvent: 'follow.ts',
  FollowOptions: 'follow.ts',
  PagePromise: 'page.ts',
  WaitOptions: 'wait.ts',
}

function resourcesSource(methods: Method[], schemas: Schemas, sdk: string): string {
  const names = new Set(methods.flatMap(({ name }) => prefixes(name)))
  const interfaces = [...names].sort().map((name) => interfaceOf(methods, schemas, name, [...names]))
  const roots = [...names].filter((name) => !name.includes('.')).sort()
  const members = roots.map((name) => `  declare readonly ${name}: ${interfaceName(name)}\n`)
  const used = Object.entries(importedTypes)
    .filter(([type]) => interfaces.some((source) => source.includes(type)))
    .map(([type, file]) => `import type { ${type} } from '${sdk}/${file}'\n`)
  return [
    banner,
    `${used.join('')}import type * as types from './types.ts'\n`,
    ...interfaces,
    `/** The members of a client. Its constructor makes them. */\nexport class Resources {\n${members.join('')}}\n`,
  ].join('\n')
}

/** The resources of a method: `a` and `a.b` for `a.b.verb`. */
function prefixes(name: string): string[] {
  const parts = name.split('.').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

const parentOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf('.')))
const interfaceName = (resource: string) => `${pascal(resource)}Resource`

function interfaceOf(methods: Method[], schemas: Schemas, resource: string, all: string[]): string {
  const own = methods.filter(({ name }) => parentOf(name) === resource)
  const inner = all.filter((name) => parentOf(name) === resource).sort()
  const get = own.find(({ name }) => name === `${resource}.get`)
  const lines = [
    ...own.flatMap((method) =>
      [...narrowBodies(method, schemas), null].map(
        (narrowed) => comment(describe(method), '  ') + signatureOf(method, narrowed),
      ),
    ),
    ...(get && resource in pendingStates ? [waitSignature(get)] : []),
    ...(resource === 'events' ? [followSignature] : []),
    ...inner.map((name) => `  readonly ${name.slice(resource.length + 1)}: ${interfaceName(name)}\n`),
  ]
  return `export interface ${interfaceName(resource)} {\n${lines.join('')}}\n`
}

const describe = ({ operation }: Method) => `${operation.summary}.\n\n${operation.description}`

/** The type of the answer for one value of a body's member. */
type Narrowed = { body: string; answer: string }

/**
 * For a body whose member decides the type of the answer: each value of the member with its answer. Each pair becomes
 * an overload.
 */
function narrowBodies({ operation, takes }: Method, schemas: Schemas): Narrowed[] {
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref ? (schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : schema
  const body = takes.find((argument) => argument.kind === 'body')
  const { properties = {} } = body ? resolved(body.schema as Schema) : {}
  const answers = resolved(sdkAnswer(operation) as Schema).oneOf ?? []
  const valueIn = (answer: Schema, name: string) => resolved(answer).properties?.[name]?.const
  const decides = (name: string) => answers.every((answer) => valueIn(answer, name) !== undefined)
  const [name, member] = Object.entries(properties).find(([name]) => decides(name)) ?? []
  if (!name || !member) return []
  return answers.map((answer) => {
    const value = valueIn(answer, name)
    const isDefault = member.default === value
    const type = `${typeOf({ const: value })}${isDefault ? ' | undefined' : ''}`
    return { body: ` & { ${name}${isDefault ? '?' : ''}: ${type} }`, answer: typeOf(answer, 'types.') }
  })
}

function signatureOf(method: Method, narrowed: Narrowed | null): string {
  const { name, operation, takes } = method
  const all = takes.map((argument) => parameterOf(method, argument, narrowed?.body ?? ''))
  const answer = narrowed ? `AnswerPromise<${narrowed.answer}>` : answerOf(operation)
  return `  ${name.slice(parentOf(name).length + 1)}(${[...all, 'options?: CallOptions'].join(', ')}): ${answer}\n`
}

function parameterOf(method: Method, argument: SdkArgument, narrowed: string): string {
  const type = (schema: unknown) => typeOf(schema as Schema, 'types.')
  if (argument.kind === 'id') return `${camel(argument.parameter.name)}: ${type(argument.parameter.schema)}`
  const name = `${argument.kind}${argument.required ? '' : '?'}`
  if (argument.kind === 'query') return `${name}: types.${queryName(method)}`
  return `${name}: ${type(argument.schema)}${narrowed}${argument.isFile ? ' | FileBody' : ''}`
}

function answerOf(operation: DocumentOperation): string {
  const data = sdkAnswer(operation) as Schema
  const shape = operation['x-sdk-shape']
  if (shape === 'none') return 'AnswerPromise<void>'
  if (shape === 'stream') return 'AnswerPromise<ReadableStream<Uint8Array>>'
  if (shape === 'page') return `PagePromise<${typeOf(data.items ?? {}, 'types.')}>`
  return `AnswerPromise<${typeOf(data, 'types.')}>`
}

const followSignature = `  /**
   * Yields every event after a cursor, and waits for the next ones. It repeats requests that fail without end, and ends
   * when \`signal\` is aborted. Save the \`cursor\` of each event that you handled.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>\n`

function waitSignature({ operation }: Method): string {
  const type = answerOf(operation).slice('AnswerPromise<'.length, -1)
  return `  /** Polls the object until its work has succeeded or failed. Read the \`status\` of the result. */
  wait(id: string, options?: WaitOptions<${type}>): Promise<${type}>\n`
}
