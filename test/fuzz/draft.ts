import { chance, integer, pick, type Random } from '../../src/demo/random.ts'
import { type Operation, resolve, type Schema } from '../support/openapi-document.ts'
import { parameterKindOf } from '../support/path-kinds.ts'
import type { Caller, World } from './world.ts'

/** The parts of a request, before they are serialized. */
export type Draft = {
  operation: Operation
  caller: Caller
  method: string
  path: Record<string, string>
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body: unknown
  /** The changes that make the request invalid. */
  done: string[]
}

/** Ids, numbers and texts for one request. */
export type DraftSource = { world: World; orgId: string; random: Random }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A request of `operation` by the caller. About half of them are valid. */
export function draftOf(operation: Operation, caller: Caller, world: World, random: Random): Draft {
  const from: DraftSource = { world, orgId: caller.orgId, random }
  const parameters = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const path = parameters('path').map(({ name }) => [
    name,
    world.own(caller.orgId, kindOf(operation, name), random),
  ])
  const query = parameters('query')
    .filter(({ required, name }) => required || chance(random, name === 'cursor' ? 0.02 : 0.25))
    .map(({ name, schema }): [string, string] => [name, String(valid(schema, name, from))])
  return {
    operation,
    caller,
    method: operation.method,
    path: Object.fromEntries(path),
    query,
    headers: caller.headers.slice(),
    body: operation.body ? bodyOf(operation, from) : undefined,
    done: [],
  }
}

export function kindOf({ path }: Operation, name: string): string {
  if (name !== 'id') return parameterKindOf(path, name)
  if (path.includes('/scans/')) return 'scan_id'
  return path.includes('/shadow/') ? 'shadow_merge_id' : 'merge_id'
}

/** The example with ids of this org, and sometimes with other members of its schema. */
function bodyOf({ body }: Operation, from: DraftSource): unknown {
  const { random } = from
  const schema = resolve(body!.schema)
  const example = withIds(structuredClone(body!.example), '', from)
  if (typeof example !== 'object' || example === null || !chance(random, 0.5)) return example
  const members = example as Record<string, unknown>
  // Take any part of a union. A member of another part makes the request invalid.
  const { properties = {} } = schema.oneOf ? resolve(pick(random, schema.oneOf)) : schema
  for (const [name, property] of Object.entries(properties))
    if (chance(random, name in members ? 0.15 : 0.2)) members[name] = valid(property, name, from)
  return members
}

/** The example with ids of the org and new addresses. */
function withIds(value: unknown, name: string, from: DraftSource): unknown {
  const { world, orgId, random } = from
  if (typeof value === 'string') {
    if (uuid.test(value)) return world.own(orgId, name, random)
    return value.replace('ada@example', () => `ada${integer(random, 1, 5000)}@example`)
  }
  if (Array.isArray(value)) return value.map((item) => withIds(item, name, from))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIds(item, key, from)]))
}

/** Deeper objects get only required members, because a schema may contain itself. */
const depthMax = 4

export function valid(schema: Schema, name: string, from: DraftSource, depth = 0): unknown {
  const { random } = from
  const own = resolve(schema)
  if (own.const !== undefined) return own.const
  if (own.enum) return pick(random, own.enum)
  const members = own.anyOf ?? own.oneOf
  if (members) return valid(pick(random, members), name, from, depth)
  const types = [own.type ?? 'string'].flat()
  switch (pick(random, types)) {
    case 'null':
      return null
    case 'boolean':
      return chance(random, 0.5)
    case 'integer':
    case 'number': {
      const min = own.minimum ?? 0
      const max = own.maximum ?? 10_000
      return pick(random, [min, max, Math.min(max, min + 1), integer(random, min, Math.min(max, min + 50))])
    }
    case 'array': {
      const count = Math.min(own.maxItems ?? 3, Math.max(own.minItems ?? 0, integer(random, 0, 3)))
      return Array.from({ length: count }, () => valid(own.items ?? {}, name, from, depth))
    }
    case 'object':
      return validObject(own, name, from, depth)
    default:
      return validText(own, name, from)
  }
}

function validObject(schema: Schema, name: string, from: DraftSource, depth: number): unknown {
  const { random } = from
  const members = Object.entries(schema.properties ?? {})
    .filter(([key]) => schema.required?.includes(key) || (depth < depthMax && chance(random, 0.5)))
    .map(([key, property]): [string, unknown] => [key, valid(property, key, from, depth + 1)])
  const rest = schema.additionalProperties
  if (typeof rest === 'object' || (rest === true && members.length === 0))
    members.push([
      pick(random, ['email', 'city', 'plan', 'same_email', 'name']),
      valid(rest === true ? {} : rest, name, from, depth + 1),
    ])
  return Object.fromEntries(members)
}

function validText(
  { format, examples, minLength = 0, maxLength = 40 }: Schema,
  name: string,
  from: DraftSource,
): string {
  const { random, world, orgId } = from
  if (world.isKind(name)) return world.own(orgId, name, random)
  if (format === 'uuid') return world.own(orgId, 'contact_id', random)
  if (format?.endsWith('email')) return `person${integer(random, 1, 5000)}@example.com`
  if (examples && examples.length > 0) return String(pick(random, examples))
  if (/phone|number/.test(name)) return `+1415555${integer(random, 1000, 9999)}`
  const words = pick(random, [
    'Ada',
    'Köln',
    'vip',
    'Website',
    'en',
    'https://acme.example/x',
    'acme.example',
    '2026-01',
  ])
  return words.slice(0, maxLength).padEnd(minLength, 'x')
}
