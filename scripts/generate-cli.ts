// Writes cli/src/generated/: the commands that the `crosswalk` command has for operations of the API.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind, Operation, Parameter } from '../cli/src/operations/operation.ts'
import { apiDocument } from '../src/api-document.ts'
import { projectRoot } from '../src/platform/config.ts'
import { asksFirst, commandOf } from '../src/platform/http/cli-names.ts'
import {
  type DocumentOperation,
  type DocumentParameter,
  sdkAnswer,
  sdkArguments,
} from '../src/platform/http/sdk-arguments.ts'
import { version } from '../src/platform/version.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: unknown
}

const banner = '// Written by `npm run generate`. Do not edit.\n'

/** The sources of the generated part, by their path in the project. */
export function cliSources(): Record<string, string> {
  const lines = operationsOf().map((operation) => `  ${JSON.stringify(operation)},\n`)
  return {
    'cli/src/generated/version.ts': `${banner}\nexport const version = '${version}'\n`,
    'cli/src/generated/operations.ts': [
      banner,
      "import type { Operation } from '../operations/operation.ts'\n",
      `export const operations: readonly Operation[] = [\n${lines.join('')}]\n`,
    ].join('\n'),
  }
}

export function writeCli(): void {
  for (const [path, source] of Object.entries(cliSources())) {
    mkdirSync(join(projectRoot, path, '..'), { recursive: true })
    writeFileSync(join(projectRoot, path), source)
  }
}

const document = apiDocument(null)
const schemas = (document.components.schemas ?? {}) as Record<string, Schema>

function operationsOf(): Operation[] {
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([http, node]) =>
        operationOf(path, http.toUpperCase(), node as DocumentOperation),
      ),
    )
    .sort((one, other) => (one.command < other.command ? -1 : 1))
}

function operationOf(path: string, method: string, operation: DocumentOperation): Operation {
  const { 'x-sdk-method': sdk, 'x-sdk-shape': shape, parameters, summary, description } = operation
  const takes = sdkArguments(path, operation)
  const body = takes.find((argument) => argument.kind === 'body')
  const query = takes.find((argument) => argument.kind === 'query')?.parameters ?? []
  const names = query.map(({ name }) => name)
  const listMember = listMemberOf(operation)
  const idMember = idMemberOf(operation, listMember)
  const members = membersOf(itemOf(operation, listMember))
  return {
    ...{ sdk, command: commandOf(sdk), method, path, shape, summary, description },
    ids: takes.flatMap((argument) => (argument.kind === 'id' ? [argument.parameter.name] : [])),
    query: query.map(queryParameter),
    body: body ? (body.isFile ? [] : bodyParameters(body.schema as Schema)) : null,
    ...(body?.isFile ? { file: true as const } : {}),
    ...(parameters.some((one) => 'name' in one && one.name === 'If-Match') ? { ifMatch: true as const } : {}),
    ...(names.includes('sort') && names.includes('fields') ? { filters: true as const } : {}),
    ...(asksFirst(sdk) ? { asks: true as const } : {}),
    ...(idMember === undefined ? {} : { idMember }),
    ...(listMember === undefined ? {} : { listMember }),
    ...(members.length === 0 ? {} : { members }),
  }
}

function queryParameter({ name, schema, required = false, description = '' }: DocumentParameter): Parameter {
  return parameterOf(name, schema as Schema, required, description)
}

/** Returns the fields of a body. A union has the fields of all its variants. */
function bodyParameters(schema: Schema): Parameter[] {
  const { properties, required = [], oneOf } = resolved(schema)
  if (!oneOf)
    return Object.entries(properties ?? {}).map(([name, property]) =>
      parameterOf(name, property, required.includes(name), property.description ?? ''),
    )
  const variants = oneOf.map(bodyParameters)
  const byName = Map.groupBy(variants.flat(), ({ name }) => name)
  return [...byName.values()].map(([first, ...others]) => {
    const all = [first!, ...others]
    const { required: _required, choices: _choices, ...parameter } = first!
    const choices = [...new Set(all.flatMap((one) => one.choices ?? []))]
    const isRequired = all.length === variants.length && all.every((one) => one.required)
    return {
      ...parameter,
      ...(choices.length > 0 ? { choices } : {}),
      ...(isRequired ? { required: true as const } : {}),
    }
  })
}

