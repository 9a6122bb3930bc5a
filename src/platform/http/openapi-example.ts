import { exampleId, exampleTime } from './example-ids.ts'
import type { JsonSchema } from './json-schema.ts'

/**
 * Makes an example of `schema` from the examples of its parts; undefined without any. Objects get their required
 * members, and others that have an example.
 * @param member the name of the value's member, because the examples of ids and times depend on it
 */
export function exampleOf(schema: JsonSchema, member = ''): unknown {
  const [own] = schema.examples ?? []
  if (own !== undefined) return own
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const [first] = schema.oneOf ?? schema.anyOf ?? []
  if (first) return exampleOf(first, member)
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'object':
      return exampleObject(schema)
    case 'array':
      return exampleList(schema, member)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return exampleScalar(schema, member)
  }
}

function exampleScalar({ format }: JsonSchema, member: string): unknown {
  if (format === 'uuid') return exampleId(member)
  return format === 'unix-seconds' ? exampleTime(member) : undefined
}

function exampleList({ items }: JsonSchema, member: string): unknown[] {
  const item =
    typeof items === 'object' && !Array.isArray(items) ? exampleOf(items as JsonSchema, member) : undefined
  return item === undefined ? [] : [item]
}

function exampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const part = property as JsonSchema
      const isShown = required.includes(name) || part.examples !== undefined
      const value = isShown ? exampleOf(part, name) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