function parameterOf(name: string, schema: Schema, required: boolean, text: string): Parameter {
  const choices = choicesOf(schema)
  const { maximum: max } = resolved(schema)
  return {
    ...{ name, kind: kindOf(schema), text },
    ...(choices.length > 0 ? { choices } : {}),
    ...(required ? { required: true as const } : {}),
    ...(name === 'limit' && max !== undefined ? { max } : {}),
  }
}

function resolved(schema: Schema): Schema {
  const found = schema.$ref ? schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : schema
  const [only, ...more] = (found?.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && more.length === 0 ? resolved(only) : (found ?? {})
}

/** The greatest time of a parameter: the end of the year 9999. */
const lastSecond = 253402300799

function kindOf(schema: Schema): Kind {
  const { type, maximum, anyOf, enum: values, const: only, items } = resolved(schema)
  const [first, ...more] = [type ?? []].flat().filter((one) => one !== 'null')
  if (values || only !== undefined || anyOf?.some((one) => resolved(one).type === 'string')) return 'text'
  if (first === 'integer' && more[0] === 'string') return 'day'
  if (more.length > 0) return 'json'
  if (first === 'integer') return maximum === lastSecond ? 'time' : 'integer'
  if (first === 'string') return 'text'
  if (first === 'number' || first === 'boolean') return first
  return first === 'array' && items && kindOf(items) === 'text' ? 'list' : 'json'
}

function choicesOf(schema: Schema): string[] {
  const { enum: values, const: only, items, anyOf = [] } = resolved(schema)
  const own = values ?? (only === undefined ? [] : [only])
  const texts = own.filter((value): value is string => typeof value === 'string')
  return texts.length > 0 ? texts : items ? choicesOf(items) : anyOf.flatMap(choicesOf)
}

/** The member with the items of an answer that is a list without pages, such as `{fields, can_manage}`. */
function listMemberOf(operation: DocumentOperation): string | undefined {
  const { 'x-sdk-method': sdk, 'x-sdk-shape': shape } = operation
  if (shape !== 'data' && shape !== 'bare') return undefined
  const members = Object.entries(resolved(sdkAnswer(operation) as Schema).properties ?? {})
  const lists = members.filter(([, { items }]) => items && resolved(items).properties)
  const isList = members.length === 1 || /\.(list|feed)$/.test(sdk)
  return isList && lists.length === 1 ? lists[0]?.[0] : undefined
}

/** The answer's object, or the object of which it has a list. */
function itemOf(operation: DocumentOperation, listMember: string | undefined): Schema {
  const answer = resolved(sdkAnswer(operation) as Schema)
  const list = listMember === undefined ? answer : (answer.properties?.[listMember] ?? answer)
  return list.items ? resolved(list.items) : list
}

/** The first id of the answer's object, or of its items. */
function idMemberOf(operation: DocumentOperation, listMember: string | undefined): string | undefined {
  const item = itemOf(operation, listMember)
  const { properties = {} } = item.oneOf ? resolved(item.oneOf[0]!) : item
  return Object.keys(properties).find((name) => name.endsWith('_id'))
}

/** The members that an object can have; none if it can have any. A union has the members of all its variants. */
function membersOf(schema: Schema): string[] {
  const { properties = {}, additionalProperties, oneOf, anyOf = [] } = resolved(schema)
  if (additionalProperties) return []
  const variants = (oneOf ?? anyOf).map(membersOf)
  if (variants.some((names) => names.length === 0)) return []
  return [...new Set([...Object.keys(properties), ...variants.flat()])]
}
